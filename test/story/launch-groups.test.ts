// The launch groups of the demo against its raw logs and its known roles, and of a small chain by two ways to its head.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import type { RecordedLog } from '../../src/chain/replay/recording.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { addressOf, addSides, createQuotedMarket, type Market, USDC, wallet } from '../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording, readDemoTruth } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { appendFinal, startAnew } from '../support/writing.ts'

interface Group {
  name: string
  unknown: string[]
  walletCount: number | null
  heldPct: number | null
  peakPct: number | null
  peakAt: string | null
  soldPct: number | null
  soldUsd: number | null
  realisedUsd: number | null
  wallets: { nodes: { address: Address; heldPct: number }[] }
}

interface Launched {
  address: Address
  symbol: string
  decimals: number
  supply: number
  burned: number
  launchGroups: { openedAt: string | null; groups: Group[] }
}

const GROUPS = `address symbol decimals supply burned launchGroups { openedAt groups {
  name unknown walletCount heldPct peakPct peakAt soldPct soldUsd realisedUsd wallets(first: 100) { nodes { address heldPct } }
} }`

const groupOf = ({ launchGroups }: Launched, name: string): Group => {
  const found = launchGroups.groups.find((group) => group.name === name)
  if (!found) throw new Error(`no group ${name}`)
  return found
}

const addressesOf = (token: Launched, name: string) =>
  groupOf(token, name)
    .wallets.nodes.map(({ address }) => address)
    .sort()

