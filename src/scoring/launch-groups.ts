// The launch groups of a token: who was there when it opened. Each has what it holds now, what it held at its peak, what
// it sold, and the profit of that. Pure: the same facts give the same groups in any order of wallets.
import { keysOf, recordOf } from '../base/keys-of.ts'
import { pushTo } from '../base/push-to.ts'
import { HOUR_SECONDS } from '../base/time.ts'
import type { ScoredNumber } from '../fields/token.ts'
import {
  LAUNCH_GROUPS,
  type LaunchFacts,
  type LaunchGroupName,
  type LaunchHolder,
  type LaunchHolders,
  type LaunchMove,
  type LaunchWalletFacts,
} from '../ledger/launch-groups.ts'
import { costCoverage } from './pnl.ts'
import { round, sum } from './ramp.ts'
import { findClusters, groupClusters } from './sybil.ts'
import { FIRST_BUYS, LAUNCH, SYBIL } from './weights.ts'

/** Why a group, or a number of it, is not known. */
export const LAUNCH_UNKNOWNS = [
  'money',
  'opening_unknown',
  'events_removed',
  'deployer_unknown',
  'wallet_ages_unknown',
  'supply_unknown',
  'too_many_events',
  'events_differ',
  'supply_shrank',
] as const
export type LaunchUnknown = (typeof LAUNCH_UNKNOWNS)[number]

const SECONDS = FIRST_BUYS.snipe.seconds
const LAUNCH_HOURS = FIRST_BUYS.early.seconds / HOUR_SECONDS
const FRESH_HOURS = SYBIL.fresh.seconds / HOUR_SECONDS

/** Who belongs to each group, in words. */
export const LAUNCH_DEFINITIONS: Record<LaunchGroupName, string> = {
  snipers: `First bought within ${SECONDS} seconds of the first liquidity.`,
  bundlers: `At least ${LAUNCH.bundle} wallets that first bought in one block, or in blocks of one second, within ${LAUNCH_HOURS} hours of the first liquidity, and that one wallet funded first; it counts if it bought too.`,
  insiders:
    'Held the token, and linked to the deployer or to the opener of its first pool: that opener itself, a wallet that either funded first or sent to, their first funder, or a wallet of the same first funder.',
  developer: 'The deployer of the token.',
  fresh: `First bought within ${LAUNCH_HOURS} hours of the first liquidity, and less than ${FRESH_HOURS} hours after the index saw the wallet first.`,
}

/** A wallet of a group. */
export interface LaunchMember {
  wallet: LaunchWalletFacts
  /** Percent of the supply without burned tokens; null: the supply is unknown. */
  heldPct: number | null
  /** Of the sales with a known cost; null: it sold, and no sale has one. */
  realisedUsd: number | null
}

/** A group. Every number is null where it cannot be known. */
export interface LaunchGroup {
  name: LaunchGroupName
  /** Why its wallets, or its peak and the share that it sold, are unknown; empty: all is known. */
  unknown: LaunchUnknown[]
  /** The largest holders first, then the largest sellers. Null: unknown. */
  members: LaunchMember[] | null
  heldPct: number | null
  /** The most that the group held together at the end of a block from the opening on, and when first. */
  peakPct: number | null
  peakAt: number | null
  soldPct: number | null
  soldUsd: number | null
  /** Of the sales with a known cost; null also if no sale has one. */
  realisedUsd: number | null
  /** The share of `soldUsd` with a known cost, 0-1; 1 without sales. */
  coverage: number | null
}

export interface LaunchGroups {
  openedAt: number | null
  groups: LaunchGroup[]
}

/** All groups, in the order of `LAUNCH_GROUPS`. */
export function measureLaunch(facts: LaunchFacts): LaunchGroups {
  const movesOf = groupBy(facts.moves, ({ walletId }) => walletId)
  return {
    openedAt: facts.openedAt,
    groups: LAUNCH_GROUPS.map((name) => {
      const unknown = whyUnknown(facts, name)
      if (unknown) return { ...NOTHING, name, unknown: [unknown] }
      return measureGroup(facts, movesOf, name, RULES[name](facts))
    }),
  }
}

/** The column of each group's share, which a score writes. */
const SHARES = {
  sniperHeldPct: 'snipers',
  bundlerHeldPct: 'bundlers',
  insiderHeldPct: 'insiders',
  developerHeldPct: 'developer',
  freshHeldPct: 'fresh',
} as const satisfies Record<ScoredNumber, LaunchGroupName>

