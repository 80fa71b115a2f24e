// Runs many `eth_call`s at one block. Input: targets and call data. Output: the returned hex, or null. Null means that
// the contract failed, does not exist, or the node no longer has the state. Provider faults are thrown.
import { isHex } from '../columns/hex.ts'
import { isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createLack } from '../rpc/trouble.ts'
import { createMulticall, type PlainCall } from './multicall.ts'

export interface ContractCall extends PlainCall {
  /** The answer never changes, so the newest block serves if the node no longer has this block's state. */
  constant?: boolean
  /** The call runs at the newest block, because its subject may be younger than the block. */
  newest?: boolean
}

/** Answers in the order of the calls, as of the end of the block. */
export type EthCall = (calls: readonly ContractCall[], block: number) => Promise<(`0x${string}` | null)[]>

/** Faults that count as the answer null: the contract failed, or the node no longer has the block's state. */
export const NULLS: ReadonlySet<string> = new Set(['execution', 'pruned', 'rejected', 'size', 'range'])

/** The node does not have the state of a requested block, or with `isOver` has that of all blocks again. */
export type OnPruned = (block: number, isOver: boolean) => void

/** Rounds of calls in a row that meet no lost state. After them the node counts as one that has it. */
const FULL_AGAIN = 20

export function createEthCall(rpc: Rpc, onPruned: OnPruned = () => {}): EthCall {
  const lack = createLack(FULL_AGAIN)
  const ask = createMulticall(rpc)

  function noteState(answers: readonly RpcAnswer[], block: number): void {
    if (answers.some(isPruned)) {
      if (lack.lacks()) onPruned(block, false)
    } else if (answers.some(isAnswered) && lack.isWhole()) onPruned(block, true)
  }

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
    noteState(answers, block)
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
