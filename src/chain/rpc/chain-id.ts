// Which chain is behind the RPC, asked before anything else. Comes in: an rpc; goes out: one chain id, or a `StartupError`
// that says in a sentence what to change: endpoints of different chains, a refused key, nobody there.
import { StartupError } from '../../base/errors.ts'
import { readNumber } from '../raw.ts'
import { isAnswered } from './endpoint.ts'
import { GET_CHAIN_ID } from './identity.ts'
import type { Rpc } from './rpc.ts'

/** The chain id on which all endpoints that answer agree; endpoints that are down for now are checked before their first use. */
export async function readChainId(rpc: Rpc): Promise<number> {
  const asked = await rpc.ask(GET_CHAIN_ID)
  const found = asked.flatMap(({ endpoint, answer }) =>
    isAnswered(answer) ? [{ endpoint, id: readNumber(answer.result) ?? 0 }] : [],
  )
  const [first] = found
  if (!first) {
    const reasons = asked.map(({ answer }) => `  ${answer.error?.message ?? 'no answer'}`)
    throw new StartupError(`No RPC_URL answers:\n${reasons.join('\n')}`, 69)
  }
  if (found.some(({ id }) => id !== first.id)) {
    const ids = found.map(({ endpoint, id }) => `${endpoint} serves chain ${id}`)
    throw new StartupError(`The endpoints of RPC_URL are of different chains: ${ids.join(', ')}.`, 78)
  }
  return first.id
}
