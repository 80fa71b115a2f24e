// Evidence about a token's contract in its stored events: how many of its buyers ever sold, and runs of buys. The
// events have one amount per trade, so they show no tax. Transfers are left out, because the events do not have their
// signer.
import type { Address } from '../../base/address.ts'
import type { pg } from '../../database/client.ts'
import type { LogFacts } from '../../safety/log-facts.ts'
import { measureLogs } from '../../safety/logs/measure.ts'
import type { TokenTrade } from '../../safety/logs/window.ts'

const MOST_TRADES = 2_000
const WINDOW_SECONDS = 7 * 86_400

interface TradeRow {
  time: number
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
    text: `SELECT date_part('epoch', e.time) AS time, w.address AS trader, e.direction = 1 AS "isBuy", w.kind
      FROM (SELECT * FROM event WHERE token_id = $1 AND type = 1 ORDER BY token_type_n DESC LIMIT ${MOST_TRADES}) e
      JOIN wallet w ON w.id = e.wallet_id
      WHERE e.time > to_timestamp($2::float8) ORDER BY e.n`,
    values: [tokenId, now - WINDOW_SECONDS],
  })
  const trades = rows.map(({ time, trader, isBuy }): TokenTrade => ({ time, trader, isBuy, left: 1n, arrived: 1n }))
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
    facts: { ...facts, buyTaxPct: null, sellTaxPct: null, taxChangePct: 0 },
    lastBuys: new Map(rows.filter(({ isBuy }) => isBuy).map(({ trader, time }) => [trader, time])),
  }
}
