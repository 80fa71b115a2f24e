// An attacker's logs through the decoder and the real writer. Every event of every exchange comes with words at and
// beyond the edges of their types. Their pools exist, exist twice, or not at all. Their tokens are the same, the
// chain's money, or nothing.
import { describe, expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { DecodedLog } from '../../../src/chain/event.ts'
import { FOR_OTHERS } from '../../../src/chain/exchanges/attribution.ts'
import { VENUES } from '../../../src/chain/exchanges/venues.ts'
import { EVENT_LIST, type Event } from '../../../src/chain/logs/events.ts'
import { LOCKER_KINDS, type Preset } from '../../../src/chain/presets/preset.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import {
  addressOf,
  createQuotedMarket,
  type Emit,
  type Market,
  marketPreset,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createLogDecode } from '../../support/decode.ts'
import { word } from '../../support/fake-chain.ts'
import { createRandom, type Random } from '../../support/market/random.ts'
import { appendFinal, openWriter, WRITTEN_TABLES } from '../../support/writing.ts'

const alice = wallet(1)
const TOKEN = addressOf('token', 1)
/** Tokens with arbitrary logs: without decimals, with many, and with unknown ones. */
const HOSTILE = [2, 3, 4].map((n) => addressOf('token', n))
const POOLS = [1, 2, 3, 4].map((n) => addressOf('pool', n))
const IDS = [1, 2, 3].map((n) => `0x${word(BigInt(n) << 200n)}`)
const ATTACKERS = [1, 2].map((n) => addressOf('attacker', n))
const POSITIONS = addressOf('positions', 1)
const E18 = 10n ** 18n

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories,
    ...VENUES.map((kind, n) => ({
      address: addressOf('venue', n),
      kind,
      launchpad: kind,
      ...(['v3', 'v4', 'infinity', 'slipstream'].includes(kind) ? { positions: POSITIONS } : {}),
      ...(kind === 'virtuals' ? { quote: USDC } : {}),
    })),
  ],
  // A locker either numbers its locks or does not: there are both generations of UNCX.
  lockers: [...LOCKER_KINDS, 'uncx' as const].map((kind, n) => ({ address: addressOf('keeper', n), name: kind, kind })),
}
const UNNUMBERED = preset.lockers.at(-1)?.address
const decode = createLogDecode(preset)

const EMITTERS: Record<string, readonly string[]> = { ...FOR_OTHERS, positions: [POSITIONS] }

/** Who may log the event: never the chain's money, nor the honest token and its pair. */
function emittersOf({ emitter, shapes }: Event): readonly string[] {
  if (emitter === 'wrapped') return []
  if (emitter === 'any' || emitter.endsWith('_pool')) return [...POOLS, ...HOSTILE, ...ATTACKERS]
  const isUnnumbered = shapes.some(({ kind }) => kind === 'lock_added' || kind === 'lock_taken')
  const named = [...preset.factories, ...preset.lockers].filter(
    ({ kind, address }) => kind === emitter && (address === UNNUMBERED) === isUnnumbered,
  )
  return EMITTERS[emitter] ?? named.map(({ address }) => address)
}

const EDGES = [
  0n,
  1n,
  -1n,
  E18,
  1n << 96n,
  887_272n,
  -887_272n,
  887_273n,
  -8_388_608n,
  8_388_607n,
  (1n << 112n) - 1n,
  (1n << 127n) - 1n,
  -(1n << 127n),
  (1n << 128n) - 1n,
  1n << 128n,
  (1n << 160n) - 1n,
  4_295_128_739n,
  1461446703485210103287273052203988822378723970342n,
  -(1n << 255n),
  (1n << 255n) - 1n,
  32n,
  64n,
  160n,
]
const NAMED = [TOKEN, USDC, WETH, ZERO_ADDRESS, ...HOSTILE, ...POOLS, ...ATTACKERS, alice, POSITIONS]

function hostileWord(random: Random): string {
  const dice = random.next()
  if (dice < 0.35) return word(BigInt(random.pick(NAMED)))
  if (dice < 0.5) return random.pick(IDS).slice(2)
  if (dice < 0.85) return word(BigInt.asUintN(256, random.pick(EDGES)))
  if (dice < 0.95) return word(BigInt(Math.floor(random.between(0, 1e6))))
  return Array.from({ length: 64 }, () => Math.floor(random.between(0, 16)).toString(16)).join('')
}

/** A log of the event that the decoder reads; null where none of some tries is. */
function hostileLog(random: Random, event: Event, emitters = emittersOf(event)): DecodedLog | null {
  if (emitters.length === 0) return null
  for (let tries = 0; tries < 60; tries++) {
    const shape = random.pick(event.shapes)
    const more = shape.isOpen ? Math.floor(random.between(0, 12)) : 0
    const topics = Array.from({ length: shape.topics - 1 }, () => `0x${hostileWord(random)}`)
    const raw: RawLog = {
      address: random.pick(emitters),
      topics: [event.topic0, ...topics],
      data: `0x${Array.from({ length: shape.words + more }, () => hostileWord(random)).join('')}`,
      blockHash: `0x${word(1n)}`,
      blockNumber: '0x1',
      transactionHash: `0x${word(2n)}`,
      transactionIndex: '0x0',
      logIndex: '0x0',
    }
    const log = decode(raw)
    if (log) return log
  }
  return null
}

