// How many blocks to ask for at once. Comes in: what was asked and what came of it; goes out: the next size. It grows while
// answers are small, shrinks when a provider refuses, and never again exceeds a width that was refused for being wide.
import type { RpcHint } from '../rpc/error.ts'

export interface RangeState {
  /** Blocks to ask for next. */
  size: number
  /** Widest range that the provider takes, once learnt; for good. */
  cap: number
}

/** Logs that one answer should hold: large enough for bulk, small enough that several fit into memory. */
export const TARGET_LOGS = 5_000
/** Small, because nothing is known yet of how full the blocks are. */
const FIRST_SIZE = 8
/** Wider saves nothing: blocks are read one by one beside their logs. */
const WIDEST = 2_000
/** Slow enough to notice the first too-large answer without overshooting by much. */
const GROWTH = 2

export const firstRange = (size = FIRST_SIZE): RangeState => ({ size, cap: WIDEST })

const clamp = (size: number, cap: number): number => Math.max(1, Math.min(Math.floor(size), cap))

/** After a success: grows, but not beyond what would hold the target of items (logs, transactions) at the density just seen. */
export function growRange(state: RangeState, blocks: number, items: number, target = TARGET_LOGS): RangeState {
  const fitting = items > 0 ? (blocks * target) / items : Number.POSITIVE_INFINITY
  const grown = blocks < state.size ? state.size : state.size * GROWTH
  return { ...state, size: clamp(Math.min(grown, fitting), state.cap) }
}

/** After a refusal of `blocks` blocks: by the provider's hint where it makes sense, else half. */
export function shrinkRange(
  state: RangeState,
  kind: 'range' | 'size',
  from: number,
  blocks: number,
  hint: RpcHint,
): RangeState {
  const half = Math.max(1, Math.floor(blocks / 2))
  if (kind === 'range') {
    const told = hint.maxBlocks ?? (hint.range?.from === from ? hint.range.to - from + 1 : undefined)
    const isUseful = told !== undefined && told >= 1 && told < blocks
    const cap = Math.min(state.cap, isUseful ? told : Math.max(1, blocks - 1))
    return { size: clamp(isUseful ? told : half, cap), cap }
  }
  const fits = hint.range?.from === from ? hint.range.to - from + 1 : 0
  return { ...state, size: clamp(fits >= 1 && fits < blocks ? fits : half, state.cap) }
}
