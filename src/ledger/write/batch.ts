// Blocks in batches of bounded size, and a batch worked out without holding up the rest of the process.
import { setImmediate } from 'node:timers/promises'
import { applyBlock } from '../../book/apply.ts'
import type { Work } from '../../book/working-set.ts'
import type { ChainBlock } from '../../chain/event.ts'
import type { Batch } from './prefetch/batch.ts'

/** Logs of finalised blocks that are worked out at once at most: bounds the memory of a batch. */
const MAX_LOGS = 20_000

/** Logs that are applied before everything else in this process has its turn: about 5 ms. */
const BREATH_LOGS = 500

/** Logs of the blocks. */
export const countLogs = (blocks: readonly ChainBlock[]): number =>
  blocks.reduce((sum, { logs }) => sum + logs.length, 0)

/** Applies blocks, each with its transactions. */
export async function applyBlocks(
  work: Work,
  { blocks, transactions }: Pick<Batch, 'blocks' | 'transactions'>,
): Promise<void> {
  let logs = 0
  for (const [index, block] of blocks.entries()) {
    applyBlock(work, block, transactions[index] ?? [])
    logs += block.logs.length
    if (logs < BREATH_LOGS) continue
    await setImmediate()
    logs = 0
  }
}

/** Finalised blocks in batches of bounded size, then the others one by one. */
export function split(blocks: readonly ChainBlock[], finalized: number): ChainBlock[][] {
  const batches: ChainBlock[][] = []
  let logs = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    const current = batches.at(-1)
    if (current && block.number <= finalized && logs + block.logs.length <= MAX_LOGS) {
      current.push(block)
      logs += block.logs.length
    } else {
      batches.push([block])
      logs = block.number <= finalized ? block.logs.length : Number.POSITIVE_INFINITY
    }
  }
  return batches
}
