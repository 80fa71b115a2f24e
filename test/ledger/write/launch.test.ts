// Tokens that a launch venue opens at an exchange, written by the real writer. They have a creator, and the holder of
// their liquidity counts as locked only if the venue's log or the preset proves it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { NEVER } from '../../../src/base/time.ts'
import { amountsOfRange, rootAtTick } from '../../../src/book/prices/tick-math.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter, type WriterLock } from '../../../src/database/writer-lock.ts'
import type { FactsBlock } from '../../../src/ledger/facts/facts.ts'
import { readPoolFacts } from '../../../src/ledger/facts/pools.ts'
import { lockStrength } from '../../../src/scoring/locks.ts'
import { FACT_RULES } from '../../../src/scoring/weights.ts'
import { addressOf, createQuotedMarket, type Emit, type Market, marketPreset, wallet } from '../../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { appendFinal, dumpTables, startAnew } from '../../support/writing.ts'

const MANAGER = addressOf('manager', 1)
const POSITIONS = addressOf('positions', 1)
const TOKEN = addressOf('token', 1)
const [FACTORY, OTHER_FACTORY, AIRLOCK] = [addressOf('launcher', 1), addressOf('launcher', 2), addressOf('launcher', 3)]
const [PERMANENT, STREAM, UNKNOWN] = [addressOf('locker', 7), addressOf('locker', 8), addressOf('locker', 9)]
const INITIALIZER = addressOf('initializer', 1)
const [bot, creator, trader] = [wallet(1), wallet(2), wallet(3)]
const POOL = `0x${'ab'.repeat(32)}` as Address
const NEXT = `0x${'cd'.repeat(32)}` as Address
const E18 = 10n ** 18n
const TICK = 69_060
const RANGE = [TICK - 6_000, TICK + 6_000] as const
const L = 10n ** 22n
/** Runs before and after a swap, changes its payment, and takes a share of it. */
const FEE_RIGHTS = 0xcc
const AFTER_SWAP = 1 << 6
const [FEE_HOOK, HOOK, NEXT_HOOK] = [
  addressOf('hook', FEE_RIGHTS),
  addressOf('hook', AFTER_SWAP),
  addressOf('hook', 2 * AFTER_SWAP),
]

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories,
    { address: MANAGER, kind: 'v4', launchpad: 'uniswap_v4', positions: POSITIONS },
    { address: FACTORY, kind: 'clanker', launchpad: 'clanker' },
    { address: OTHER_FACTORY, kind: 'zora', launchpad: 'zora' },
    { address: AIRLOCK, kind: 'doppler', launchpad: 'doppler' },
  ],
  lockers: [
    ...marketPreset.lockers,
    { address: PERMANENT, name: 'Permanent', permanent: true },
    { address: STREAM, name: 'Stream', kind: 'doppler' },
  ],
  feeHooks: [{ address: FEE_HOOK, name: 'Fee' }],
}

let database: TestDatabase
let lock: WriterLock
beforeAll(async () => {
  database = await createTestDatabase()
  lock = await acquireWriter({ database })
})
afterAll(() => lock?.release())

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows

/** WETH at 2,000 USDC in a pair. */
function openMarket(): Market {
  const { market } = createQuotedMarket(bot)
  market.token(TOKEN)
  market.mine()
  return market
}

interface Launched {
  venue: Address
  hooks: Address
  rights?: number
  /**
   * The holder of the position: a contract that calls the manager itself, or through the position manager the owner of
   * a token.
   */
  holder: Address
  isToken?: boolean
  keeper?: Address | null
  creator?: Address | null
  /** Further logs. */
  more?: (emit: Emit) => void
}

/** A token with all of its supply in a pool, in one transaction that the bot signs. */
function launch(market: Market, { venue, hooks, rights = AFTER_SWAP, holder, isToken, ...said }: Launched): void {
  const root = rootAtTick(TICK)
  market.tx(bot, venue, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, venue, 1_000_000n * E18)
    place(market, emit, { pool: POOL, hooks, rights, holder, isToken: isToken ?? false, root }, venue)
    said.more?.(emit)
    emit(venue, { kind: 'launched', token: TOKEN, creator: said.creator ?? null, keeper: said.keeper ?? null })
  })
  market.mine()
}

