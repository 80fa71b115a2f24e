// Runs many `eth_call`s at one block. Input: targets and call data. Output: the returned hex, or null. Null means that
// the contract failed, does not exist, or the node no longer has the state. Provider faults are thrown.
import type { Address } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface ContractCall {
  to: Address
  data: `0x${string}`
  /** The answer never changes, so the newest block serves if the node no longer has this block's state. */
  constant?: boolean
  /** The call runs at the newest block, because its subject may be younger than the block. */
  newest?: boolean
}

/** Answers in the order of the calls, as of the end of the block. */
export type EthCall = (calls: readonly ContractCall[], block: number) => Promise<(`0x${string}` | null)[]>

/** 5,000,000 gas: enough for any honest view function, and a bound on a contract that loops forever. */
const GAS = '0x4c4b40'
/** Faults that count as the answer null: the contract failed, or the node no longer has the block's state. */
const NULLS = new Set(['execution', 'pruned', 'rejected', 'size', 'range'])

/** `onPruned` is called once, when the node does not have the state of a requested block. */
export function createEthCall(rpc: Rpc, onPruned: (block: number) => void = () => {}): EthCall {
  let wasPruned = false
  const ask = (calls: readonly ContractCall[], tag: string) =>
    rpc.batch(calls.map(({ to, data }) => ({ method: 'eth_call', params: [{ to, data, gas: GAS }, tag] })))

  return async (calls, block) => {
    const answers = await ask(calls, `0x${block.toString(16)}`)
    if (!wasPruned && answers.some(isPruned)) {
      wasPruned = true
      onPruned(block)
    }
    const gone = calls.flatMap((call, i) => (call.newest || (call.constant && isPruned(answers[i])) ? [i] : []))
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

const isPruned = (answer: RpcAnswer | undefined): boolean => answer?.error?.kind === 'pruned'

function toHex(answer: RpcAnswer): `0x${string}` | null {
  if (isAnswered(answer)) return isHex(answer.result) && answer.result !== '0x' ? answer.result : null
  if (NULLS.has(answer.error.kind)) return null
  throw answer.error
}
