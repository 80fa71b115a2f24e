// A history up to a moment -> the facts that the ledger would hold then, within the same bounds. What the file does not
// say is null, as in production. An address that was only ever sent shares is taken for a contract: a lock looks like that.
import type { WalletKind } from '../../base/vocabulary.ts'
import type { HourFacts, PoolFacts, ProviderFacts, SwapFacts, TokenFacts } from '../../ledger/facts.ts'
import { createDays } from './day.ts'
import type { HistoryEvent, TokenHistory } from './history.ts'

/** The bounds of the ledger's facts. */
const MAX_SWAPS = 2_000
const MAX_PROVIDERS = 20
const WEEK_SECONDS = 7 * 86_400
const MONTH_DAYS = 31
const POOL_ID = 1

/** Up to when a history is seen: events of earlier blocks, not after `time`. */
export interface Cut {
  time: number
  /** First block that is not seen; none: `time` alone decides. */
  beforeBlock?: number
}

interface Share {
  balance: number
  since: number
}

interface State {
  shares: Map<number, Share>
  added: Set<number>
  /** Wallets that did more than to receive shares. */
  active: Set<number>
  quote: number
  peakUsd: number
  liquidityUsd: number
  swaps: SwapFacts[]
  counts: { swap: number; add: number; remove: number }
  firstAddAt: number | null
}

/** The facts as of the cut. */
export function replayToken(history: TokenHistory, cut: Cut): TokenFacts {
  const { time, beforeBlock = Number.POSITIVE_INFINITY } = cut
  const seen = history.events.filter((event) => event.block < beforeBlock && event.time <= time)
  const state: State = {
    shares: new Map(),
    added: new Set(),
    active: new Set(),
    quote: 0,
    peakUsd: 0,
    liquidityUsd: 0,
    swaps: [],
    counts: { swap: 0, add: 0, remove: 0 },
    firstAddAt: null,
  }
  const days = createDays()
  for (const block of groupByBlock(seen)) applyBlock(history, state, days, block)
  return toFacts(history, state, days.recent(time, MONTH_DAYS), { time, block: seen.at(-1)?.block ?? 0 })
}

/** Events of one block at a time: what a pool holds after it may be said by a row at its end. */
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
    if (owner !== null) state.added.add(owner)
    if (event.wallet !== null && event.shares > 0) changeShares(state, event.wallet, event.shares, time)
  } else {
    state.counts.remove++
    if (event.wallet !== null && event.shares > 0) changeShares(state, event.wallet, -event.shares, time)
    days.remove(time, state.quote, Math.min(1, state.quote > 0 ? quote / state.quote : 0))
  }
  setReserve(state, days, time, after)
}

/** Who got the shares of an addition: its wallet, else whom the block's last new shares went to. */
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

/** Shares come from the zero address and go back to it; what is sent to it from elsewhere is gone for good. */
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

function toFacts(
  history: TokenHistory,
  state: State,
  days: PoolFacts['days'],
  now: { time: number; block: number },
): TokenFacts {
  const hourTime = Math.floor(now.time / 3_600) * 3_600
  const week = state.swaps.filter((swap) => swap.time > hourTime - WEEK_SECONDS)
  const last = state.swaps.findLast((swap) => swap.quantity > 0)
  const { all, largest } = listProviders(history, state)
  const pool = {
    id: POOL_ID,
    kind: 'v2' as const,
    createdAt: history.createdAt,
    liquidityUsd: state.liquidityUsd,
    peakLiquidityUsd: state.peakUsd,
    quoteReserve: state.quote,
    providerCount: all,
    providers: largest,
    days,
  }
  return {
    id: 1,
    block: { number: now.block, hourTime },
    name: '',
    symbol: '',
    launchpad: 'unknown',
    partial: false,
    createdAt: history.createdAt,
    firstLiquidityAt: state.firstAddAt,
    circulating: null,
    burnedShare: null,
    priceUsd: last ? last.amountUsd / last.quantity : null,
    marketCapUsd: null,
    liquidityUsd: state.liquidityUsd,
    peakLiquidityUsd: state.peakUsd,
    volume24hUsd: week.reduce((sum, swap) => (swap.time > now.time - 86_400 ? sum + swap.amountUsd : sum), 0),
    holderCount: null,
    holderCount1hAgo: null,
    buyerCount: null,
    swapCount: state.counts.swap,
    liquidityAddCount: state.counts.add,
    liquidityRemoveCount: state.counts.remove,
    transferCount: null,
    pools: [pool],
    holders: null,
    traders: [],
    swaps: week.slice(-MAX_SWAPS),
    hours: listHours(week),
    links: null,
  }
}

function listProviders(history: TokenHistory, state: State): { all: number; largest: ProviderFacts[] } {
  const owners = [...state.shares].filter(([, { balance }]) => balance > 0)
  const supply = owners.reduce((sum, [, { balance }]) => sum + balance, 0)
  const largest = owners
    .sort(([a, x], [b, y]) => y.balance - x.balance || a - b)
    .slice(0, MAX_PROVIDERS)
    .map(([id, { balance, since }]) => ({
      id,
      kind: kindOf(history, state, id),
      share: balance / supply,
      hasAdded: state.added.has(id),
      since,
      lockedUntil: null,
    }))
  return { all: owners.length, largest }
}

function kindOf({ burnAddresses, pool }: TokenHistory, state: State, id: number): WalletKind {
  if (burnAddresses.has(id)) return 'burned'
  if (id === pool) return 'pool'
  return state.active.has(id) || state.added.has(id) ? 'account' : 'contract'
}

function listHours(swaps: readonly SwapFacts[]): HourFacts[] {
  const closes = new Map<number, number>()
  for (const { time, quantity, amountUsd } of swaps) {
    const at = Math.floor(time / 3_600)
    closes.set(at, quantity > 0 ? amountUsd / quantity : (closes.get(at) ?? 0))
  }
  return [...closes].map(([hour, closeUsd]) => ({ hour, closeUsd }))
}

/** The facts at the end of what the file tells in full. */
export const replayToEnd = (history: TokenHistory): TokenFacts => replayToken(history, { time: history.completeUntil })