interface Placed {
  pool: Address
  hooks: Address
  rights: number
  holder: Address
  isToken: boolean
  root: bigint
}

/** Opens a pool and puts liquidity into it. */
function place(
  market: Market,
  emit: Emit,
  { pool, hooks, rights, holder, isToken, root }: Placed,
  from: Address,
): void {
  const fields = { pool, token0: ZERO_ADDRESS, token1: TOKEN, fee: 3_000, tickSpacing: 60, hooks, rights }
  emit(MANAGER, { kind: 'v4_initialize', ...fields, sqrtPriceX96: root })
  if (isToken) emit(POSITIONS, { kind: 'position_moved', number: 7, from: ZERO_ADDRESS, to: holder })
  modify(emit, { pool, sender: isToken ? POSITIONS : holder, liquidity: L, salt: isToken ? 7n : 0n })
  const [, amount] = amountsOfRange(root, ...RANGE, L)
  market.move(emit, TOKEN, from, MANAGER, amount)
}

const modify = (emit: Emit, change: { pool: Address; sender: Address; liquidity: bigint; salt: bigint }) =>
  emit(MANAGER, { kind: 'v4_modify', tickLower: RANGE[0], tickUpper: RANGE[1], ...change })

/** A swap of an eighth of a coin for tokens. */
function buy(market: Market, by: Address, sender: Address): void {
  const [amount, root] = [E18 / 8n, rootAtTick(TICK)]
  const next = (L * root * (1n << 96n)) / ((L << 96n) + amount * root)
  const out = (L * (root - next)) >> 96n
  market.tx(by, sender, (emit) => {
    const after = { sqrtPriceX96: next, liquidity: L, tick: TICK - 1, fee: 0 }
    emit(MANAGER, { kind: 'v4_swap', pool: POOL, sender, amount0: amount, amount1: -out, ...after })
    market.move(emit, TOKEN, MANAGER, by, out)
  })
}

const write = async (market: Market) => appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)

interface Told {
  venue: string
  creator: { address: string } | null
  pool: { poolId: string | null }
  liquidityHolder: string | null
  liquidityPct: number | null
  withdrawable: boolean | null
  endsAt: string | null
}

async function readLaunch(): Promise<Told | null> {
  const graph = await openGraph(database)
  onTestFinished(() => graph.head.stop())
  const { rows: found } = await database.pool.query('UPDATE token SET indexed = true WHERE address = $1', [TOKEN])
  expect(found).toEqual([])
  const document = `{ token(address: "${TOKEN}") { launch {
    venue creator { address } pool { poolId } liquidityHolder liquidityPct withdrawable endsAt } } }`
  const { data } = await graph.execute(document, {}, SOMEBODY)
  return (data as { token: { launch: Told | null } }).token.launch
}

/** How much of its shares of the token's newest pool each holder cannot withdraw, as scores see it. */
async function readStrengths(hourTime = 1_760_000_000): Promise<Record<string, number>> {
  const names = new Map(
    (await rows<{ id: number; address: string }>('SELECT id, address FROM wallet')).map((row) => [row.id, row.address]),
  )
  const [token] = await rows<{ id: number }>('SELECT id FROM token WHERE address = $1', [TOKEN])
  const id = token?.id ?? 0
  const pools = (await readPoolFacts(database.pool, [id], { hourTime } as FactsBlock, FACT_RULES))(id)
  const newest = pools.reduce((a, b) => (b.id > a.id ? b : a))
  return Object.fromEntries((newest.providers ?? []).map((each) => [names.get(each.id), lockStrength(each, hourTime)]))
}

