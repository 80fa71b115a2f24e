// Computes the ledger's facts from a replay's state, within the same bounds. Facts that a file does not have are null.
// An address that only ever received shares counts as a contract, because a locker looks like that.
import { DAY_SECONDS } from '../../src/base/time.ts'
import type { WalletKind } from '../../src/base/vocabulary.ts'
import {
  type HourFacts,
  type OpenerFacts,
  type PoolFacts,
  type ProviderFacts,
  type SwapFacts,
  type TokenFacts,
  toFactsBlock,
} from '../../src/ledger/facts/facts.ts'
import { OPENER } from '../../src/scoring/weights.ts'
import type { TokenHistory } from '../labels/history.ts'

/** The same bounds as in the ledger's facts. */
const MAX_SWAPS = 2_000
const MAX_PROVIDERS = 20
const WEEK_SECONDS = 7 * DAY_SECONDS
export const MONTH_DAYS = 31
/** A history has one pool only. */
export const POOL_ID = 1

interface Share {
  balance: number
  since: number
}

/** The facts about a token after the events so far. */
export interface State {
  shares: Map<number, Share>
  added: Set<number>
  /** Wallets that did more than receive shares. */
  active: Set<number>
  quote: number
  peakUsd: number
  liquidityUsd: number
  swaps: SwapFacts[]
  counts: { swap: number; add: number; remove: number }
  firstAddAt: number | null
  openingQuote: number | null
}

/** The state before the first event. */
export const newState = (): State => ({
  shares: new Map(),
  added: new Set(),
  active: new Set(),
  quote: 0,
  peakUsd: 0,
  liquidityUsd: 0,
  swaps: [],
  counts: { swap: 0, add: 0, remove: 0 },
  firstAddAt: null,
  openingQuote: null,
})

/** The facts of a state. `siblings` are the states of the opener's other tokens at the same time. */
export function toFacts(
  history: TokenHistory,
  state: State,
  siblings: readonly State[],
  days: PoolFacts['days'],
  now: { time: number; block: number },
): TokenFacts {
  const block = toFactsBlock(now.block, now.time)
  const week = state.swaps.filter((swap) => swap.time > block.hourTime - WEEK_SECONDS)
  const last = state.swaps.findLast((swap) => swap.quantity > 0)
  return {
    id: 1,
    chainId: history.chainId,
    block,
    name: '',
    symbol: '',
    launchpad: 'unknown',
    isQuote: false,
    partial: false,
    createdAt: history.createdAt,
    firstLiquidityAt: state.firstAddAt,
    circulating: null,
    burnedShare: null,
    priceUsd: last ? last.amountUsd / last.quantity : null,
    marketCapUsd: null,
    liquidityUsd: state.liquidityUsd,
    peakLiquidityUsd: state.peakUsd,
    volume24hUsd: week.reduce((sum, swap) => (swap.time > now.time - DAY_SECONDS ? sum + swap.amountUsd : sum), 0),
    holderCount: null,
    fundedHolderCount: null,
    fundedHolderCount1hAgo: null,
    buyerCount: null,
    swapCount: state.counts.swap,
    liquidityAddCount: state.counts.add,
    liquidityRemoveCount: state.counts.remove,
    transferCount: null,
    pools: [toPool(history, state, siblings, days)],
    holders: null,
    traders: [],
    swaps: week.slice(-MAX_SWAPS),
    hours: listHours(week),
    links: null,
    contract: null,
    deployerRecord: null,
    launch: null,
    previous: null,
  }
}

function toPool(history: TokenHistory, state: State, siblings: readonly State[], days: PoolFacts['days']): PoolFacts {
  const { all, largest } = listProviders(history, state)
  return {
    id: POOL_ID,
    kind: 'v2',
    createdAt: history.createdAt,
    liquidityUsd: state.liquidityUsd,
    peakLiquidityUsd: state.peakUsd,
    quoteReserve: state.quote,
    providerCount: all,
    providers: largest,
    days,
    openingQuote: state.openingQuote,
    opener: state.openingQuote === null ? null : toOpener(siblings),
  }
}

function toOpener(siblings: readonly State[]): OpenerFacts {
  const opened = siblings.filter((sibling) => sibling.firstAddAt !== null)
  const newest = opened.sort((a, b) => (b.firstAddAt ?? 0) - (a.firstAddAt ?? 0)).slice(0, OPENER.pools)
  const emptied = newest.filter(({ liquidityUsd, peakUsd }) => liquidityUsd < OPENER.emptiedShare * peakUsd)
  return { poolCount: newest.length, emptiedCount: emptied.length }
}

function listProviders(history: TokenHistory, state: State): { all: number | null; largest: ProviderFacts[] | null } {
  // Some files do not name the provider. Then the wallets that can withdraw are unknown.
  if (state.counts.add > 0 && state.shares.size === 0) return { all: null, largest: null }
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
      locks: [],
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
  return [...closes].map(([hour, closeUsd]) => ({ hour, closeUsd, isTraded: true }))
}
