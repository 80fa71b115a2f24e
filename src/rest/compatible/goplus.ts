// The call of GoPlus that its clients make most, `token_security`, answered from our GraphQL. A client needs another
// address and a key, and no other code. A fault that GoPlus has a code for is such an answer with HTTP 200.
import type { Request, RequestHandler } from 'express'
import type { Guard } from '../../access/guard.ts'
import { parseAddress } from '../../base/address.ts'
import type { Graph } from '../../graph/http/graph.ts'
import { admissionOf, admit, setLimitHeaders } from '../edge/admit.ts'
import { checkSize, skipBody } from '../edge/body.ts'
import { onlyMethods } from '../edge/public.ts'
import { respond } from '../edge/respond.ts'
import { nameBearer } from './bearer.ts'
import { CHECKED_TOKEN, type CheckedToken, toGoplus } from './goplus-fields.ts'

export const GOPLUS_PATH = '/goplus/api/v1/token_security/:chainId'
const MOST_TOKENS = 20

const DOCUMENT = `query TokenSecurity($addresses: [Address!]!) {
  chain { chainId } tokens(addresses: $addresses, first: ${MOST_TOKENS}) { nodes ${CHECKED_TOKEN} }
}`

interface Asked {
  chain: { chainId: number } | null
  tokens: { nodes: CheckedToken[] }
}

/** Numbers of GoPlus. */
const CODES = { success: 1, partial: 2, address: 2004, chain: 2018 } as const

/** The handlers of GoPlus' path, in order. */
export function createGoplusHandlers(guard: Guard, graph: Pick<Graph, 'ask'>): RequestHandler[] {
  const answer: RequestHandler = async (request, response) => {
    const admission = admissionOf(response)
    await skipBody(request)
    checkSize(request, request.originalUrl)
    const send = (code: keyof typeof CODES, message: string, result: object | null = null) =>
      respond(request, response, {
        status: 200,
        headers: { 'cache-control': 'private, no-cache' },
        body: JSON.stringify({ code: CODES[code], message, result }),
      })
    const addresses = readAddresses(request)
    if (typeof addresses === 'string') return send('address', addresses)
    const { chain, tokens } = await graph.ask<Asked>(DOCUMENT, { addresses }, admission)
    setLimitHeaders(response)
    const { chainId } = request.params
    if (String(chain?.chainId) !== chainId)
      return send('chain', `chain ${JSON.stringify(chainId)} is not indexed here; chain ${chain?.chainId ?? 'none'} is`)
    const result = Object.fromEntries(tokens.nodes.map((token) => [token.address, toGoplus(token)]))
    const absent = addresses.filter((address) => !(address in result))
    if (absent.length > 0) return send('partial', `not indexed: ${absent.join(', ')}`, result)
    await send('success', 'OK', result)
  }
  return [onlyMethods(['GET']), nameBearer, admit(guard, () => `GET ${GOPLUS_PATH.replace(/:(\w+)/, '{$1}')}`), answer]
}

/** The addresses in the query, in lower case; or a sentence about their fault. */
function readAddresses({ originalUrl }: Request): string[] | string {
  const given = new URL(originalUrl, 'http://localhost').searchParams.getAll('contract_addresses').join(',')
  const texts = [...new Set(given.split(','))]
  if (given === '' || texts.length > MOST_TOKENS)
    return `contract_addresses must be 1 to ${MOST_TOKENS} addresses with commas between them`
  const addresses = texts.map(parseAddress)
  const wrong = addresses.indexOf(null)
  return wrong < 0
    ? addresses.map(String)
    : `contract_addresses must be 0x and 40 hex digits each: number ${wrong + 1} is not`
}