describe('Clanker', () => {
  const clanker = { venue: FACTORY, hooks: FEE_HOOK, rights: FEE_RIGHTS, isToken: true, creator }

  test('the creator is who the venue names, and what its locker holds can never be withdrawn', async () => {
    const market = openMarket()
    launch(market, { ...clanker, holder: PERMANENT, keeper: PERMANENT })
    await write(market)
    expect(await readLaunch()).toEqual({
      venue: 'clanker',
      creator: { address: creator },
      pool: { poolId: POOL },
      liquidityHolder: PERMANENT,
      liquidityPct: 100,
      withdrawable: false,
      endsAt: null,
    })
    const inTenYears = 1_760_000_000 + 10 * 365 * 86_400
    expect(await readStrengths(inTenYears)).toEqual({ [PERMANENT]: 1 })
  })

  test('a locker that nobody knows is told, and is not taken for safe', async () => {
    const market = openMarket()
    launch(market, { ...clanker, holder: UNKNOWN, keeper: UNKNOWN })
    await write(market)
    expect(await readLaunch()).toMatchObject({ liquidityHolder: UNKNOWN, withdrawable: null, endsAt: null })
    expect(await rows('SELECT 1 FROM token_lock')).toEqual([])
  })

  test('a position that the creator holds can be withdrawn, whatever locker the log names', async () => {
    const market = openMarket()
    launch(market, { ...clanker, holder: creator, keeper: PERMANENT })
    await write(market)
    expect(await readLaunch()).toMatchObject({ liquidityHolder: creator, withdrawable: true })
    expect(await readStrengths()).toEqual({ [creator]: 0 })
  })

  test('its hooks only take a fee, so that price and liquidity are known; of another hook with that right they are not', async () => {
    const market = openMarket()
    launch(market, { ...clanker, holder: PERMANENT, keeper: PERMANENT })
    await write(market)
    const known = 'SELECT liquidity_usd, price FROM pool WHERE address = $1'
    expect((await rows<{ liquidity_usd: number }>(known, [POOL]))[0]?.liquidity_usd).toBeGreaterThan(1_000)
    const other = openMarket()
    launch(other, { ...clanker, hooks: addressOf('hook', 0x1cc), holder: PERMANENT, keeper: PERMANENT })
    await write(other)
    expect(await rows(known, [POOL])).toEqual([{ liquidity_usd: 0, price: 0 }])
  })

  test('what its locker swaps are collected fees, and no trade of the wallet whose swap set it off', async () => {
    const market = openMarket()
    launch(market, { ...clanker, holder: PERMANENT, keeper: PERMANENT })
    buy(market, trader, PERMANENT)
    market.mine()
    buy(market, trader, addressOf('router', 5))
    market.mine()
    await write(market)
    const swaps = await rows(
      'SELECT e.block_number FROM event e JOIN token t ON t.id = e.token_id WHERE t.address = $1 AND e.type = 1',
      [TOKEN],
    )
    expect(swaps).toEqual([{ block_number: market.blocks.at(-1)?.number }])
  })
})

describe('Zora', () => {
  const zora = { venue: OTHER_FACTORY, hooks: HOOK, holder: HOOK, creator }

  test('its hook keeps the liquidity for good, and is no opener of pools', async () => {
    const market = openMarket()
    launch(market, { ...zora, keeper: HOOK })
    await write(market)
    expect(await readLaunch()).toMatchObject({
      venue: 'zora',
      creator: { address: creator },
      liquidityHolder: HOOK,
      withdrawable: false,
    })
    expect(await readStrengths()).toEqual({ [HOOK]: 1 })
    expect(
      await rows('SELECT w.address FROM pool p JOIN wallet w ON w.id = p.opener_id WHERE p.address = $1', [POOL]),
    ).toEqual([{ address: creator }])
  })

  test('a hook that the venue does not name may give its liquidity to anybody', async () => {
    const market = openMarket()
    launch(market, { ...zora, keeper: NEXT_HOOK })
    await write(market)
    expect(await readLaunch()).toMatchObject({ liquidityHolder: HOOK, withdrawable: null })
    expect(await readStrengths()).toEqual({ [HOOK]: 0 })
  })

  const migrate = (market: Market, by: Address) => {
    market.tx(bot, TOKEN, (emit) => {
      modify(emit, { pool: POOL, sender: HOOK, liquidity: -L, salt: 0n })
      const placed = { hooks: NEXT_HOOK, rights: 2 * AFTER_SWAP, holder: NEXT_HOOK, isToken: false }
      place(market, emit, { pool: NEXT, root: rootAtTick(TICK), ...placed }, MANAGER)
      emit(by, { kind: 'launch_moved', pool: NEXT, keeper: NEXT_HOOK })
    })
    market.mine()
  }

  test('a coin that moves to another hook stays one token, kept there, and nobody has pulled anything', async () => {
    const market = openMarket()
    launch(market, { ...zora, keeper: HOOK })
    migrate(market, TOKEN)
    await write(market)
    expect(await readLaunch()).toMatchObject({
      creator: { address: creator },
      pool: { poolId: NEXT },
      liquidityHolder: NEXT_HOOK,
      withdrawable: false,
    })
    expect(await readStrengths()).toEqual({ [NEXT_HOOK]: 1 })
    expect(await rows('SELECT address FROM wallet WHERE pulled_count > 0')).toEqual([])
  })

  test('of somebody else it is not believed, nor of a token that the venue did not launch', async () => {
    const market = openMarket()
    launch(market, { ...zora, keeper: HOOK })
    migrate(market, bot)
    await write(market)
    expect(await readLaunch()).toMatchObject({ pool: { poolId: POOL }, liquidityPct: null, withdrawable: null })
    const other = openMarket()
    launch(other, { ...zora, venue: FACTORY, keeper: HOOK })
    migrate(other, TOKEN)
    await write(other)
    expect(await readStrengths()).toEqual({ [NEXT_HOOK]: 0 })
  })
})