describe('the launch groups of the demo', () => {
  let graph: Awaited<ReturnType<typeof openGraph>>
  let tokens: Launched[]

  beforeAll(async () => {
    graph = await openGraph(await createDemoDatabase())
    const { data } = await graph.execute(`{ tokens(first: 40) { nodes { ${GROUPS} } } }`, {}, SOMEBODY)
    tokens = (data.tokens as { nodes: Launched[] }).nodes
  })
  afterAll(() => graph.head.stop())

  const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const party = (log: RecordedLog, at: number) => `0x${(log.topics[at] ?? '').slice(-40)}`

  /** The largest sum of the wallets' balances at the end of a block from the opening on, and the last, by the raw logs. */
  function followBalances({ address, launchGroups }: Launched, members: readonly string[]) {
    const opened = Date.parse(launchGroups.openedAt ?? '') / 1_000
    let [held, peak] = [0n, 0n]
    for (const { time, logs } of demoRecording().blocks) {
      for (const log of logs) {
        if (log.address !== address || log.topics[0] !== TRANSFER || log.topics.length !== 3) continue
        if (members.includes(party(log, 2))) held += BigInt(log.data)
        if (members.includes(party(log, 1))) held -= BigInt(log.data)
      }
      if (time >= opened && held > peak) peak = held
    }
    return { held, peak }
  }

  test('each peak and each share is that of the raw logs, and some groups have one', () => {
    const known = new Map<string, number>()
    for (const token of tokens)
      for (const group of token.launchGroups.groups) {
        if (group.peakPct === null) continue
        const { held, peak } = followBalances(
          token,
          group.wallets.nodes.map(({ address }) => address),
        )
        const toPct = (raw: bigint) => (100 * Number(raw)) / 10 ** token.decimals / (token.supply - token.burned)
        const name = `${token.symbol} ${group.name}`
        expect([name, toPct(peak)]).toEqual([name, expect.closeTo(group.peakPct, 6)])
        expect([name, toPct(held)]).toEqual([name, expect.closeTo(group.heldPct ?? Number.NaN, 6)])
        if (group.peakPct > 0) known.set(group.name, (known.get(group.name) ?? 0) + 1)
      }
    for (const name of ['snipers', 'insiders', 'developer', 'fresh']) expect(known.get(name)).toBeGreaterThan(0)
  })

  test('the share of each group in lists is what the group holds, to two decimals, and filters and orders know it', async () => {
    const names = ['sniperHeldPct', 'bundlerHeldPct', 'insiderHeldPct', 'developerHeldPct', 'freshHeldPct'] as const
    const { data } = await graph.execute(`{ tokens(first: 40) { nodes { address ${names.join(' ')} } } }`, {}, SOMEBODY)
    type Shares = { address: Address } & Record<(typeof names)[number], number | null>
    const shares = (data.tokens as { nodes: Shares[] }).nodes
    for (const [at, token] of tokens.entries())
      for (const [place, name] of names.entries()) {
        const held = token.launchGroups.groups[place]?.heldPct ?? null
        const wanted = held === null ? null : Math.round(100 * held) / 100
        expect([token.symbol, name, shares[at]?.[name]]).toEqual([token.symbol, name, wanted])
      }
    const sniped = shares.filter(({ sniperHeldPct }) => (sniperHeldPct ?? 0) >= 1)
    expect(sniped.length).toBeGreaterThan(0)
    const listed = await graph.execute(
      '{ tokens(first: 40, filter: { minSniperHeldPct: 1 }, orderBy: [{ field: sniper_held_pct, direction: desc }]) { nodes { address sniperHeldPct } } }',
      {},
      SOMEBODY,
    )
    const sorted = sniped.toSorted((a, b) => (b.sniperHeldPct ?? 0) - (a.sniperHeldPct ?? 0))
    const found = (listed.data.tokens as { nodes: Shares[] }).nodes
    expect(found.map(({ sniperHeldPct }) => sniperHeldPct)).toEqual(sorted.map(({ sniperHeldPct }) => sniperHeldPct))
  })

  test('the wallets with the role of a sniper are the snipers of the tokens that they sniped', () => {
    const snipers = readDemoTruth().wallets.sniper ?? []
    for (const symbol of ['FERN', 'OTTER', 'RUGA', 'RUNE', 'SABLE']) {
      const token = tokens.find((each) => each.symbol === symbol)
      if (token) expect([symbol, addressesOf(token, 'snipers')]).toEqual([symbol, snipers.toSorted()])
    }
    expect(tokens.some(({ symbol }) => symbol === 'FERN')).toBe(true)
  })

  test('a token with a tax on transfers has an unknown peak where its events do not tell the balances', () => {
    const unknown = tokens.flatMap((token) => token.launchGroups.groups.flatMap(({ unknown }) => unknown))
    expect(unknown).toContain('events_differ')
    expect(unknown).toContain('money')
  })

  test('two statements read the groups of all tokens of a page', async () => {
    const countOf = (first: number, fields: string) =>
      graph.count(() => graph.execute(`{ tokens(first: ${first}) { nodes { address ${fields} } } }`, {}, SOMEBODY))
    const groups = 'launchGroups { groups { heldPct peakPct wallets { nodes { address } } } }'
    await countOf(40, '')
    expect([await countOf(40, ''), await countOf(2, groups), await countOf(40, groups)]).toEqual([0, 2, 2])
  })
})

