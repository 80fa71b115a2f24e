import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LaunchFacts, LaunchGroupName, LaunchMove, LaunchWalletFacts } from '../../src/ledger/launch-groups.ts'
import { LAUNCH_GROUPS } from '../../src/ledger/launch-groups.ts'
import { type LaunchGroup, measureLaunch } from '../../src/scoring/launch-groups.ts'

const OPENED = 1_000_000
const OPENED_BLOCK = 100
const DAY = 86_400

/** An old wallet that holds nothing and did not buy during the launch. */
const wallet = (walletId: number, more: Partial<LaunchWalletFacts> = {}): LaunchWalletFacts => ({
  ...{ walletId, address: `0x${String(walletId).padStart(40, '0')}`, firstSeenAt: OPENED - 30 * DAY, funderId: null },
  ...{ isDeveloper: false, isInsider: false, firstBuyAt: null, balance: 0, firstAt: null },
  ...{ eventCount: 0, boughtUsd: 0, soldUsd: 0, soldKnownUsd: 0, realisedUsd: 0 },
  ...more,
})

/** A wallet that first bought so many seconds after the opening. */
const buyer = (walletId: number, seconds: number, more: Partial<LaunchWalletFacts> = {}): LaunchWalletFacts =>
  wallet(walletId, {
    ...{ firstBuyAt: OPENED + seconds, firstAt: OPENED + seconds },
    ...more,
  })

const launch = (wallets: LaunchWalletFacts[], more: Partial<LaunchFacts> = {}): LaunchFacts => ({
  ...{ tokenId: 1, openedAt: OPENED, openedBlock: OPENED_BLOCK, isMoney: false, hasFirstEvents: true },
  ...{ hasDeployer: true, seenSince: null, circulating: 1_000, moves: [] },
  ...more,
  wallets,
})

const move = (walletId: number, seconds: number, change: number, isSale = false): LaunchMove => ({
  ...{ walletId, block: OPENED_BLOCK + seconds, time: OPENED + seconds, change, isSale },
})

/** Facts of wallets whose moves tell all that they did. */
function launchOf(wallets: LaunchWalletFacts[], moves: LaunchMove[], more: Partial<LaunchFacts> = {}): LaunchFacts {
  const told = wallets.map((each) => {
    const own = moves.filter(({ walletId }) => walletId === each.walletId)
    const moved = own.reduce((sum, { change }) => sum + change, 0)
    return { ...each, eventCount: own.length, balance: each.balance + moved }
  })
  return launch(told, { moves, ...more })
}

function groupOf(facts: LaunchFacts, name: LaunchGroupName): LaunchGroup {
  const found = measureLaunch(facts).groups.find((group) => group.name === name)
  if (!found) throw new Error(`no group ${name}`)
  return found
}

const idsOf = (facts: LaunchFacts, name: LaunchGroupName) =>
  groupOf(facts, name)
    .members?.map(({ wallet: { walletId } }) => walletId)
    .sort((a, b) => a - b)

test('a sniper first bought within sixty seconds of the first liquidity', () => {
  const wallets = [0, 1, 60, 61, 3_600].map((seconds, at) => buyer(at + 1, seconds))
  expect(idsOf(launch(wallets), 'snipers')).toEqual([1, 2, 3])
})

test('a bundle is three wallets or more that one wallet funded first, and that first bought in one second', () => {
  const funded = (id: number, seconds: number, funderId: number | null) => buyer(id, seconds, { funderId })
  const three = [1, 2, 3].map((id) => funded(id, 5, 99))
  expect(idsOf(launch(three), 'bundlers')).toEqual([1, 2, 3])
  expect(idsOf(launch(three.slice(1)), 'bundlers')).toEqual([])
  // The funder bought too, and a stranger did.
  expect(idsOf(launch([funded(99, 5, null), ...three.slice(1), funded(7, 5, 98)]), 'bundlers')).toEqual([2, 3, 99])
  // One of them a second later, or without a known funder.
  expect(idsOf(launch([...three.slice(1), funded(1, 6, 99)]), 'bundlers')).toEqual([])
  expect(idsOf(launch([...three.slice(1), funded(1, 5, null)]), 'bundlers')).toEqual([])
})

