// One error class with a code, which decides the HTTP status in both REST and GraphQL.

/** The error codes of the API contract and their HTTP statuses. */
export const STATUS_BY_CODE = {
  INVALID_PARAMS: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof STATUS_BY_CODE

/**
 * The reason of a refusal, if the code is not specific enough: for metrics, and to distinguish a missing key from a
 * wrong one.
 */
const REFUSAL_REASONS = [
  'no_key',
  'bad_key',
  'too_many_bad_keys',
  'key_queue',
  'scope',
  'issuer',
  'deadline',
  'database',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** One fault of a request: its location, its field, the problem and the fix. */
export interface Fault {
  location: 'query' | 'path' | 'body' | 'header' | 'argument'
  field: string
  message: string
}

/** A window of a caller's limits after a request. */
export interface LimitState {
  name: 'minute' | 'day'
  limit: number
  windowSeconds: number
  used: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
}

/** A deliberate error answer; its message is written for the caller. */
export class AssayError extends Error {
  override name = 'AssayError'
  readonly code: ErrorCode
  /** All faults of the request; only with `INVALID_PARAMS` and `PAYMENT_REQUIRED`. */
  readonly faults: readonly Fault[]
  /** When a retry is worthwhile; undefined if unknown. */
  readonly retryAfterSeconds: number | undefined
  /** The caller's limits; empty if the refusal has nothing to do with them. */
  readonly limits: readonly LimitState[]
  /** The block that the answer reflects; undefined: none was read. */
  readonly block: { number: number; time: Date } | undefined
  /** The methods that the path takes; only with `METHOD_NOT_ALLOWED`. */
  readonly allowedMethods: readonly string[]
  readonly reason: RefusalReason | undefined
  /** What a caller without a key needs, as parameters of `WWW-Authenticate`; undefined: a key. */
  readonly challenge: string | undefined
  /** What the caller has to pay, as headers of the answer. */
  readonly payment: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      faults?: readonly Fault[]
      retryAfterSeconds?: number
      limits?: readonly LimitState[]
      block?: { number: number; time: Date } | undefined
      allowedMethods?: readonly string[]
      reason?: RefusalReason | undefined
      challenge?: string
      payment?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.faults = more.faults ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
    this.limits = more.limits ?? []
    this.block = more.block
    this.allowedMethods = more.allowedMethods ?? []
    this.reason = more.reason
    this.challenge = more.challenge
    this.payment = more.payment ?? {}
  }

  get status(): number {
    return STATUS_BY_CODE[this.code]
  }
}

/** `INVALID_PARAMS` with all faults; the message is that of the first, followed by the number of others. */
export function invalid(faults: readonly [Fault, ...Fault[]] | Fault[]): AssayError {
  const [first, ...rest] = faults
  const message = first ? first.message + (rest.length ? ` (and ${rest.length} more)` : '') : 'the request is not valid'
  return new AssayError('INVALID_PARAMS', message, { faults })
}

/** A fault of the installation or configuration: the program prints the message and exits with the code. */
export class StartupError extends Error {
  override name = 'StartupError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.exitCode = exitCode
  }
}
