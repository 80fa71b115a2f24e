// Asks which chain RPC_URL serves, before any other request. Input: an rpc. Output: one chain id. A `StartupError`
// names the fix if the endpoints serve different chains, refuse the key, or do not answer.
import { StartupError } from '../../base/errors.ts'
import { readNumber } from '../raw.ts'
import { isAnswered } from './endpoint.ts'
import { GET_CHAIN_ID } from './identity.ts'
import type { Rpc } from './rpc.ts'

/** The chain id on which all answering endpoints agree. Endpoints that are down are checked before their first use. */
export async function readChainId(rpc: Rpc): Promise<number> {
  const asked = await rpc.ask(GET_CHAIN_ID)
  const found = asked.flatMap(({ endpoint, answer }) =>
    isAnswered(answer) ? [{ endpoint, id: readNumber(answer.result) ?? 0 }] : [],
  )
  const [first] = found
  if (!first) {
    const reasons = asked.map(({ answer }) => `  ${answer.error?.message ?? 'no answer'}`)
    throw new StartupError(`No endpoint of RPC_URL answers:\n${reasons.join('\n')}`, 69)
  }
  if (found.some(({ id }) => id !== first.id)) {
    const ids = found.map(({ endpoint, id }) => `${endpoint} serves chain ${id}`)
    throw new StartupError(`The endpoints of RPC_URL serve different chains: ${ids.join(', ')}.`, 78)
  }
  return first.id
}