test('a fresh wallet was first seen less than a day before its first buy', () => {
  const seen = (id: number, before: number) => buyer(id, 600, { firstSeenAt: OPENED + 600 - before })
  expect(idsOf(launch([seen(1, 0), seen(2, DAY - 1), seen(3, DAY), seen(4, 30 * DAY)]), 'fresh')).toEqual([1, 2])
})

test('the developer is in no other group, and an insider may be a sniper too', () => {
  const developer = buyer(1, 0, { isDeveloper: true, isInsider: true, firstSeenAt: OPENED })
  const insider = buyer(2, 0, { isInsider: true })
  const facts = launch([developer, insider])
  const named = Object.fromEntries(LAUNCH_GROUPS.map((name) => [name, idsOf(facts, name)]))
  expect(named).toEqual({ snipers: [2], bundlers: [], insiders: [2], developer: [1], fresh: [] })
})

test('the peak is what a group held together at the end of a block, and not the sum of what each held at most', () => {
  const wallets = [buyer(1, 1), buyer(2, 2)]
  const moves = [move(1, 1, 100), move(1, 2, -100), move(2, 2, 100), move(2, 9, 50), move(2, 20, -150, true)]
  const { peakPct, peakAt, heldPct, soldPct } = groupOf(launchOf(wallets, moves), 'snipers')
  expect({ peakPct, peakAt, heldPct, soldPct }).toEqual({
    ...{ peakPct: 15, peakAt: OPENED + 9, heldPct: 0, soldPct: 15 },
  })
})

test('a holding from before the opening counts from the opening on, without tokens that left by then', () => {
  const developer = wallet(1, { isDeveloper: true, firstAt: OPENED - 10, balance: 1_000 })
  const moves = [move(1, 0, -800), move(1, 50, -100, true)]
  const { peakPct, peakAt, heldPct } = groupOf(launchOf([developer], moves), 'developer')
  expect({ peakPct, peakAt, heldPct }).toEqual({ peakPct: 20, peakAt: OPENED, heldPct: 10 })
  // Nothing happened in the block of the opening.
  const later = groupOf(launchOf([developer], moves.slice(1)), 'developer')
  expect([later.peakPct, later.peakAt]).toEqual([100, OPENED])
})

test('the profit is unknown where no sale has a known cost, and 0 where nothing was sold', () => {
  const insider = (more: Partial<LaunchWalletFacts>) =>
    groupOf(launch([wallet(1, { isInsider: true, ...more })]), 'insiders')
  expect(insider({})).toMatchObject({ soldUsd: 0, realisedUsd: 0, coverage: 1 })
  expect(insider({ soldUsd: 500 })).toMatchObject({ soldUsd: 500, realisedUsd: null, coverage: 0 })
  const half = insider({ soldUsd: 500, soldKnownUsd: 250, realisedUsd: -20 })
  expect(half).toMatchObject({ soldUsd: 500, realisedUsd: -20, coverage: 0.5 })
})

const UNKNOWN: [why: string, more: Partial<LaunchFacts>, groups: LaunchGroupName[]][] = [
  ['money', { isMoney: true }, [...LAUNCH_GROUPS]],
  ['opening_unknown', { openedAt: null, openedBlock: null }, [...LAUNCH_GROUPS]],
  ['events_removed', { hasFirstEvents: false }, ['snipers', 'bundlers', 'fresh']],
  ['deployer_unknown', { hasDeployer: false }, ['insiders', 'developer']],
  ['wallet_ages_unknown', { seenSince: OPENED - DAY + 1 }, ['fresh']],
]

test.each(UNKNOWN)('a group that cannot be known for the reason %s has no number at all', (why, more, groups) => {
  const all = measureLaunch(launch([buyer(1, 0, { isInsider: true }), wallet(2, { isDeveloper: true })], more)).groups
  for (const { name, unknown, members, ...numbers } of all) {
    if (!groups.includes(name)) expect([name, members]).not.toEqual([name, null])
    else
      expect([name, unknown, members, ...Object.values(numbers)]).toEqual([name, [why], null, ...Array(7).fill(null)])
  }
})