describe('Doppler', () => {
  const doppler = { venue: AIRLOCK, hooks: HOOK, holder: INITIALIZER, keeper: INITIALIZER }
  const lockBy = (by: Address, of: Address) => (emit: Emit) => emit(by, { kind: 'launch_locked', of, endsAt: NEVER })

  test('what its initializer says to keep can never be withdrawn; no creator is named', async () => {
    const market = openMarket()
    launch(market, { ...doppler, more: lockBy(INITIALIZER, TOKEN) })
    await write(market)
    expect(await readLaunch()).toMatchObject({
      venue: 'doppler',
      creator: null,
      liquidityHolder: INITIALIZER,
      withdrawable: false,
    })
  })

  test.each([
    ['nothing is said', undefined],
    ['somebody else says it', lockBy(UNKNOWN, TOKEN)],
    ['it is said of another token', lockBy(INITIALIZER, addressOf('token', 2))],
  ])('nothing is proven where %s', async (_, more) => {
    const market = openMarket()
    launch(market, more ? { ...doppler, more } : doppler)
    await write(market)
    expect(await readLaunch()).toMatchObject({ liquidityHolder: INITIALIZER, withdrawable: null })
    expect(await rows('SELECT 1 FROM token_lock')).toEqual([])
  })

  test('liquidity that moves to its locker is locked until the end in the locker’s log', async () => {
    const market = openMarket()
    const until = Math.floor(Date.now() / 1_000) + 365 * 86_400
    launch(market, doppler)
    market.tx(bot, AIRLOCK, (emit) => {
      modify(emit, { pool: POOL, sender: INITIALIZER, liquidity: -L, salt: 0n })
      const placed = { hooks: ZERO_ADDRESS, rights: 0, holder: STREAM, isToken: false }
      place(market, emit, { pool: NEXT, root: rootAtTick(TICK), ...placed }, MANAGER)
      emit(STREAM, { kind: 'launch_locked', of: NEXT, endsAt: until })
    })
    market.mine()
    await write(market)
    expect(await readLaunch()).toMatchObject({
      venue: 'doppler',
      pool: { poolId: NEXT },
      liquidityHolder: STREAM,
      withdrawable: false,
      endsAt: new Date(until * 1_000).toISOString(),
    })
    expect(await readStrengths(until - 60 * 86_400)).toEqual({ [STREAM]: 1 })
    expect(await readStrengths(until - 86_400)).toEqual({ [STREAM]: 0 })
  })
})

test('one batch or a batch for each block give the same rows, and a rollback leaves none', async () => {
  const market = openMarket()
  launch(market, { venue: FACTORY, hooks: FEE_HOOK, rights: FEE_RIGHTS, holder: PERMANENT, isToken: true, creator })
  buy(market, trader, addressOf('router', 5))
  market.mine()
  await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
  const atOnce = await dumpTables(database.pool)
  expect(atOnce.launch).toHaveLength(1)
  const writer = await startAnew(lock, market.reader, { preset })
  for (const block of market.blocks) {
    await writer.append({ blocks: [block], head: block.number, finalized: 0 })
    await writer.settle()
  }
  expect(await dumpTables(database.pool)).toEqual(atOnce)
  await writer.rollback(market.blocks[0] as (typeof market.blocks)[number])
  expect(await rows('SELECT 1 FROM launch UNION ALL SELECT 1 FROM token_lock')).toEqual([])
})
