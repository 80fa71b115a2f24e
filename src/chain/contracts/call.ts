// Runs many `eth_call`s at one block. Input: targets and call data. Output: the returned hex, or null. Null means that
// the contract failed, does not exist, or the node no longer has the state. Provider faults are thrown.
import { isHex } from '../columns/hex.ts'
import { isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createMulticall, NO_ANSWER, type PlainCall } from './multicall.ts'

export interface ContractCall extends PlainCall {
  /** The answer never changes, so the newest block serves if the node no longer has this block's state. */
  constant?: boolean
  /** The call runs at the newest block, because its subject may be younger than the block. */
  newest?: boolean
}

/** Answers in the order of the calls, as of the end of the block. */
export type EthCall = (calls: readonly ContractCall[], block: number) => Promise<(`0x${string}` | null)[]>

/** Faults that count as the answer null: the contract failed, or the node no longer has the block's state. */
const NULLS = new Set(['execution', 'pruned', 'rejected', 'size', 'range'])

/** `onPruned` is called once, when the node does not have the state of a requested block. */
export function createEthCall(rpc: Rpc, onPruned: (block: number) => void = () => {}): EthCall {
  let wasPruned = false
  const ask = createMulticall(rpc)

  return async (calls, block) => {
    const answers: RpcAnswer[] = []
    const askAt = async (tag: string, places: readonly number[]) => {
      const came = await ask(
        places.flatMap((i) => calls[i] ?? []),
        { tag, block },
      )
      for (const [k, place] of places.entries()) answers[place] = came[k] ?? NO_ANSWER
    }
    const places = [...calls.keys()]
    await askAt(
      `0x${block.toString(16)}`,
      places.filter((i) => !calls[i]?.newest),
    )
    if (!wasPruned && answers.some(isPruned)) {
      wasPruned = true
      onPruned(block)
    }
    await askAt(
      'latest',
      places.filter((i) => calls[i]?.newest || (calls[i]?.constant && isPruned(answers[i]))),
    )
    return answers.map(toHex)
  }
}

const isPruned = (answer: RpcAnswer | undefined): boolean => answer?.error?.kind === 'pruned'

function toHex(answer: RpcAnswer): `0x${string}` | null {
  if (isAnswered(answer)) return isHex(answer.result) && answer.result !== '0x' ? answer.result : null
  if (NULLS.has(answer.error.kind)) return null
  throw answer.error
}
