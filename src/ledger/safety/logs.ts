// Evidence about a token's contract in its stored events: the share of buyers that sold, runs of buys, and mints to
// its deployer or owner. The events have one amount per trade, so the check asks the node for the logs of the newest.
// They do not have the signer of a transfer, so the check asks for a few of those as well.
import { type Address, type Hash, ZERO_ADDRESS } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { pg } from '../../database/client.ts'
import type { LogFacts } from '../../safety/log-facts.ts'
import { measureLogs } from '../../safety/logs/measure.ts'
import type { WindowTrade } from '../../safety/logs/window.ts'
import type { RecentMove, RecentTrade } from '../../safety/target.ts'
import { readTransfers, supplyMovesOf, suspectMoves } from './transfers.ts'

const MOST_TRADES = 2_000
const WINDOW_SECONDS = 7 * DAY_SECONDS

interface TradeRow {
  time: number
  block: number
  txHash: Hash
  trader: Address
  isBuy: boolean
}

/** The time when the token could first be traded, its insiders with its deployer, and its supply in raw units. */
interface Launched {
  /** Seconds since 1970. */
  launchedAt: number | null
  launchedBlock: number
  insiders: readonly Address[]
  deployer: Address | null
  owner: Address | null
  supply: bigint
  decimals: number
}

export interface TokenLogs {
  /** Null without a trade. */
  facts: LogFacts | null
  /** When each buyer last bought, in seconds since 1970. */
  lastBuys: ReadonlyMap<Address, number>
  /** The newest sales and purchases of strangers. */
  newest: readonly RecentTrade[]
  /** Transfers whose signers a check asks for. */
  moves: readonly RecentMove[]
}

/** Of the newest 2,000 trades and 1,000 transfers of the last seven days before `now`, in seconds since 1970. */
export async function readLogs(
  client: Pick<pg.ClientBase, 'query'>,
  tokenId: number,
  now: number,
  { launchedAt, launchedBlock, insiders: list, deployer, owner, supply, decimals }: Launched,
): Promise<TokenLogs> {
  const { rows } = await client.query<TradeRow>({
    name: 'safety trades',
    text: `SELECT date_part('epoch', e.time) AS time, e.block_number AS block, '0x' || encode(e.tx_hash, 'hex') AS "txHash", w.address AS trader, e.direction = 1 AS "isBuy"
      FROM (SELECT * FROM event WHERE token_id = $1 AND type = 1 ORDER BY token_type_n DESC LIMIT ${MOST_TRADES}) e
      JOIN wallet w ON w.id = e.wallet_id
      WHERE e.time > to_timestamp($2::float8) ORDER BY e.n`,
    values: [tokenId, now - WINDOW_SECONDS],
  })
  const trades = rows.map(({ time, trader, isBuy }): WindowTrade => ({ time, trader, isBuy }))
  const transfers = await readTransfers(client, tokenId, now - WINDOW_SECONDS)
  const supplyMoves = supplyMovesOf(transfers, decimals)
  const insiders = new Set(list)
  const [first] = trades
  const facts = first
    ? measureLogs({
        from: first.time,
        to: now,
        launchedAt: launchedAt ?? first.time,
        launchedBlock,
        trades,
        insiders,
        minters: new Set([deployer, owner].filter((each) => each !== null)),
        supplyMoves,
        supplyBefore: supplyMoves.reduce(
          (sum, { from, amount }) => sum + (from === ZERO_ADDRESS ? -amount : amount),
          supply,
        ),
      })
    : null
  return {
    facts,
    moves: suspectMoves(transfers, insiders, new Set(rows.map(({ txHash }) => txHash))),
    newest: newestOf(rows, insiders),
    lastBuys: new Map(rows.filter(({ isBuy }) => isBuy).map(({ trader, time }) => [trader, time])),
  }
}

/** The most of each side whose logs a check reads. */
const NEWEST = { sales: 6, purchases: 4 } as const

function newestOf(rows: readonly TradeRow[], insiders: ReadonlySet<Address>): RecentTrade[] {
  const strange = rows.filter(({ trader }) => !insiders.has(trader))
  const last = (isBuy: boolean, count: number) => strange.filter((row) => row.isBuy === isBuy).slice(-count)
  return [...last(false, NEWEST.sales), ...last(true, NEWEST.purchases)].map(
    ({ txHash, block, time, trader, isBuy }) => ({ txHash, block, time, trader, isBuy }),
  )
}
