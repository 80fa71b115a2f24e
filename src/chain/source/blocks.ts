// Reads blocks and links by their numbers. Input: numbers. Output: what the provider has at them, or an `RpcError` with the
// block. The last of final blocks is confirmed by its successor: one false answer must not become final.
import { hexQuantity, type Link, type RawBlock, readBlock, readLink } from '../raw.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import { ofBlock, RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'

export const getBlock = (block: number | string, full: boolean): Call => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? hexQuantity(block) : block, full],
})

/** The block at this number; another answer is asked for again. */
const getNumbered = (number: number, full: boolean): Call => ({
  ...getBlock(number, full),
  accept: (result) => readLink(result)?.number === number,
})

/** All blocks from..to, which may still be rolled back. */
export async function readFullBlocks(rpc: Rpc, from: number, to: number): Promise<RawBlock[]> {
  const numbers = listOf(from, to)
  const answers = await rpc.batch(numbers.map((number) => getNumbered(number, true)))
  return numbers.map((number, i) => toBlock(answers[i], number))
}

/**
 * All blocks from..to, which are final, so that each has a successor. A block that is not there after all attempts is
 * `pruned`: no backend lags behind finality.
 */
export async function readFinalBlocks(rpc: Rpc, from: number, to: number): Promise<RawBlock[]> {
  const numbers = listOf(from, to)
  const asked = [...numbers.map((number) => getNumbered(number, true)), getNumbered(to + 1, false)]
  const answers = await rpc.batch(asked)
  const blocks = numbers.map((number, i) => toBlock(toFinal(answers[i]), number))
  const successor = answers.at(-1)
  if (!successor || !isAnswered(successor)) throw ofBlock(successor?.error ?? NO_ANSWER.error, to + 1)
  if (readLink(successor.result)?.parentHash !== blocks.at(-1)?.hash)
    throw new RpcError('lagging', `block ${to + 1} does not follow block ${to}`, {}, to)
  return blocks
}

const listOf = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** A block that is null after all attempts is not there any more. */
function toFinal(answer: RpcAnswer | undefined): RpcAnswer | undefined {
  const error = answer?.error
  return error?.hint.isNull ? { error: new RpcError('pruned', error.message, error.hint) } : answer
}

function toBlock(answer: RpcAnswer | undefined, number: number): RawBlock {
  if (!answer || !isAnswered(answer)) throw ofBlock(answer?.error ?? NO_ANSWER.error, number)
  const block = readBlock(answer.result)
  if (!block) throw new RpcError('lagging', `block ${number} cannot be read`, {}, number)
  return block
}

/** Reads the chain's links at these heights; throws `lagging` for a height that the provider does not have (yet). */
export const createLinkReader =
  (rpc: Rpc) =>
  async (numbers: readonly number[]): Promise<Link[]> => {
    const answers = await rpc.batch(numbers.map((number) => getNumbered(number, false)))
    return answers.flatMap((answer) => {
      if (!isAnswered(answer)) throw answer.error
      return readLink(answer.result) ?? []
    })
  }
