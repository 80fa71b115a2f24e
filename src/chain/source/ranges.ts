// The number of blocks to ask for at once. Input: the size of the last request and its outcome. Output: the next size.
// It grows while answers are small, and shrinks when a provider refuses. A width refused as too wide is tried again
// rarely: one false refusal does not slow an index until its next start.
import { isPassing, type RpcError, type RpcHint } from '../rpc/error.ts'

export interface RangeState {
  /** Number of blocks to ask for next. */
  size: number
  /** The widest range that the provider accepts, once known. */
  cap: number
  /** Answers since the cap was learnt. Absent: no cap is learnt. */
  held?: number
  /** Answers after which a wider range is tried; default `PATIENCE`. Each try doubles it. */
  patience?: number
  /** The factor by which the size grows after a success; default 2. */
  growth?: number
  /** The most blocks to ask for; default `WIDEST`. */
  widest?: number
}

/** Logs per answer to aim for: many enough for bulk reading, few enough that several answers fit into memory. */
export const TARGET_LOGS = 5_000
/** Small, because the number of logs per block is not known yet. */
const FIRST_SIZE = 8
/** A wider range saves nothing where each block is also read on its own beside its logs. */
const WIDEST = 2_000
/** Growth per success: slow enough that the first answer that is too large is only slightly too large. */
const GROWTH = 2
/** Growth after a refusal in unknown words: the next refusal comes many requests later. */
const CAUTIOUS_GROWTH = 1.1

/** Answers at a learnt cap before the first try of a wider range. */
export const PATIENCE = 64

export const firstRange = (size = FIRST_SIZE, widest = WIDEST): RangeState => ({ size, cap: widest, widest })

const clamp = (size: number, cap: number): number => Math.max(1, Math.min(Math.floor(size), cap))

/**
 * After a success: grows, but not past the size that holds the target of items (logs, transactions) at this density.
 */
export function growRange(state: RangeState, blocks: number, items: number, target = TARGET_LOGS): RangeState {
  const fitting = items > 0 ? (blocks * target) / items : Number.POSITIVE_INFINITY
  const grown = blocks < state.size ? state.size : Math.ceil(state.size * (state.growth ?? GROWTH))
  const next = hold(state, blocks)
  return { ...next, size: clamp(Math.min(grown, fitting), next.cap) }
}

/** Counts an answer as wide as a learnt cap. After enough of them the cap doubles, and the next try waits twice as long. */
function hold(state: RangeState, blocks: number): RangeState {
  const { cap, held, patience = PATIENCE, widest = WIDEST } = state
  if (held === undefined || blocks < cap) return state
  if (held + 1 < patience) return { ...state, held: held + 1 }
  return { ...state, cap: Math.min(widest, cap * 2), held: 0, patience: patience * 2 }
}

/** What a fault says about the width of a range. An endpoint that fails or limits requests may have meant the answer. */
export function refusalOf(error: RpcError): 'range' | 'size' | 'unknown' {
  if (error.kind === 'range' || error.kind === 'size') return error.kind
  return isPassing(error) ? 'size' : 'unknown'
}

/** After a refusal of `blocks` blocks: the size in the provider's hint if it is usable, else half. */
export function shrinkRange(
  state: RangeState,
  kind: ReturnType<typeof refusalOf>,
  from: number,
  blocks: number,
  hint: RpcHint,
): RangeState {
  const half = Math.max(1, Math.floor(blocks / 2))
  if (kind === 'range') {
    const told = hint.maxBlocks ?? (hint.range?.from === from ? hint.range.to - from + 1 : undefined)
    const isUseful = told !== undefined && told >= 1 && told < blocks
    const cap = Math.min(state.cap, isUseful ? told : Math.max(1, blocks - 1))
    return { ...state, size: clamp(isUseful ? told : half, cap), cap, held: 0 }
  }
  if (kind === 'unknown') return { ...state, size: half, growth: CAUTIOUS_GROWTH }
  const fits = hint.range?.from === from ? hint.range.to - from + 1 : 0
  return { ...state, size: clamp(fits >= 1 && fits < blocks ? fits : half, state.cap) }
}
