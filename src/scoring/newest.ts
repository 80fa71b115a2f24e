// A token's facts -> the time of the newest thing that happened to it, or the block's hour if that is later: what the
// ages of the inputs of the risk run to.
import type { TokenFacts } from '../ledger/facts/facts.ts'

/** In seconds since 1970. */
export const newestTime = ({ block, swaps, pools, createdAt }: TokenFacts): number =>
  Math.max(
    block.hourTime,
    createdAt,
    swaps.at(-1)?.time ?? 0,
    ...pools.flatMap((pool) => (pool.providers ?? []).map((provider) => provider.since)),
  )
