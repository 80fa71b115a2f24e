// Days of the chain: scores are stored at the last block of each day, so that their history does not depend on the
// batches.
import { dayOf } from '../base/clock.ts'
import type { ChainBlock, Step } from '../chain/event.ts'

/** The blocks by day, in order. */
export function splitDays(blocks: readonly ChainBlock[]): ChainBlock[][] {
  const days: ChainBlock[][] = []
  for (const block of blocks) {
    const last = days.at(-1)?.at(-1)
    if (last && dayOf(block.time) <= dayOf(last.time)) days.at(-1)?.push(block)
    else days.push([block])
  }
  return days
}

/** The steps, split so that none appends blocks of two days. */
export async function* byDay(steps: AsyncIterable<Step>): AsyncGenerator<Step> {
  for await (const step of steps) {
    if (step.kind === 'append' && step.blocks.length > 0)
      for (const blocks of splitDays(step.blocks)) yield { ...step, blocks }
    else yield step
  }
}

/** The time of the last block of a step; null if it appends none. */
export const timeOf = (step: Step): number | null =>
  step.kind === 'append' ? (step.blocks.at(-1)?.time ?? null) : null

/** Whether a step begins another day than that of the previous time, in seconds since 1970; null: there is none. */
export function beginsDay(step: Step, before: number | null): boolean {
  const first = step.kind === 'append' ? step.blocks[0] : undefined
  return first !== undefined && before !== null && dayOf(first.time) > dayOf(before)
}
