// Yoga plugins for the parts of GraphQL over HTTP that a server decides. They are the accepted requests, the codes of
// errors, and the cost in every answer.
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { toCost } from '../cost/cost.ts'
import { refuse, withCode, withRequest } from '../errors.ts'
import { withHint } from './hints.ts'
import type { ServerContext } from './request-context.ts'

/** Only JSON is accepted: any page on the web can post a form, and a bare query has no variables. */
export const acceptJsonOnly = (): Plugin => ({
  onRequestParse: ({ request, url }) => {
    if (request.method === 'GET') checkSearch(url.searchParams)
    if (request.method !== 'POST') return
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (type === 'application/json') return
    throw new GraphQLError('Send the query as JSON: Content-Type must be application/json.', {
      extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http: { status: 415 } },
    })
  },
})

/** Refuses broken JSON in the URL, which Yoga would report as its own failure. */
function checkSearch(search: URLSearchParams): void {
  for (const name of ['variables', 'extensions']) {
    try {
      JSON.parse(search.get(name) || '{}')
    } catch {
      throw refuse(`${name} in the address must be a JSON object, percent-encoded.`)
    }
  }
}

/** Gives validation errors our codes. They do not pass through the mask, so they still have Yoga's. */
export const speakOurCodes = (onRefusal: (code: string) => void): Plugin<object, ServerContext> => ({
  onResultProcess: ({ result, setResult, serverContext: { requestId } }) => {
    if (!('errors' in result) || !result.errors) return
    const errors = result.errors.map((error) => withRequest(withCode(withHint(error)), requestId))
    const [first] = errors
    if (first) onRefusal(String(first.extensions.code))
    setResult({ ...result, errors })
  },
})

/** Adds its cost to every answer. A failure of the server costs nothing, so its charge is refunded. */
export const publishCost = (): Plugin<object, ServerContext> => ({
  onResultProcess: ({ result, setResult, serverContext: { budget, charge } }) => {
    if (Array.isArray(result) || !('errors' in result || 'data' in result)) return
    if (result.errors?.some(isOurs)) void charge.refund().catch(() => {})
    setResult({ ...result, extensions: { ...result.extensions, cost: toCost(budget, charge) } })
  },
})

/** Whether the error is the server's, by its HTTP status. */
const isOurs = ({ extensions }: GraphQLError): boolean => (extensions.http?.status ?? 0) >= 500