describe('the launch groups of a small chain', () => {
  const E18 = 10n ** 18n
  const COIN = addressOf('token', 1)
  const [owner, developer, funder, kin, friend] = [1, 2, 3, 4, 5].map(wallet) as [
    ...[Address, Address, Address, Address, Address],
  ]
  const bundle = [11, 12, 13].map(wallet)
  const stranger = wallet(14)
  const sniper = wallet(15)
  const late = wallet(16)

  /** The people meet a week before the launch, so that none of them is fresh but the last one. */
  function prepare(market: Market): void {
    market.token(COIN)
    for (const who of [funder, kin]) market.native(funder, who, E18)
    market.native(kin, developer, E18)
    for (const who of bundle) market.native(funder, who, E18)
    for (const who of [friend, stranger, sniper]) market.native(owner, who, E18)
    market.mine(7 * 86_400)
    for (const who of [developer, ...bundle, stranger, sniper, late])
      market.transfer(USDC, owner, who, 50_000n * 10n ** 6n)
    market.mint(COIN, developer, 1_000_000n * E18)
    market.transfer(COIN, developer, friend, 50_000n * E18)
    market.transfer(COIN, developer, kin, 10_000n * E18)
    market.mine(86_400)
  }

  function open(market: Market): Address {
    const pool = market.createPool(developer, COIN, USDC)
    addSides(market, pool, developer, COIN, 800_000n * E18, 40_000n * 10n ** 6n)
    market.mine()
    return pool
  }

  function trade(market: Market, pool: Address): void {
    for (const who of [...bundle, stranger]) market.swap(pool, who, USDC, 1_000n * 10n ** 6n)
    market.mine()
    market.swap(pool, sniper, USDC, 2_000n * 10n ** 6n)
    market.mine(48)
    market.swap(pool, late, USDC, 2_000n * 10n ** 6n)
    market.mine(600)
    market.swap(pool, sniper, COIN, market.balance(COIN, sniper))
    market.swap(pool, developer, COIN, 20_000n * E18)
    market.transfer(COIN, bundle[0] ?? owner, bundle[1] ?? owner, 1_000n * E18)
    market.mine()
    market.mine()
  }

  async function ask(database: TestDatabase): Promise<Launched> {
    const graph = await openGraph(database)
    try {
      const { data } = await graph.execute(`{ token(address: "${COIN}") { ${GROUPS} } }`, {}, SOMEBODY)
      return data.token as Launched
    } finally {
      await graph.head.stop()
    }
  }

  /** The chain in one go, and block by block with another launch that was rolled back. */
  async function indexBothWays(): Promise<[straight: Launched, followed: Launched]> {
    const databases = [await createTestDatabase(), await createTestDatabase()] as const
    const { market } = createQuotedMarket(owner)
    prepare(market)
    const before = market.blocks.length
    const lock = await acquireWriter({ database: databases[1] })
    const follower = await startAnew(lock, market.reader)
    const append = async (from: number) => {
      for (const block of market.blocks.slice(from))
        await follower.append({ blocks: [block], head: block.number, finalized: before - 1 })
    }
    await append(0)
    // In a chain that was replaced the stranger launched it, and the bundle sold at once.
    const lost = market.createPool(stranger, COIN, USDC)
    for (const who of bundle) market.transfer(COIN, developer, who, 5_000n * E18)
    addSides(market, lost, developer, COIN, 100_000n * E18, 5_000n * 10n ** 6n)
    market.mine()
    market.swap(lost, late, USDC, 100n * 10n ** 6n)
    market.mine()
    await append(before)
    market.goBack(before - 1)
    await follower.rollback({ number: before - 1, hash: market.blocks[before - 1]?.hash ?? '0x' })
    trade(market, open(market))
    await append(before)
    await follower.settle()
    await lock.release()
    const other = await acquireWriter({ database: databases[0] })
    await appendFinal(await startAnew(other, market.reader), market.blocks)
    await other.release()
    return [await ask(databases[0]), await ask(databases[1])]
  }

  test('a launch that follows a reorganisation has the groups of the chain in one go', async () => {
    const [straight, followed] = await indexBothWays()
    expect(followed).toEqual(straight)
    const named = Object.fromEntries(
      ['snipers', 'bundlers', 'insiders', 'developer', 'fresh'].map((name) => [name, addressesOf(straight, name)]),
    )
    expect(named).toEqual({
      snipers: [...bundle, stranger, sniper].sort(),
      bundlers: bundle.toSorted(),
      insiders: [friend, kin].sort(),
      developer: [developer],
      fresh: [late],
    })
    expect(groupOf(straight, 'insiders')).toMatchObject({ unknown: [], heldPct: 6, peakPct: 6, soldPct: 0, soldUsd: 0 })
    // It held 140,000 when the pool opened, and sold 20,000 of what it had minted.
    expect(groupOf(straight, 'developer')).toMatchObject({ unknown: [], heldPct: 12, peakPct: 14, soldPct: 2 })
    const bundlers = groupOf(straight, 'bundlers')
    expect(bundlers.peakPct).toBe(bundlers.heldPct)
    const snipers = groupOf(straight, 'snipers')
    expect(snipers.peakPct).toBeCloseTo((snipers.heldPct ?? 0) + (snipers.soldPct ?? 0), 6)
    expect(snipers.realisedUsd).not.toBe(0)
  })
})
