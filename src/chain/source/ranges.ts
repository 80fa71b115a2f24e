// The number of blocks to ask for at once. Input: the size of the last request and its outcome. Output: the next size.
// It grows while answers are small, shrinks when a provider refuses, and never exceeds a width refused as too wide.
import type { RpcHint } from '../rpc/error.ts'

export interface RangeState {
  /** Number of blocks to ask for next. */
  size: number
  /** The widest range that the provider accepts, once known. It never rises again. */
  cap: number
  /** The factor by which the size grows after a success; default 2. */
  growth?: number
}

/** Logs per answer to aim for: many enough for bulk reading, few enough that several answers fit into memory. */
export const TARGET_LOGS = 5_000
/** Small, because the number of logs per block is not known yet. */
const FIRST_SIZE = 8
/** A wider range saves nothing, because each block is also read on its own beside its logs. */
const WIDEST = 2_000
/** Growth per success: slow enough that the first answer that is too large is only slightly too large. */
const GROWTH = 2
/** Growth after a refusal in unknown words: the next refusal comes many requests later. */
const CAUTIOUS_GROWTH = 1.1

export const firstRange = (size = FIRST_SIZE): RangeState => ({ size, cap: WIDEST })

const clamp = (size: number, cap: number): number => Math.max(1, Math.min(Math.floor(size), cap))

/**
 * After a success: grows, but not past the size that holds the target of items (logs, transactions) at this density.
 */
export function growRange(state: RangeState, blocks: number, items: number, target = TARGET_LOGS): RangeState {
  const fitting = items > 0 ? (blocks * target) / items : Number.POSITIVE_INFINITY
  const grown = blocks < state.size ? state.size : Math.ceil(state.size * (state.growth ?? GROWTH))
  return { ...state, size: clamp(Math.min(grown, fitting), state.cap) }
}

/** After a refusal of `blocks` blocks: the size in the provider's hint if it is usable, else half. */
export function shrinkRange(
  state: RangeState,
  kind: 'range' | 'size' | 'unknown',
  from: number,
  blocks: number,
  hint: RpcHint,
): RangeState {
  const half = Math.max(1, Math.floor(blocks / 2))
  if (kind === 'range') {
    const told = hint.maxBlocks ?? (hint.range?.from === from ? hint.range.to - from + 1 : undefined)
    const isUseful = told !== undefined && told >= 1 && told < blocks
    const cap = Math.min(state.cap, isUseful ? told : Math.max(1, blocks - 1))
    return { ...state, size: clamp(isUseful ? told : half, cap), cap }
  }
  if (kind === 'unknown') return { ...state, size: half, growth: CAUTIOUS_GROWTH }
  const fits = hint.range?.from === from ? hint.range.to - from + 1 : 0
  return { ...state, size: clamp(fits >= 1 && fits < blocks ? fits : half, state.cap) }
}