/** What each group holds, in percent of the supply, to two decimals; null: unknown. */
export const measureShares = (facts: LaunchHolders): Record<ScoredNumber, number | null> =>
  recordOf(keysOf(SHARES), (column) => {
    const name = SHARES[column]
    const held = whyUnknown(facts, name) ? null : toHeldPct(facts, sumBalances(RULES[name](facts)))
    return held === null ? null : round(held)
  })

const sumBalances = (wallets: readonly LaunchHolder[]): number => sum(wallets.map(({ balance }) => balance))

/** Null: the supply is unknown. */
const toHeldPct = ({ circulating }: LaunchHolders, quantity: number): number | null =>
  circulating === null ? null : Math.min(100, (100 * quantity) / circulating)

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) pushTo(groups, keyOf(item), item)
  return groups
}

const NOTHING = {
  members: null,
  heldPct: null,
  peakPct: null,
  peakAt: null,
  soldPct: null,
  soldUsd: null,
  realisedUsd: null,
  coverage: null,
} as const

/** Why nobody can say who is in the group; null: it is known. */
function whyUnknown(facts: LaunchHolders, name: LaunchGroupName): LaunchUnknown | null {
  const { isMoney, openedAt, hasFirstEvents, hasDeployer, seenSince } = facts
  if (isMoney) return 'money'
  if (openedAt === null) return 'opening_unknown'
  const isByMaker = name === 'developer' || name === 'insiders'
  if (isByMaker) return hasDeployer ? null : 'deployer_unknown'
  if (!hasFirstEvents) return 'events_removed'
  return name === 'fresh' && seenSince !== null && openedAt - seenSince < SYBIL.fresh.seconds
    ? 'wallet_ages_unknown'
    : null
}

type Rule = <Wallet extends LaunchHolder>(facts: LaunchHolders<Wallet>) => Wallet[]

type Buyer<Wallet> = Wallet & { firstBuyAt: number }

/** Whoever bought during the launch, without the developer. */
const listBuyers = <Wallet extends LaunchHolder>({ wallets }: LaunchHolders<Wallet>): Buyer<Wallet>[] =>
  wallets.filter((wallet): wallet is Buyer<Wallet> => wallet.firstBuyAt !== null && !wallet.isDeveloper)

/** Who belongs to each group. */
const RULES: Record<LaunchGroupName, Rule> = {
  snipers: (facts) =>
    listBuyers(facts).filter(({ firstBuyAt }) => firstBuyAt - (facts.openedAt ?? 0) <= FIRST_BUYS.snipe.seconds),
  bundlers: (facts) => findBundles(listBuyers(facts)),
  insiders: ({ wallets }) => wallets.filter(({ isInsider, isDeveloper }) => isInsider && !isDeveloper),
  developer: ({ wallets }) => wallets.filter(({ isDeveloper }) => isDeveloper),
  fresh: (facts) =>
    listBuyers(facts).filter(({ firstBuyAt, firstSeenAt }) => firstBuyAt - firstSeenAt < SYBIL.fresh.seconds),
}

/** The buyers of one second, and so of one block, that one wallet funded first; itself among them if it bought too. */
function findBundles<Wallet extends LaunchHolder>(buyers: readonly Wallet[]): Wallet[] {
  const bundles = [...groupBy(buyers, ({ firstBuyAt }) => firstBuyAt).values()].flatMap((together) => {
    const bought = new Map(together.map((wallet) => [wallet.walletId, wallet]))
    const edges = together.flatMap(({ walletId, funderId }) =>
      funderId === null ? [] : [[walletId, funderId] as const],
    )
    return [...groupClusters(findClusters(edges, { maxDegree: Number.POSITIVE_INFINITY })).values()]
      .map((ids) => ids.flatMap((id) => bought.get(id) ?? []))
      .filter((bundle) => bundle.length >= LAUNCH.bundle)
  })
  return bundles.flat()
}

