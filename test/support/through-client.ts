// The contract's tests through the TypeScript client, whose types derive from the OpenAPI description.
// `CONTRACT_CLIENT=1` sends every request with a client method by that method, and compares its result or error with
// the server's answer.
import { createClient } from '../../clients/typescript/src/client.ts'
import { ApiError } from '../../clients/typescript/src/errors.ts'
import { createOpenApi } from '../../src/describe/openapi.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  requestBody?: unknown
}

const OPERATIONS = Object.entries(createOpenApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...(operation as Operation),
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/?]+)')}$`),
    hasPlace: path.includes('{'),
  })),
)

type Call = (...given: unknown[]) => PromiseLike<unknown>

/** The answer to a request that the client has a method for; null for any other. */
export async function askThroughClient(
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string | undefined; headers?: Record<string, string>; body?: unknown },
): Promise<Response | null> {
  const [place = '', search = ''] = path.split('?')
  const operation = OPERATIONS.find((known) => known.method === method && known.pattern.test(place))
  if (!operation || operation.operationId === 'streamEvents') return null
  const { authorization = '', 'idempotency-key': idempotencyKey, 'content-type': type, ...others } = headers
  const key = /^Bearer (\S+)$/.exec(authorization)?.[1]
  const query = new URLSearchParams(search)
  const known = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const isPlain =
    key !== undefined &&
    Object.keys(others).length === 0 &&
    [...query.keys()].every((name) => known.includes(name)) &&
    new Set(query.keys()).size === query.size &&
    (operation.requestBody ? type === 'application/json' && isObject(body) : body === undefined)
  const id = operation.pattern.exec(place)?.[1] ?? ''
  if (!isPlain || decode(id) === null) return null
  let answer: Response | undefined
  const client = createClient({
    baseUrl: url,
    key,
    retries: 0,
    fetch: async (input, init) => {
      answer = await fetch(input, init)
      return answer.clone()
    },
  }) as unknown as Record<string, Call | undefined>
  const call = client[operation.operationId]
  if (!call) throw new Error(`the TypeScript client has no method ${operation.operationId}`)
  const given = [
    ...(operation.hasPlace ? [decode(id)] : []),
    ...(known.length > 0 ? [Object.fromEntries(query)] : []),
    ...(operation.requestBody ? [JSON.parse(String(body))] : []),
    ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }]),
  ]
  const returned = await Promise.resolve(call(...given)).catch((error: unknown) => error)
  if (!answer) throw returned
  const text = await answer.clone().text()
  const wrong = answer.ok
    ? text !== '' && JSON.stringify(returned) !== JSON.stringify(JSON.parse(text))
    : !(returned instanceof ApiError && returned.status === answer.status)
  if (wrong)
    throw new Error(`${operation.operationId} returned something else than the server sent: ${String(returned)}`)
  return answer
}

const isObject = (body: unknown): boolean => {
  try {
    const value: unknown = JSON.parse(String(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
