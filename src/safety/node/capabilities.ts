// What a node can do beyond plain calls. Input: an rpc. Output: which trials it allows, each tried once with code whose answer is known:
// a node that ignores an override says something else.
import type { Address } from '../../base/address.ts'
import { isAnswered } from '../../chain/rpc/endpoint.ts'
import type { Rpc } from '../../chain/rpc/rpc.ts'

export interface Capabilities {
  /** `eth_simulateV1`: several blocks with calls of anybody. */
  simulate: boolean
  /** `eth_call` with code laid over an address. */
  override: boolean
  /** `eth_call` without `to`: the code of a constructor runs. */
  construct: boolean
}

const PROBE = '0x5afe000000000000000000000000000000000001' as Address
/** PUSH32 0x..2a, MSTORE, RETURN: says 42. */
const SAYS_42 = `0x60${'2a'}60005260206000f3`
/** NUMBER, MSTORE, RETURN: says the number of the block. */
const SAYS_NUMBER = '0x4360005260206000f3'
const GAS = '0x186a0'

/** Null: the node did not answer, so nothing is known yet. */
export async function readCapabilities(rpc: Rpc): Promise<Capabilities | null> {
  const probe = { to: PROBE, gas: GAS }
  const block = { calls: [probe] }
  const answers = await rpc.batch(
    [
      { method: 'eth_call', params: [probe, 'latest', { [PROBE]: { code: SAYS_42 } }] },
      { method: 'eth_call', params: [{ data: SAYS_42, gas: GAS }, 'latest'] },
      {
        method: 'eth_simulateV1',
        params: [
          { blockStateCalls: [{ ...block, stateOverrides: { [PROBE]: { code: SAYS_NUMBER } } }, block] },
          'latest',
        ],
      },
    ],
    2,
  )
  const isUnknown = answers.some(
    ({ error }) => error && ['transient', 'rate', 'lagging', 'auth', 'aborted'].includes(error.kind),
  )
  if (isUnknown) return null
  const [override, construct, simulate] = answers.map((answer) => (isAnswered(answer) ? answer.result : null))
  return { override: says42(override), construct: says42(construct), simulate: countsBlocks(simulate) }
}

const says42 = (result: unknown): boolean => typeof result === 'string' && /^0x0*2a$/.test(result)

function countsBlocks(result: unknown): boolean {
  const [first, second] = (Array.isArray(result) ? result : []).map((block) => Number(block?.calls?.[0]?.returnData))
  return first !== undefined && second !== undefined && second === first + 1
}