function measureGroup(
  facts: LaunchFacts,
  movesOf: ReadonlyMap<number, readonly LaunchMove[]>,
  name: LaunchGroupName,
  wallets: readonly LaunchWalletFacts[],
): LaunchGroup {
  const { circulating } = facts
  const toPct = (quantity: number) => toHeldPct(facts, quantity)
  const fault = circulating === null ? 'supply_unknown' : findFault(facts, movesOf, wallets)
  const moves = wallets.flatMap(({ walletId }) => movesOf.get(walletId) ?? [])
  const held = fault ? null : findPeak(facts, wallets, moves)
  // Of tokens that were burned since, the supply of today says no share.
  const hasShrunk = held !== null && held.quantity > (1 + TOLERANCE) * (circulating ?? 0)
  const peak = hasShrunk ? null : held
  const sold = sum(moves.filter(({ isSale }) => isSale).map(({ change }) => -change))
  return {
    name,
    unknown: fault ? [fault] : hasShrunk ? ['supply_shrank'] : [],
    members: wallets.toSorted(byWeight).map((wallet) => ({
      wallet,
      heldPct: toPct(wallet.balance),
      realisedUsd: sumSales([wallet]).realisedUsd,
    })),
    heldPct: toPct(sumBalances(wallets)),
    peakPct: peak && toPct(peak.quantity),
    peakAt: peak?.time ?? null,
    soldPct: fault || circulating === null ? null : (100 * sold) / circulating,
    ...sumSales(wallets),
  }
}

/** What the sales of wallets brought. */
function sumSales(
  wallets: readonly LaunchWalletFacts[],
): Pick<LaunchGroup, 'realisedUsd'> & { soldUsd: number; coverage: number } {
  const soldUsd = sum(wallets.map((wallet) => wallet.soldUsd))
  const knownUsd = sum(wallets.map((wallet) => wallet.soldKnownUsd))
  return {
    soldUsd,
    realisedUsd: soldUsd > 0 && knownUsd <= 0 ? null : sum(wallets.map((wallet) => wallet.realisedUsd)),
    coverage: costCoverage(knownUsd, soldUsd),
  }
}

const byWeight = (a: LaunchWalletFacts, b: LaunchWalletFacts): number =>
  b.balance - a.balance || b.soldUsd - a.soldUsd || (a.address < b.address ? -1 : 1)

/** Of the amount that moved: more is no rounding. */
const TOLERANCE = 1e-9

/** What a wallet held before its first event, and how much may be rounding. */
function openingOf(wallet: LaunchWalletFacts, moves: readonly LaunchMove[]): { quantity: number; rounding: number } {
  const moved = sum(moves.map(({ change }) => Math.abs(change)))
  return {
    quantity: wallet.balance - sum(moves.map(({ change }) => change)),
    rounding: TOLERANCE * (moved + wallet.balance),
  }
}

/**
 * Why the events do not tell what each wallet held at each block; null: they do. They tell it if all of them were read,
 * and add up to what the wallet holds now. Only a wallet that held the token before it opened begins with something.
 */
function findFault(
  { openedAt, hasFirstEvents }: LaunchFacts,
  movesOf: ReadonlyMap<number, readonly LaunchMove[]>,
  wallets: readonly LaunchWalletFacts[],
): LaunchUnknown | null {
  if (!hasFirstEvents) return 'events_removed'
  for (const wallet of wallets) {
    const moves = movesOf.get(wallet.walletId) ?? []
    if (moves.length !== wallet.eventCount) return 'too_many_events'
    const { quantity, rounding } = openingOf(wallet, moves)
    const isOld = wallet.firstAt !== null && openedAt !== null && wallet.firstAt <= openedAt
    if (quantity < -rounding || (!isOld && quantity > rounding)) return 'events_differ'
  }
  return null
}

/** The most that the wallets held together at the end of a block from the opening on; the first of equal ones. */
function findPeak(
  { openedAt, openedBlock }: LaunchFacts,
  wallets: readonly LaunchWalletFacts[],
  moves: readonly LaunchMove[],
): { quantity: number; time: number | null } {
  const blocks = [...groupBy(moves, ({ block }) => block)].sort(([a], [b]) => a - b)
  const opening = sum(wallets.map((it) => it.balance)) - sum(moves.map(({ change }) => change))
  const first = openedBlock ?? Number.NEGATIVE_INFINITY
  let held = opening
  let peak: { quantity: number; time: number | null } | null = null
  for (const [block, inside] of blocks) {
    if (block > first && peak === null) peak = { quantity: held, time: openedAt }
    held += sum(inside.map(({ change }) => change))
    const time = inside[0]?.time ?? null
    if (block >= first && (peak === null || held > peak.quantity)) peak = { quantity: held, time }
  }
  peak ??= { quantity: held, time: openedAt }
  return peak.quantity > 0 ? peak : { quantity: 0, time: null }
}
