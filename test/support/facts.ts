// Facts of an ordinary token and wallet; a test states only what differs.
import {
  type ContractFacts,
  type HolderFacts,
  type PoolFacts,
  type SwapFacts,
  type TokenFacts,
  toFactsBlock,
  type WalletFacts,
  type WalletSwapFacts,
} from '../../src/ledger/facts/facts.ts'
import type { SafetyFinding } from '../../src/safety/report.ts'

/** The hour of the fixtures' block, in seconds since 1970. */
export const NOW = Date.UTC(2026, 0, 15, 10) / 1_000
export const DAY = 86_400

export const holder = (id: number, share: number, more: Partial<HolderFacts> = {}): HolderFacts => ({
  id,
  kind: 'account',
  firstSeenAt: NOW - 90 * DAY,
  firstFunderId: null,
  reputation: null,
  confidence: null,
  classification: null,
  balance: share * 1_000_000,
  share,
  weekAgo: share * 1_000_000,
  buyRank: null,
  firstBuyAt: null,
  ...more,
})

export const pool = (more: Partial<PoolFacts> = {}): PoolFacts => ({
  id: 1,
  kind: 'v2',
  createdAt: NOW - 60 * DAY,
  liquidityUsd: 50_000,
  peakLiquidityUsd: 50_000,
  quoteReserve: 10,
  providerCount: 5,
  providers: [1, 2, 3, 4, 5].map((id) => ({
    id,
    kind: 'account',
    share: 0.2,
    since: NOW - 50 * DAY,
    locks: [],
    hasAdded: null,
  })),
  days: [],
  openingQuote: null,
  opener: null,
  ...more,
})

export const swap = (more: Partial<SwapFacts> = {}): SwapFacts => ({
  walletId: 1,
  poolId: 1,
  direction: 'buy',
  quantity: 10,
  amountUsd: 100,
  time: NOW - 3_600,
  block: 100,
  ...more,
})

/** A launch without any known fact. */
const NO_LAUNCH = {
  ...{ tokenId: 1, openedAt: null, isMoney: false, hasFirstEvents: true, hasDeployer: false },
  ...{ seenSince: null, circulating: null, wallets: [] },
}

/** The part of a deployer's record that its funder's wallets have: nothing. */
export const NO_KIN = { funderTokens: 0, funderPulled: 0 } as const

/** A contract that was checked, with these findings alone. */
export const contractFacts = (findings: readonly Pick<SafetyFinding, 'name' | 'strength'>[]): ContractFacts => ({
  ...cleanContract,
  findings: findings.map((one) => ({ numbers: {}, power: null, call: null, ...one })),
})

/** A contract that was checked, and in which nothing was found. */
const cleanContract: ContractFacts = {
  checkedAt: NOW - 3_600,
  complete: true,
  powers: [],
  findings: [],
  sellCheck: {
    status: 'checked',
    sellable: true,
    buyable: true,
    buyTaxPct: 0,
    sellTaxPct: 0,
    measuredSellTaxPct: 0,
    holdersTried: 8,
    holdersBlocked: 0,
    checkedBlock: 1_000,
    method: 'simulation',
    reason: null,
    refusal: '',
    call: null,
  },
}

export const token = (more: Partial<TokenFacts> = {}): TokenFacts => ({
  id: 1,
  chainId: 1,
  block: toFactsBlock(1_000, NOW),
  name: 'Plain',
  symbol: 'PLN',
  launchpad: 'uniswap_v2',
  isQuote: false,
  partial: false,
  createdAt: NOW - 60 * DAY,
  firstLiquidityAt: NOW - 60 * DAY,
  circulating: 1_000_000,
  burnedShare: 0,
  priceUsd: 0.1,
  marketCapUsd: 100_000,
  liquidityUsd: 50_000,
  peakLiquidityUsd: 50_000,
  volume24hUsd: 1_000,
  holderCount: 40,
  fundedHolderCount: 40,
  fundedHolderCount1hAgo: 40,
  buyerCount: 60,
  swapCount: 500,
  liquidityAddCount: 5,
  liquidityRemoveCount: 0,
  transferCount: 100,
  pools: [pool()],
  holders: Array.from({ length: 40 }, (_, at) => holder(at + 1, 0.02)),
  traders: [],
  swaps: [],
  hours: [],
  links: [],
  contract: cleanContract,
  deployerRecord: null,
  launch: { ...NO_LAUNCH },
  previous: null,
  ...more,
})

export const walletSwap = (more: Partial<WalletSwapFacts> = {}): WalletSwapFacts => ({
  tokenId: 1,
  poolId: 1,
  direction: 'buy',
  quantity: 100,
  amountUsd: 100,
  time: NOW - 10 * DAY,
  block: 100,
  sector: 'uniswap_v2',
  aboveShare3d: null,
  ...more,
})

export const wallet = (more: Partial<WalletFacts> = {}): WalletFacts => ({
  id: 1,
  block: toFactsBlock(1_000, NOW),
  kind: 'account',
  firstSeenAt: NOW - 90 * DAY,
  firstFunderId: null,
  eventCount: 10,
  swapCount: 8,
  liquidityAddCount: 0,
  liquidityRemoveCount: 0,
  transferCount: 2,
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
  closedCount: 0,
  winCount: 0,
  exitCount: 0,
  exitWinCount: 0,
  maxDrawdownUsd: 0,
  closedTokenCount: 0,
  boughtTokenCount: 0,
  earlyBuyCount: 0,
  snipeCount: 0,
  deployedCount: 0,
  relayedCount: 0,
  pulledCount: 0,
  dumpedCount: 0,
  washedTokenIds: [],
  changed: { number: 1_000, time: NOW },
  lastTradeAt: null,
  weekCount: 0,
  profitableWeekCount: 0,
  holdingsUsd: 0,
  largestShare: null,
  swaps: [],
  ...more,
})
