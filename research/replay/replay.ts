// Replays a history up to a moment, to compute the ledger's facts of that time. Events are applied block by block,
// because the last row of a block may state the pool's reserve after it.
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import type { HistoryEvent, TokenHistory } from '../labels/history.ts'
import { createDays } from './day.ts'
import { MONTH_DAYS, newState, POOL_ID, type State, toFacts } from './replay-facts.ts'

/** Where a replay stops: it includes events up to `time` that are before the block `beforeBlock`. */
export interface Cut {
  time: number
  /** The first block that is left out; without it only `time` counts. */
  beforeBlock?: number
}

/** The facts at the cut, which applies to the opener's other tokens as well. */
export function replayToken(history: TokenHistory, cut: Cut): TokenFacts {
  const { state, days, block } = replayState(history, cut)
  const opened = history.siblings.map((sibling) => replayState(sibling, cut).state)
  return toFacts(history, state, opened, days.recent(cut.time, MONTH_DAYS), { time: cut.time, block })
}

function replayState(history: TokenHistory, { time, beforeBlock = Number.POSITIVE_INFINITY }: Cut) {
  const seen = history.events.filter((event) => event.block < beforeBlock && event.time <= time)
  const state = newState()
  const days = createDays()
  for (const block of groupByBlock(seen)) applyBlock(history, state, days, block)
  return { state, days, block: seen.at(-1)?.block ?? 0 }
}

/** Groups events by block. */
function* groupByBlock(events: readonly HistoryEvent[]): Generator<HistoryEvent[]> {
  let group: HistoryEvent[] = []
  for (const event of events) {
    if (group.length > 0 && group[0]?.block !== event.block) {
      yield group
      group = []
    }
    group.push(event)
  }
  if (group.length > 0) yield group
}

function applyBlock(history: TokenHistory, state: State, days: ReturnType<typeof createDays>, block: HistoryEvent[]) {
  const settled = block.findLast((event) => event.type === 'reserve' || event.quoteAfter !== null)
  for (const event of block) {
    if (event.type === 'share_transfer') moveShares(history, state, event)
    else if (event.type !== 'reserve') applyEvent(state, days, event, mintedTo(history, block, event))
    else setReserve(state, days, event.time, event.quote)
  }
  if (!settled) return
  setReserve(
    state,
    days,
    settled.time,
    settled.type === 'reserve' ? settled.quote : (settled.quoteAfter ?? state.quote),
  )
  state.liquidityUsd = 2 * state.quote * history.quoteUsd(settled.time)
  state.peakUsd = Math.max(state.peakUsd, state.liquidityUsd)
}

function applyEvent(
  state: State,
  days: ReturnType<typeof createDays>,
  event: HistoryEvent,
  owner: number | null,
): void {
  const { type, quote, time } = event
  const isIn = type === 'liquidity_add' || event.direction === 'buy'
  const after = event.quoteAfter ?? Math.max(0, state.quote + (isIn ? quote : -quote))
  if (event.wallet !== null) state.active.add(event.wallet)
  if (type === 'swap') {
    state.counts.swap++
    const { wallet: walletId, direction, quantity, amountUsd, block } = event
    if (direction) state.swaps.push({ walletId, poolId: POOL_ID, direction, quantity, amountUsd, time, block })
  } else if (type === 'liquidity_add') {
    state.counts.add++
    state.firstAddAt ??= time
    state.openingQuote ??= quote
    if (owner !== null) state.added.add(owner)
    if (event.wallet !== null && event.shares > 0) changeShares(state, event.wallet, event.shares, time)
  } else {
    state.counts.remove++
    if (event.wallet !== null && event.shares > 0) changeShares(state, event.wallet, -event.shares, time)
    days.remove(time, state.quote, Math.min(1, state.quote > 0 ? quote / state.quote : 0))
  }
  setReserve(state, days, time, after)
}

/**
 * The receiver of an addition's shares: its wallet if the file names it, else the recipient of the block's last minted
 * shares.
 */
function mintedTo({ burnAddresses }: TokenHistory, block: readonly HistoryEvent[], event: HistoryEvent): number | null {
  if (event.wallet !== null) return event.wallet
  const minted = block.findLast(
    ({ type, wallet, recipient }) =>
      type === 'share_transfer' &&
      wallet !== null &&
      burnAddresses.has(wallet) &&
      !burnAddresses.has(recipient ?? wallet),
  )
  return minted?.recipient ?? null
}

/** Shares are minted from the zero address, and burned when the pool sends them to it. If anyone else sends shares to it, they stay there for good. */
function moveShares({ burnAddresses, pool }: TokenHistory, state: State, event: HistoryEvent): void {
  const { wallet, recipient, shares, time } = event
  const isMint = wallet !== null && burnAddresses.has(wallet)
  if (wallet !== null && !isMint) changeShares(state, wallet, -shares, time)
  if (wallet !== null && !isMint && wallet !== pool) state.active.add(wallet)
  const isTakenBack = wallet === pool && recipient !== null && burnAddresses.has(recipient)
  if (recipient !== null && !isTakenBack) changeShares(state, recipient, shares, time)
}

function changeShares(state: State, wallet: number, change: number, time: number): void {
  const share = state.shares.get(wallet)
  state.shares.set(wallet, { balance: Math.max(0, (share?.balance ?? 0) + change), since: time })
}

function setReserve(state: State, days: ReturnType<typeof createDays>, time: number, quote: number): void {
  days.settle(time, state.quote, quote)
  state.quote = quote
}

/** The facts at the end of the time for which the file is complete. */
export const replayToEnd = (history: TokenHistory): TokenFacts => replayToken(history, { time: history.completeUntil })
