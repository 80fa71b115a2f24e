// The errors of the API as classes. The status decides the class of an unknown code.
import type { components } from './openapi.ts'

type Schemas = components['schemas']
type Fault = Schemas['Fault']

/** An answer with an error status. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Name it when you report a fault of the server. */
  readonly requestId: string | undefined
  /** Whole seconds to wait before the next try, if the server named them. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Partial<Schemas['ErrorDetail']>, retryAfter?: number) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.requestId = body.request_id
    this.retryAfter = retryAfter
  }
}

/** 400, 405, 413, 414, 415: the request is not right; `details` names every fault. */
export class InvalidParamsError extends ApiError {
  override name = 'InvalidParamsError'
  readonly details: readonly Fault[]

  constructor(status: number, body: Partial<Schemas['ErrorDetail']>, retryAfter?: number) {
    super(status, body, retryAfter)
    this.details = body.details ?? []
  }
}

/** 401: no key, or an invalid one. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError'
}
/** 403: the plan does not allow it. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError'
}
/** 404: not indexed, or no such alert. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** 409: the Idempotency-Key was used for something else. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** 429: a limit is used up, and waiting for `retryAfter` was not allowed. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError'
}
/** 5xx: the server failed, or is overloaded. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
}

/** The error of an answer; its body may be another one than ours, such as a proxy's. */
export async function toError(response: Response): Promise<ApiError> {
  const seconds = response.headers.get('retry-after') ?? ''
  const retryAfter = /^[0-9]+$/.test(seconds) ? Number(seconds) : undefined
  const body = await response.json().then(
    (json) => (json as { error?: Partial<Schemas['ErrorDetail']> } | null)?.error ?? {},
    () => ({}),
  )
  const Class = response.status >= 500 ? ServerError : (BY_STATUS[response.status] ?? InvalidParamsError)
  return new Class(response.status, body, retryAfter)
}
