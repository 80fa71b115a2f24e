// The time of a token's newest event, or the block's hour if that is later: the end of all ages in the risk's inputs.
import type { TokenFacts } from '../ledger/facts/facts.ts'

/** In seconds since 1970. */
export const newestTime = ({ block, swaps, pools, createdAt }: TokenFacts): number =>
  Math.max(
    block.hourTime,
    createdAt,
    swaps.at(-1)?.time ?? 0,
    ...pools.flatMap((pool) => (pool.providers ?? []).map((provider) => provider.since)),
  )
