// Indexes each chain's receipts with the parts of the program, from a node that serves one receipt a block, and judges
// every swap.
import pg from 'pg'
import { systemClock } from '../../../src/base/clock.ts'
import { ATTRIBUTIONS, DIRECTIONS } from '../../../src/base/vocabulary.ts'
import { completeRoute } from '../../../src/book/logs/routes.ts'
import { type Known, toKnown } from '../../../src/book/rows/known.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { SWAP_TOPICS } from '../../../src/chain/logs/swap-topics.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { openDatabase } from '../../../src/database/client.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { FIRST_BUYS } from '../../../src/scoring/weights.ts'
import { indexToHead } from '../../../test/support/live.ts'
import { createRecordedNode, type Recorded, readRecorded } from '../../../test/support/recorded-node.ts'
import type { Recording } from '../recording.ts'
import { deepPairs, presetOf } from './chain.ts'
import { amountsOf, type Judged, judgeSwap, type Seen } from './judge.ts'
import { type Expectation, type Receipts, readReceipts } from './read.ts'

export interface JudgedSwap extends Judged {
  expected: Expectation
  /** Whether the route has swaps of known exchanges, and all of these are read. */
  isClaimed: boolean
  /** The logs of known exchanges' swaps, and whether the index has an event of each. */
  logs: { exchange: string; isSeen: boolean }[]
}

/** Judges the swaps of the folder. `server`: a PostgreSQL in which a database per chain is made and dropped. */
export async function judgeReceipts(folder: string, server: string): Promise<JudgedSwap[]> {
  const receipts = readReceipts(folder)
  const judged: JudgedSwap[] = []
  for (const chainId of receipts.chains.keys()) judged.push(...(await judgeChain(receipts, chainId, server)))
  return judged
}

async function judgeChain(receipts: Receipts, chainId: number, server: string): Promise<JudgedSwap[]> {
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
      return chain.flatMap(({ expected, recording }, at) => {
        if (expected.kind !== 'swap') return []
        const each = recorded[at] as Recorded
        const seen = rows.filter(({ block }) => block === at + 1).flatMap((row) => toSeen(row, each, known, decimals))
        const logs = swapLogs(recording, new Set(seen.map(({ logIndex }) => logIndex)))
        return [{ ...judgeSwap(expected, seen, recording), expected, isClaimed: isClaimed(recording), logs }]
      })
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
  direction: number
  token: string
  token0: string
  token1: string
}

/** One row per swap, though a swap may be an event of each of its tokens. */
const EVENTS = `SELECT DISTINCT ON (e.block_number, e.log_index) e.block_number AS block, e.log_index, w.address AS wallet, e.attribution,
    e.direction, t.address AS token, t0.address AS token0, t1.address AS token1
  FROM event e JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id JOIN pool p ON p.id = e.pool_id
  JOIN token t0 ON t0.id = p.token0_id JOIN token t1 ON t1.id = p.token1_id
  WHERE e.type = 1 ORDER BY e.block_number, e.log_index, e.part NULLS FIRST`

const readEvents = async (pool: pg.Pool): Promise<EventOfPool[]> => (await pool.query<EventOfPool>(EVENTS)).rows

function toSeen(row: EventOfPool, { logs }: Recorded, known: Known, decimals: ReadonlyMap<string, number>): Seen[] {
  const log = completeRoute(known, logs).findLast(({ logIndex }) => logIndex === row.log_index)
  const amounts = log && amountsOf(log)
  if (!amounts) return []
  const other = row.token === row.token0 ? row.token1 : row.token0
  const isBuy = DIRECTIONS[row.direction - 1] === 'buy'
  const [tokenIn, tokenOut] = isBuy ? [other, row.token] : [row.token, other]
  const whole = (raw: bigint, token: string) => Number(raw) / 10 ** (decimals.get(token) ?? 18)
  return [
    {
      logIndex: row.log_index,
      wallet: row.wallet,
      attribution: ATTRIBUTIONS[row.attribution ?? 0] ?? '',
      tokenIn,
      tokenOut,
      amountIn: whole(amounts[0], tokenIn),
      amountOut: whole(amounts[1], tokenOut),
    },
  ]
}