test('a wallet age that the index can know is known', () => {
  expect(idsOf(launch([buyer(1, 0, { firstSeenAt: OPENED })], { seenSince: OPENED - DAY }), 'fresh')).toEqual([1])
})

const FAULTS: [why: string, change: (facts: LaunchFacts) => LaunchFacts][] = [
  ['supply_unknown', (facts) => ({ ...facts, circulating: null })],
  ['supply_shrank', (facts) => ({ ...facts, circulating: 99 })],
  ['too_many_events', (facts) => ({ ...facts, wallets: facts.wallets.map((it) => ({ ...it, eventCount: 3 })) })],
  ['events_differ', (facts) => ({ ...facts, wallets: facts.wallets.map((it) => ({ ...it, balance: 41 })) })],
  ['events_differ', (facts) => ({ ...facts, wallets: facts.wallets.map((it) => ({ ...it, balance: 39 })) })],
]

test.each(FAULTS)(
  'a peak that cannot be known for the reason %s is null, and the wallets stay known',
  (why, change) => {
    const facts = launchOf([buyer(1, 1, { soldUsd: 60 })], [move(1, 1, 100), move(1, 2, -60, true)])
    expect(groupOf(facts, 'snipers')).toMatchObject({ unknown: [], peakPct: 10, soldPct: 6 })
    const group = groupOf(change(facts), 'snipers')
    expect(group).toMatchObject({ unknown: [why], peakPct: null, peakAt: null, soldUsd: 60 })
    expect(group.members).toHaveLength(1)
  },
)

const anyMoves = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 1, max: 50 }),
    fc.boolean(),
  ),
  { maxLength: 40 },
)

/** Buys, and sales of what a wallet has, in the order of time. */
function toMoves(drawn: [id: number, seconds: number, amount: number, isSale: boolean][]): LaunchMove[] {
  const held = new Map<number, number>()
  return drawn
    .toSorted((a, b) => a[1] - b[1])
    .flatMap(([id, seconds, amount, isSale]) => {
      const before = held.get(id) ?? 0
      const change = isSale ? -Math.min(amount, before) : amount
      held.set(id, before + change)
      return change === 0 ? [] : [move(id, seconds, change, isSale)]
    })
}

test('a peak is at least the share held now and at most the share bought, and shares follow the supply', () => {
  fc.assert(
    fc.property(anyMoves, (drawn) => {
      const moves = toMoves(drawn)
      const wallets = [...new Set(moves.map(({ walletId }) => walletId))].map((id) => buyer(id, 0))
      const facts = launchOf(wallets, moves, { circulating: 10_000 })
      const group = groupOf(facts, 'snipers')
      expect(group.unknown).toEqual([])
      const bought = moves.reduce((sum, { change }) => sum + Math.max(0, change), 0) / 100
      expect(group.peakPct).toBeGreaterThanOrEqual((group.heldPct ?? Number.NaN) - 1e-9)
      expect(group.peakPct).toBeLessThanOrEqual(bought + 1e-9)
      expect((group.heldPct ?? Number.NaN) + (group.soldPct ?? Number.NaN)).toBeCloseTo(bought, 9)
      const twice = groupOf({ ...facts, circulating: 20_000 }, 'snipers')
      expect(2 * (twice.peakPct ?? Number.NaN)).toBeCloseTo(group.peakPct ?? Number.NaN, 9)
    }),
  )
})

test('the groups do not depend on the order of the wallets', () => {
  const anyWallet = fc.record({
    ...{
      isInsider: fc.boolean(),
      firstBuyAt: fc.integer({ min: OPENED, max: OPENED + 200 }),
      funderId: fc.integer({ min: 1, max: 9 }),
    },
    balance: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(anyWallet, { maxLength: 12 }), (drawn) => {
      const wallets = drawn.map((more, at) => wallet(at + 1, more))
      expect(measureLaunch(launch(wallets.toReversed()))).toEqual(measureLaunch(launch(wallets)))
    }),
  )
})
