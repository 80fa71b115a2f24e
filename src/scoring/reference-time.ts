// A token's facts -> the time that the ages among the inputs of the risk run to. It moves with the newest event, then
// in few steps. A score is therefore the same at every block of a step, and a token is due again at each step.
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { QUIET_STEPS } from './weights.ts'

/** In seconds since 1970: the newest event, later by the last step of quiet that is over; after an hour of quiet the block's hour. */
export function referenceTime(facts: TokenFacts): number {
  const event = newestEvent(facts)
  const quiet = facts.block.time - event
  return Math.max(facts.block.hourTime, event + (QUIET_STEPS.findLast((step) => step <= quiet) ?? 0))
}

/** When the next step of quiet ends; null after the last. */
export function nextQuietStep(facts: TokenFacts): number | null {
  const event = newestEvent(facts)
  const step = QUIET_STEPS.find((seconds) => seconds > facts.block.time - event)
  return step === undefined ? null : event + step
}

const newestEvent = ({ swaps, pools, createdAt }: TokenFacts): number =>
  Math.max(
    createdAt,
    swaps.at(-1)?.time ?? 0,
    ...pools.flatMap((pool) => (pool.providers ?? []).map((provider) => provider.since)),
  )
