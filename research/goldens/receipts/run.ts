// Indexes each chain's receipts with the parts of the program, from a node that serves one receipt a block. Judges
// every swap and every change of liquidity.
import pg from 'pg'
import { systemClock } from '../../../src/base/clock.ts'
import { itemAt } from '../../../src/base/item-at.ts'
import { ATTRIBUTIONS, DIRECTIONS, EVENT_TYPE_ID } from '../../../src/base/vocabulary.ts'
import { completeRoute } from '../../../src/book/logs/routes.ts'
import { toKnown } from '../../../src/book/rows/known.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import type { DecodedLog } from '../../../src/chain/event.ts'
import { MANY_COINS } from '../../../src/chain/exchanges/hooks.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { SWAP_TOPICS } from '../../../src/chain/logs/swap-topics.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { openDatabase } from '../../../src/database/client.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { FIRST_BUYS } from '../../../src/scoring/weights.ts'
import { indexToHead } from '../../../test/support/live.ts'
import { createRecordedNode, readRecorded } from '../../../test/support/recorded-node.ts'
import type { Recording } from '../recording.ts'
import { deepPairs, presetOf } from './chain.ts'
import { type JudgedChange, judgeChange, type SeenChange, type Whole } from './changes.ts'
import { amountsOf, changeOf, type Judged, judgeSwap, type Seen } from './judge.ts'
import { type Expectation, type Receipts, readReceipts } from './read.ts'

export interface JudgedSwap extends Judged {
  expected: Expectation
  /** Whether the route has swaps of known exchanges, and all of these are read. */
  isClaimed: boolean
  /** The logs of known exchanges' swaps, and whether the index has an event of each. */
  logs: { exchange: string; isSeen: boolean }[]
}

export interface JudgedReceipts {
  swaps: JudgedSwap[]
  changes: JudgedChange[]
}

/** Judges the folder. `server`: a PostgreSQL in which a database per chain is made and dropped. */
export async function judgeReceipts(folder: string, server: string): Promise<JudgedReceipts> {
  const receipts = readReceipts(folder)
  const judged: JudgedReceipts[] = []
  for (const chainId of receipts.chains.keys()) judged.push(await judgeChain(receipts, chainId, server))
  return { swaps: judged.flatMap(({ swaps }) => swaps), changes: judged.flatMap(({ changes }) => changes) }
}

async function judgeChain(receipts: Receipts, chainId: number, server: string): Promise<JudgedReceipts> {
  const preset = presetOf(chainId)
  const decimals = receipts.decimals(chainId)
  const known = toKnown(preset, FIRST_BUYS)
  const chain = receipts.chains.get(chainId) ?? []
  const recorded = chain.map(({ recording }) => readRecorded(recording, preset))
  return withDatabase(server, async (url) => {
    const database = openDatabase(url)
    try {
      await migrate(database.pool)
      const node = createRecordedNode(recorded, preset, decimals, deepPairs(recorded, preset, decimals))
      const rpc = createRpc({ endpoints: [node], clock: systemClock, chainId })
      const source = createSource({ rpc, preset, clock: systemClock })
      const parts = { source, reader: createChainReader(rpc, preset), preset }
      // Pools are asked about at the block before their batch, so the deep pairs' block is a batch of its own.
      await indexToHead(database, parts, 0)
      await indexToHead(database, parts)
      const rows = await readEvents(database.pool)
      const whole: Whole = (raw, token) => Number(raw) / 10 ** (decimals.get(token) ?? 18)
      const judged: JudgedReceipts = { swaps: [], changes: [] }
      for (const [at, { expected, recording }] of chain.entries()) {
        const each = itemAt(recorded, at)
        const own = rows.filter(({ block }) => block === at + 1)
        const logs = completeRoute(known, each.logs)
        if (expected.kind === 'swap') {
          const seen = own.flatMap((row) => toSeen(row, logs, whole))
          const found = swapLogs(recording, new Set(seen.map(({ logIndex }) => logIndex)))
          const claimed = isClaimed(recording)
          judged.swaps.push({ ...judgeSwap(expected, seen, recording), expected, isClaimed: claimed, logs: found })
        } else {
          const seen = own.flatMap((row) => toChange(row, logs, whole))
          judged.changes.push(judgeChange(expected, seen, each, whole))
        }
      }
      return judged
    } finally {
      await database.close()
    }
  })
}

