// A small market on a live anvil, indexed with the same parts as a network: source over HTTP, reader, writer, follower.
// Output: functions to act on the chain, and `index` into a database. The caller stops everything in its teardown.
import type pg from 'pg'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { ChainReader } from '../../src/chain/contracts/reader.ts'
import type { ChainBlock, Step } from '../../src/chain/event.ts'
import { follow } from '../../src/chain/follow/follow.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource, type Source } from '../../src/chain/source/source.ts'
import type { Database } from '../../src/database/client.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { INDEX_TABLES } from '../../src/ledger/write/reset.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { wallet } from './market/cast.ts'
import { createMarketChain, type MarketChain } from './market/chain.ts'
import { createTrade, ether, type Trade, units } from './market/trade.ts'
import { deployVenues, type Venues } from './market/venue.ts'

export interface ChainParts {
  source: Source
  reader: ChainReader
  preset: Preset
}

export interface Live extends ChainParts {
  anvil: Anvil
  chain: MarketChain
  trade: Trade
  venues: Venues
  founder: Address
  /** Mines the pending transactions, 12 s after the last block. */
  mine(): Promise<void>
  /** Drops the newest blocks; the next ones belong to another fork. */
  rollBack(depth: number): Promise<void>
}

const START = 1_760_000_000

/** Anvil with the venues deployed, and the wrapped native coin priced at 3,000 USD by a deep V2 pool. */
export async function createLive({ slotsInAnEpoch = 32 } = {}): Promise<Live> {
  const anvil = await startAnvil({ timestamp: START, slotsInAnEpoch, noMining: true })
  const chain = createMarketChain(anvil.rpc)
  const founder = toAddress(wallet('founder of the story'))
  await anvil.rpc('anvil_setBalance', [founder, `0x${ether(1_000_000).toString(16)}`])
  let time = START
  const mine = () => {
    time += 12
    return chain.mine(time)
  }
  const venues = await deployVenues(chain, founder)
  await mine()
  const trade = createTrade(chain, venues)
  await trade.mintUsd(founder, units(30_000_000, 6))
  await trade.addLiquidity(venues.uniswapV2, founder, venues.usd, units(3_000_000, 6), ether(1_000))
  await mine()
  const preset = toPreset(venues)
  const rollBack = async (depth: number) => {
    await anvil.rpc('anvil_rollback', [depth])
    chain.forget()
    // Another time gives even an empty block another hash.
    time += 1
  }
  return { anvil, chain, trade, venues, founder, mine, rollBack, ...connect(anvil.url, preset) }
}

/** The parts that read a node with this preset. */
export function connect(url: string, preset: Preset): ChainParts {
  const rpc = createRpc({ urls: [url], clock: systemClock })
  return {
    source: createSource({ rpc, preset, clock: systemClock }),
    reader: createChainReader(rpc, preset),
    preset,
  }
}

function toPreset({ weth, usd, uniswapV2, moonforge, uniswapV3 }: Venues): Preset {
  return {
    chainId: 31_337,
    name: 'story',
    wrappedNative: toAddress(weth),
    nativeSymbol: 'ETH',
    stablecoins: [toAddress(usd)],
    factories: [uniswapV2, moonforge, uniswapV3].map((venue) => ({
      address: toAddress(venue.factory),
      kind: venue.kind,
      launchpad: venue.name,
      ...(venue.kind === 'v3' ? { positions: toAddress(venue.positions) } : {}),
    })),
    burnAddresses: [ZERO_ADDRESS],
    lockers: [],
    exchanges: [],
    finalityDepth: 64,
    minPoolDepthUsd: 1_000,
    sectors: {},
    startBlock: 0,
  }
}

/** Indexes the chain into the database up to its head and scores it, as the program does; returns the steps. */
export async function indexToHead(
  database: Database,
  { source, reader, preset }: ChainParts,
  until: number | 'head' = 'head',
  onAppend: (blocks: readonly ChainBlock[]) => void = () => {},
): Promise<Step['kind'][]> {
  const lock = await acquireWriter({ database })
  const steps: Step['kind'][] = []
  try {
    const writer = createWriter({ lock, reader, preset, firstBuys: FIRST_BUYS })
    const { window, startBlock } = await writer.open()
    const options = {
      source,
      window,
      startBlock,
      clock: systemClock,
      until,
      headReads: { kind: 'interval' as const, ms: 5 },
      shorterAfterMs: 0,
    }
    for await (const step of follow(options)) {
      steps.push(step.kind)
      if (step.kind === 'append') {
        await writer.append(step)
        onAppend(step.blocks)
      } else if (step.kind === 'rollback') await writer.rollback(step.to)
      else if (step.kind === 'finalise') await writer.finalise(step.number, step.head)
    }
    await writer.settle()
    await createRescore({ database, preset }).run()
  } finally {
    await lock.release()
  }
  return steps
}

/**
 * Scores everything at the newest block. A score has the ages and reputations of its block, so two ledgers are equal
 * only if they were scored at the same block.
 */
export async function rescoreAll(database: Database, preset: Preset): Promise<void> {
  await database.pool.query(DUE_ALL)
  await createRescore({ database, preset }).run()
}

const DUE_ALL = `INSERT INTO score_due (kind, id, due_at)
  SELECT s.kind, s.id, (SELECT max(time) FROM block)
  FROM (SELECT 1 AS kind, token_id AS id FROM token_score UNION ALL SELECT 2, wallet_id FROM wallet_score) s
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`

/** All data that the chain's blocks determine, as text: equal for equal chains, however they were indexed. */
export async function dumpLedger(pool: pg.Pool): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of DERIVED) {
    const row = table.endsWith('_score') ? SCORE : table === 'token' ? TOKEN : 'to_jsonb(t)'
    const { rows } = await pool.query<{ row: string }>(`SELECT (${row})::text AS row FROM ${table} t ORDER BY 1`)
    dump[table] = rows.map(({ row }) => row)
  }
  const newest = await pool.query<{ row: string }>(
    'SELECT to_jsonb(b)::text AS row FROM block b ORDER BY number DESC LIMIT 1',
  )
  dump.block = newest.rows.map(({ row }) => row)
  return dump
}

/** A token without the block of its last change, because a new score also counts as a change. */
const TOKEN = `to_jsonb(t) - 'updated_block'`
/** A score without its time, which depends on when it was computed; the explanation's first entry repeats it. */
const SCORE = `jsonb_set(to_jsonb(t) - '{block_number,updated_at}'::text[], '{explanation}', t.explanation::jsonb - 0)`

/** Tables whose rows depend on how or when the blocks were read: old blocks, undo images, what alerts saw, and the past of scores. */
const INCIDENTAL: readonly string[] = [
  'block',
  'undo',
  'score_due',
  'score_point',
  'track_record',
  'token_summary',
  'wallet_outcome',
  'alert_history',
]
/** Tables whose rows follow from the blocks. */
const DERIVED = INDEX_TABLES.filter((table) => !INCIDENTAL.includes(table))
