// Evidence about a token's contract in its stored events: how many of its buyers ever sold, and runs of buys. The
// events have one amount per trade, so the check asks the node for the logs of the newest. Transfers are left out,
// because the events do not have their signer.
import type { Address, Hash } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { pg } from '../../database/client.ts'
import type { LogFacts } from '../../safety/log-facts.ts'
import { measureLogs } from '../../safety/logs/measure.ts'
import type { WindowTrade } from '../../safety/logs/window.ts'
import type { RecentTrade } from '../../safety/target.ts'

const MOST_TRADES = 2_000
const WINDOW_SECONDS = 7 * DAY_SECONDS

interface TradeRow {
  time: number
  block: number
  txHash: Hash
  trader: Address
  isBuy: boolean
  kind: string
}

/** The time when the token could first be traded, and its insiders. */
interface Launched {
  /** Seconds since 1970. */
  launchedAt: number | null
  launchedBlock: number
  insiders: readonly Address[]
}

export interface TokenLogs {
  facts: LogFacts
  /** When each buyer last bought, in seconds since 1970. */
  lastBuys: ReadonlyMap<Address, number>
  /** The newest sales and purchases of strangers. */
  newest: readonly RecentTrade[]
}

/** The newest 2,000 trades of the last seven days before `now`, in seconds since 1970; null without any. */
export async function readLogs(
  client: Pick<pg.ClientBase, 'query'>,
  tokenId: number,
  now: number,
  { launchedAt, launchedBlock, insiders }: Launched,
): Promise<TokenLogs | null> {
  const { rows } = await client.query<TradeRow>({
    name: 'safety trades',
    text: `SELECT date_part('epoch', e.time) AS time, e.block_number AS block, '0x' || encode(e.tx_hash, 'hex') AS "txHash", w.address AS trader, e.direction = 1 AS "isBuy", w.kind
      FROM (SELECT * FROM event WHERE token_id = $1 AND type = 1 ORDER BY token_type_n DESC LIMIT ${MOST_TRADES}) e
      JOIN wallet w ON w.id = e.wallet_id
      WHERE e.time > to_timestamp($2::float8) ORDER BY e.n`,
    values: [tokenId, now - WINDOW_SECONDS],
  })
  const trades = rows.map(({ time, trader, isBuy }): WindowTrade => ({ time, trader, isBuy }))
  const [first] = trades
  if (!first) return null
  const facts = measureLogs({
    from: first.time,
    to: now,
    launchedAt: launchedAt ?? first.time,
    launchedBlock,
    trades,
    transfers: [],
    insiders: new Set(insiders),
    contracts: new Set(rows.filter(({ kind }) => kind !== 'account').map(({ trader }) => trader)),
    approvers: null,
    supplyBefore: 0n,
    isWhole: false,
  })
  return {
    facts,
    newest: newestOf(rows, insiders),
    lastBuys: new Map(rows.filter(({ isBuy }) => isBuy).map(({ trader, time }) => [trader, time])),
  }
}

/** The most of each side whose logs a check reads. */
const NEWEST = { sales: 6, purchases: 4 } as const

function newestOf(rows: readonly TradeRow[], insiders: readonly Address[]): RecentTrade[] {
  const strange = rows.filter(({ trader }) => !insiders.includes(trader))
  const last = (isBuy: boolean, count: number) => strange.filter((row) => row.isBuy === isBuy).slice(-count)
  return [...last(false, NEWEST.sales), ...last(true, NEWEST.purchases)].map(
    ({ txHash, block, time, trader, isBuy }) => ({ txHash, block, time, trader, isBuy }),
  )
}