function isClaimed({ logs }: Recording): boolean {
  const swaps = logs.filter(({ topics: [topic = ''] }) => SWAP_TOPICS.has(topic))
  return (
    swaps.length > 0 &&
    swaps.every(({ address, topics: [topic = ''] }) => {
      // A pair of Uniswap V2 and its like holds its own tokens; another contract that logs like one is none.
      const moves =
        topic !== TOPICS.v2_swap || logs.some(({ topics: [, from, to] }) => isOf(address, from) || isOf(address, to))
      return moves && SWAP_TOPICS.get(topic)?.isRead === true
    })
  )
}

const isOf = (address: string, topic: string | undefined): boolean => topic?.slice(26) === address.slice(2)

const swapLogs = ({ logs }: Recording, seen: ReadonlySet<number>): JudgedSwap['logs'] =>
  logs.flatMap(({ topics: [topic = ''], logIndex }) => {
    const known = SWAP_TOPICS.get(topic)
    return known ? [{ exchange: known.exchange, isSeen: seen.has(Number(logIndex)) }] : []
  })

async function withDatabase<T>(server: string, use: (url: string) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  const name = `assay_receipts_${process.pid}_${Date.now().toString(36)}`
  try {
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(server)
    url.pathname = name
    return await use(url.href).finally(() => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  } finally {
    await admin.end()
  }
}

interface EventOfPool {
  block: number
  log_index: number
  wallet: string
  attribution: number | null
  type: number
  direction: number | null
  quantity: number
  part: number | null
  has_many: boolean
  token: string
  token0: string
  token1: string
}

/** One row per swap, though a swap may be an event of each of its tokens; a row for each part of a change. */
const EVENTS = `SELECT DISTINCT ON (e.block_number, e.log_index, CASE WHEN e.type = 1 THEN 0 ELSE e.part END)
    e.block_number AS block, e.log_index, w.address AS wallet, e.attribution, e.type, e.direction, e.quantity, e.part,
    p.hook_rights & ${MANY_COINS} > 0 AS has_many, t.address AS token, t0.address AS token0, t1.address AS token1
  FROM event e JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id JOIN pool p ON p.id = e.pool_id
  JOIN token t0 ON t0.id = p.token0_id JOIN token t1 ON t1.id = p.token1_id WHERE e.type < 4
  ORDER BY e.block_number, e.log_index, CASE WHEN e.type = 1 THEN 0 ELSE e.part END, e.part NULLS FIRST`

const readEvents = async (pool: pg.Pool): Promise<EventOfPool[]> => (await pool.query<EventOfPool>(EVENTS)).rows

const byOf = ({ log_index: logIndex, wallet, attribution }: EventOfPool) => ({
  logIndex,
  wallet,
  attribution: ATTRIBUTIONS[attribution ?? 0] ?? '',
})

function toSeen(row: EventOfPool, logs: readonly DecodedLog[], whole: Whole): Seen[] {
  const log = logs.findLast(({ logIndex }) => logIndex === row.log_index)
  const amounts = row.type === EVENT_TYPE_ID.swap && log && amountsOf(log)
  if (!amounts) return []
  const other = row.token === row.token0 ? row.token1 : row.token0
  const isBuy = DIRECTIONS[(row.direction ?? 0) - 1] === 'buy'
  const [tokenIn, tokenOut] = isBuy ? [other, row.token] : [row.token, other]
  const [amountIn, amountOut] = [whole(amounts[0], tokenIn), whole(amounts[1], tokenOut)]
  return [{ ...byOf(row), tokenIn, tokenOut, amountIn, amountOut }]
}

/** A part of a change has its token's amount; the first part of a pool of two tokens has both from the log. */
function toChange(row: EventOfPool, logs: readonly DecodedLog[], whole: Whole): SeenChange[] {
  if (row.type === EVENT_TYPE_ID.swap) return []
  const isAdd = row.type === EVENT_TYPE_ID.liquidity_add
  const log = logs.findLast(({ logIndex }) => logIndex === row.log_index)
  const tokens = [row.token0, row.token1]
  const both = row.has_many || !log ? null : changeOf(log, tokens)
  if (!both) return [{ ...byOf(row), isAdd, amounts: [[row.token, row.quantity]] }]
  if (row.part !== null) return []
  const size = (amount: bigint) => (amount < 0n ? -amount : amount)
  return [{ ...byOf(row), isAdd, amounts: tokens.map((token, at) => [token, whole(size(both[at] ?? 0n), token)]) }]
}