function emitAgain(emit: Emit, { address, logIndex: _, txHash: __, ...fields }: DecodedLog): void {
  emit(address, fields as never)
}

/** WETH at 2,000 USDC, and TOKEN at a tenth of a WETH. */
function openMarket(): { market: Market; pair: Address } {
  const { market } = createQuotedMarket(alice)
  market.token(TOKEN)
  for (const [n, token] of HOSTILE.entries()) market.token(token, { decimals: [0, 255, null][n] ?? null })
  market.mint(TOKEN, alice, 1_000_000n * E18)
  const pair = market.createPool(alice, WETH, TOKEN)
  const isFirst = market.pool(pair).token0 === WETH
  market.add(pair, alice, ...((isFirst ? [500n * E18, 5_000n * E18] : [5_000n * E18, 500n * E18]) as [bigint, bigint]))
  market.mine()
  return { market, pair }
}

const database = await createTestDatabase()

/** Every column of numbers in the tables that blocks write. */
async function numericColumns(): Promise<{ table: string; column: string }[]> {
  const { rows } = await database.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ANY($1)
       AND data_type IN ('numeric', 'double precision', 'real', 'bigint', 'integer', 'smallint')`,
    [WRITTEN_TABLES],
  )
  return rows
}

/** Ticks and results may be below zero. */
const SIGNED = /tick|realised|result/

const SEEDS = Array.from({ length: 10 }, (_, n) => n + 1)

describe('hostile logs of every event of every exchange', () => {
  test.each(SEEDS)('leave rows without an impossible number (seed %s)', async (seed) => {
    const random = createRandom(seed)
    const { market, pair } = openMarket()
    const read = new Map<string, number>()
    for (let block = 0; block < 40; block++) {
      for (let n = 0; n < 4; n++) {
        market.tx(random.pick([alice, ...ATTACKERS]), random.pick([...POOLS, ...ATTACKERS, null]), (emit) => {
          for (let at = 0; at < 8; at++) {
            const event = random.pick(EVENT_LIST)
            const log = hostileLog(random, event)
            if (!log) continue
            read.set(event.topic0, (read.get(event.topic0) ?? 0) + 1)
            emitAgain(emit, log)
          }
        })
      }
      market.swap(pair, alice, WETH, E18 / 100n)
      market.mine()
    }
    await appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)
    expect(read.size).toBeGreaterThan(70)
    expect(await impossible()).toEqual([])
  })

  test('of contracts that no preset names make no pool, and price nothing', async () => {
    const random = createRandom(7)
    const { market, pair } = openMarket()
    const honest = market.blocks.length
    for (let block = 0; block < 60; block++) {
      market.tx(ATTACKERS[0] as Address, ATTACKERS[1] as Address, (emit) => {
        for (let at = 0; at < 30; at++) {
          const log = hostileLog(random, random.pick(EVENT_LIST), ATTACKERS)
          if (log) emitAgain(emit, log)
        }
      })
      market.mine()
    }
    expect(market.blocks.slice(honest).reduce((sum, { logs }) => sum + logs.length, 0)).toBeGreaterThan(300)
    await appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)
    const pools = await database.pool.query<{ address: string }>('SELECT address FROM pool ORDER BY 1')
    expect(pools.rows.map(({ address }) => address)).toEqual(market.pools().sort())
    const priced = await database.pool.query(
      'SELECT address, round(price_usd::numeric, 6)::float8 AS usd FROM token WHERE price_usd > 0',
    )
    expect(new Map(priced.rows.map(({ address, usd }) => [address, usd]))).toEqual(
      new Map<string, number>([
        [USDC, 1],
        [WETH, 2_000],
        [TOKEN, 200],
      ]),
    )
    expect(pair).toBe(market.pools().at(-1))
    expect(await impossible()).toEqual([])
  })
})

/** Numbers that no row may have. */
async function impossible(): Promise<string[]> {
  const bad: string[] = []
  for (const { table, column } of await numericColumns()) {
    const { rows } = await database.pool.query<{ least: string | null; odd: string | null }>(
      `SELECT min(${column})::text AS least, string_agg(DISTINCT ${column}::text, ' ') FILTER
          (WHERE ${column}::text IN ('NaN', 'Infinity', '-Infinity')) AS odd FROM ${table}`,
    )
    const [{ least, odd } = { least: null, odd: null }] = rows
    if (odd !== null) bad.push(`${table}.${column} has ${odd}`)
    if (Number(least ?? 0) < 0 && !SIGNED.test(column)) bad.push(`${table}.${column} has ${least}`)
  }
  return bad
}
