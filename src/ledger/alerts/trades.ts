// Trades of wallets, for alerts that name them. A sweep reads those of blocks that are new to it, and a backtest those
// of some wallets in the past month.
import { itemAt } from '../../base/item-at.ts'
import { pushTo } from '../../base/push-to.ts'
import { DIRECTIONS, type Direction, EVENT_TYPE_ID } from '../../base/vocabulary.ts'
import type { Send } from '../../database/diverted-pool.ts'
import type { Transition } from './notice.ts'
import type { SweepClient } from './sweep.ts'

/** What a wallet bought or sold of a token. */
export interface WalletTrade {
  wallet: string
  direction: Direction
  /** In all. */
  usd: number
  /** The newest block of it. */
  block: number
}

/** The most swaps that a sweep reads, the newest ones. Only a sweep that waited long sees more of them. */
const MOST_SWAPS = 100_000
/** The most swaps of a wallet that a backtest reads, the newest ones. */
const MOST_OF_WALLET = 5_000

interface Row extends Omit<WalletTrade, 'direction'> {
  tokenId: number
  direction: number
}

const toTrade = ({ tokenId: _, direction, ...row }: Row): WalletTrade => ({
  ...row,
  direction: itemAt(DIRECTIONS, direction - 1),
})

/** The trades of the blocks after `sinceBlock`, by token. */
export async function readTrades(client: SweepClient, sinceBlock: number): Promise<Map<number, WalletTrade[]>> {
  const { rows } = await client.query<Row>(
    `SELECT e.token_id AS "tokenId", w.address AS wallet, e.direction::int AS direction, sum(e.amount_usd) AS usd,
       max(e.block_number) AS block
     FROM (SELECT * FROM event
       WHERE n > coalesce((SELECT event_count FROM block WHERE number <= $1 ORDER BY number DESC LIMIT 1), 0)
         AND block_number > $1 AND type = ${EVENT_TYPE_ID.swap} ORDER BY n DESC LIMIT ${MOST_SWAPS}) e
     JOIN wallet w ON w.id = e.wallet_id GROUP BY e.token_id, w.address, e.direction ORDER BY usd DESC, w.address`,
    [sinceBlock],
  )
  const byToken = new Map<number, WalletTrade[]>()
  for (const row of rows) pushTo(byToken, row.tokenId, toTrade(row))
  return byToken
}

/** The newest block that stayed in all reorganisations after `generation`; null: there was none, or no block stayed. */
export async function readFork(client: SweepClient, generation: number): Promise<number | null> {
  const { rows } = await client.query<{ fork: number | null }>(
    'SELECT min(fork_block) AS fork FROM reorg WHERE id > $1',
    [generation],
  )
  return rows[0]?.fork ?? null
}

/** The pairs that a trade of a block after `fork` made match. */
export async function readToldTrades(client: SweepClient, fork: number): Promise<Transition[]> {
  const { rows } = await client.query<Transition>(
    `SELECT n.alert_id AS "alertId", a.revision, n.token_id AS "tokenId" FROM alert_notice n JOIN alert a ON a.id = n.alert_id
     WHERE n.block_number > $1
       AND (SELECT max((t->>'block')::int) FROM jsonb_array_elements(n.facts->'trades') t) > $1`,
    [fork],
  )
  return rows
}

/** A trade of a backtest. */
export interface PastTrade extends WalletTrade {
  tokenId: number
}

/** The newest swaps of wallets from a time on, oldest first. */
export async function readPastTrades(send: Send, wallets: readonly string[], fromMs: number): Promise<PastTrade[]> {
  const { rows } = await send({
    name: 'past trades',
    text: `SELECT e.token_id AS "tokenId", w.address AS wallet, e.direction::int AS direction, e.amount_usd AS usd,
        e.block_number AS block
      FROM wallet w CROSS JOIN LATERAL (SELECT * FROM event WHERE wallet_id = w.id AND type = ${EVENT_TYPE_ID.swap}
        ORDER BY wallet_type_n DESC LIMIT ${MOST_OF_WALLET}) e
      WHERE w.address = ANY($1::text[]) AND e.time >= to_timestamp($2::float8 / 1000) ORDER BY e.n`,
    values: [wallets, fromMs],
  })
  return (rows as Row[]).map((row) => ({ ...toTrade(row), tokenId: row.tokenId }))
}

/** The tokens with these addresses, by their numbers. */
export async function readNamedTokens(send: Send, addresses: readonly string[]): Promise<Map<number, string>> {
  const { rows } = await send({
    name: 'named tokens',
    text: 'SELECT id, address FROM token WHERE address = ANY($1::text[])',
    values: [addresses],
  })
  return new Map((rows as { id: number; address: string }[]).map(({ id, address }) => [id, address]))
}
