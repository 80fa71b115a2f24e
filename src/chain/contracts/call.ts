// Many `eth_call`s at one block. Comes in: targets and call data; goes out: the answers' hex, or null where the contract
// failed, there is none, or the state is gone. A fault of the provider is thrown.
import type { Address } from '../../base/address.ts'
import { isHex } from '../logs/hex.ts'
import { isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface ContractCall {
  to: Address
  data: `0x${string}`
  /** The answer does not change with time: where the block's state is gone, the newest serves. */
  constant?: boolean
}

/** Answers in the order of the calls, as of the end of the block. */
export type EthCall = (calls: readonly ContractCall[], block: number) => Promise<(`0x${string}` | null)[]>

/** Enough for any honest view function; a contract that loops for ever ends sooner. */
const GAS = '0x4c4b40'
/** Kinds of faults that are answers: the contract failed, or the node has no state for the block any more. */
const NULLS = new Set(['execution', 'pruned', 'rejected', 'size', 'range'])

export function createEthCall(rpc: Rpc): EthCall {
  const ask = (calls: readonly ContractCall[], tag: string) =>
    rpc.batch(calls.map(({ to, data }) => ({ method: 'eth_call', params: [{ to, data, gas: GAS }, tag] })))

  return async (calls, block) => {
    const answers = await ask(calls, `0x${block.toString(16)}`)
    const gone = calls.flatMap((call, i) => (call.constant && answers[i]?.error?.kind === 'pruned' ? [i] : []))
    const newest = await ask(
      gone.flatMap((i) => calls[i] ?? []),
      'latest',
    )
    gone.forEach((index, k) => {
      const answer = newest[k]
      if (answer) answers[index] = answer
    })
    return answers.map(toHex)
  }
}

function toHex(answer: RpcAnswer): `0x${string}` | null {
  if (isAnswered(answer)) return isHex(answer.result) && answer.result !== '0x' ? answer.result : null
  if (NULLS.has(answer.error.kind)) return null
  throw answer.error
}
