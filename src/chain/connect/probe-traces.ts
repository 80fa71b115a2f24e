// Finds out whether a provider traces blocks, so that payments inside transactions can be read. Input: questions to it,
// and the blocks to trace. Output: the method that an index would use, with the time and bytes of its answers, and
// whether it traces old blocks.
import type { Clock } from '../../base/clock.ts'
import { hexQuantity, readBlock } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import { TRACE_METHODS, type TraceMethod } from '../source/trace-answer.ts'
import type { AskProvider } from './probe-history.ts'

/** What a provider has of traces. */
export interface FoundTraces {
  method: string
  bytesPerBlock: number
  /** With the reading of the block itself. */
  secondsPerBlock: number
  /** Whether it also traces the oldest block that was asked for; null: that block cannot be read. */
  hasOld: boolean | null
}

/** The newest blocks that are traced for a measure. */
const SAMPLE = 4

/** Null: it traces no new block. */
export async function findTraces(
  ask: AskProvider,
  from: number,
  head: number,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<FoundTraces | null> {
  for (const method of TRACE_METHODS) {
    const startedMs = clock.monotonicMs()
    const sizes: number[] = []
    for (let number = head; number > Math.max(-1, head - SAMPLE); number--) {
      const size = await trace(ask, method, number)
      if (size !== null) sizes.push(size)
      else if (number === head) break
    }
    if (sizes.length === 0) continue
    return {
      method: method.method,
      bytesPerBlock: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      secondsPerBlock: (clock.monotonicMs() - startedMs) / 1_000 / sizes.length,
      hasOld: (await readFull(ask, from)) && (await trace(ask, method, from)) !== null,
    }
  }
  return null
}

/** The size of the traces of a block; null unless they are of this block. */
async function trace(ask: AskProvider, { method, params, read }: TraceMethod, number: number): Promise<number | null> {
  const block = await readFull(ask, number)
  const answer = block && (await ask(method, ...params(block)))
  if (!block || !answer || !isAnswered(answer) || !read(answer.result, block)) return null
  return JSON.stringify(answer.result).length
}

async function readFull(ask: AskProvider, number: number) {
  const answer = await ask('eth_getBlockByNumber', hexQuantity(number), true)
  return isAnswered(answer) ? readBlock(answer.result) : null
}
