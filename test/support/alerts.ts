// The chain and its tokens as an alert sweep reads them: only the columns that filters read, no events.

import { NO_UNITS, type UnitPrices } from '../../src/base/present.ts'
import { DIRECTION_ID, type Direction, type RiskFlag } from '../../src/base/vocabulary.ts'
import type { Database } from '../../src/database/client.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'

export interface TokenSetting {
  liquidityUsd?: number
  marketCapUsd?: number
  riskScore?: number
  riskFlags?: RiskFlag[]
  fundedHolderCount?: number
  fundedHolderCount1hAgo?: number
  /** What snipers hold, in percent; null: unknown. */
  sniperHeldPct?: number | null
  /** Seconds since 1970. */
  createdAt?: number
  symbol?: string
  /** Its market cap is in this token, which is a unit of the chain; 0: in dollars. */
  unit?: number
  name?: string
  /** The newest check of its contract, as `packMarks` writes it; 0: none. */
  contractMarks?: number
}

/** The numbers of a wallet that no alert reads. */
const ZEROS = [
  'event_count',
  'swap_count',
  'liquidity_add_count',
  'liquidity_remove_count',
  'transfer_count',
  'bought_usd',
  'sold_usd',
  'sold_known_usd',
  'realised_usd',
  'closed_count',
  'win_count',
  'peak_realised_usd',
  'max_drawdown_usd',
  'closed_token_count',
  'bought_token_count',
  'early_buy_count',
  'snipe_count',
  'deployed_count',
  'updated_block',
]

interface TradeSetting {
  token: number
  wallet: number
  direction: Direction
  usd?: number
}

/** The time of block 0, in seconds since 1970. */
export const START = 1_760_000_000

/** The address of a token, or of a wallet. */
export const addressOf = (id: number): string => `0x${id.toString(16).padStart(40, '0')}`

/** Moves the chain: sets tokens at a block and makes that block the newest. A block with a new hash is a reorg. */
export function createAlertWorld({ pool }: Database) {
  return {
    async block(
      number: number,
      time: number,
      tokens: Record<number, TokenSetting> = {},
      hash = `0x${number}`,
      units: UnitPrices = NO_UNITS,
    ): Promise<void> {
      await pool.query('DELETE FROM event WHERE block_number >= $1', [number])
      const replaced = await pool.query('DELETE FROM block WHERE number >= $1', [number])
      if (replaced.rowCount)
        await pool.query(
          'INSERT INTO reorg (id, fork_block, event_count) SELECT coalesce(max(id), 0) + 1, $1, 0 FROM reorg',
          [number - 1],
        )
      await pool.query(
        `INSERT INTO chain (id, chain_id, name, start_block, source_head, finalized) VALUES (1, 1, 'test', 0, $1, -1)
         ON CONFLICT (id) DO UPDATE SET source_head = excluded.source_head`,
        [number],
      )
      await pool.query(
        `INSERT INTO block VALUES ($1, $2, '0x', to_timestamp($3), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $4, $5)`,
        [number, hash, time, units.ids, units.usd],
      )
      for (const [id, token] of Object.entries(tokens)) await setToken(Number(id), number, token)
    },
    /** A swap of a wallet in a block; the token has to change in it, too. */
    async trade(block: number, time: number, { token, wallet, direction, usd = 100 }: TradeSetting): Promise<void> {
      await pool.query(
        `INSERT INTO wallet (id, address, indexed, kind, first_seen_at, first_seen_block, ${ZEROS.join(', ')})
         VALUES ($1, $2, true, 'account', now(), 1, ${ZEROS.map(() => 0).join(', ')}) ON CONFLICT DO NOTHING`,
        [wallet, addressOf(wallet)],
      )
      await pool.query(
        `INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id, wallet_n,
           wallet_type_n, type, direction, quantity, amount_usd, time, tx_hash)
         SELECT k.n, k.n, $1, 0, $2, k.n, k.n, $3, k.n, k.n, 1, $4, 1, $5, to_timestamp($6), '\\x00'
         FROM (SELECT coalesce(max(n), 0) + 1 AS n FROM event) k`,
        [block, token, wallet, DIRECTION_ID[direction], usd, time],
      )
    },
    async forget(id: number): Promise<void> {
      await pool.query('DELETE FROM token WHERE id = $1', [id])
    },
    async account(email = 'owner@example.com', plan = 'pro'): Promise<{ accountId: number; keyId: number }> {
      const account = await pool.query<{ id: number }>(
        'INSERT INTO account (email, mailbox, plan) VALUES ($1, lower($1), $2) RETURNING id',
        [email, plan],
      )
      const accountId = account.rows[0]!.id
      const key = await pool.query<{ id: number }>(
        `INSERT INTO api_key (account_id, name) VALUES ($1, '') RETURNING id`,
        [accountId],
      )
      return { accountId, keyId: key.rows[0]!.id }
    },
    async alert(
      id: string,
      owner: { accountId: number; keyId: number },
      conditions: TokenFilter,
      name = id,
    ): Promise<void> {
      await pool.query(
        `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'active', $5, 'email', now(), now())`,
        [id, owner.keyId, owner.accountId, name, JSON.stringify(conditions)],
      )
    },
    /** The mails in the order of writing, with the ids of their tokens. */
    async messages(): Promise<{ alertId: string; status: string; tokens: number[] }[]> {
      const { rows } = await pool.query<{ alertId: string; status: string; tokens: number[] }>(
        `SELECT m.alert_id AS "alertId", m.status, coalesce(array_agg(n.token_id ORDER BY n.token_id) FILTER (WHERE n.id IS NOT NULL), '{}') AS tokens
         FROM alert_message m LEFT JOIN alert_notice n ON n.message_id = m.id
         GROUP BY m.id ORDER BY m.created_at, m.alert_id`,
      )
      return rows
    },
    async triggeredAt(id: string): Promise<Date | null> {
      const { rows } = await pool.query<{ at: Date | null }>(
        'SELECT last_triggered_at AS at FROM alert WHERE id = $1',
        [id],
      )
      return rows[0]!.at
    },
    query: (text: string, values: unknown[] = []) => pool.query(text, values),
    async reset(): Promise<void> {
      await pool.query(
        'TRUNCATE chain, block, reorg, token, account, api_key, alert, alert_sweep, alert_baseline, alert_departure, alert_message, alert_notice, alert_history CASCADE',
      )
    },
  }

  async function setToken(id: number, block: number, token: TokenSetting): Promise<void> {
    await pool.query(
      `INSERT INTO token (id, address, kind, indexed, name, symbol, decimals, supply, burned, created_at, created_block, launchpad, partial,
         price_usd, market_cap_usd, liquidity_usd, peak_liquidity_usd, buyer_count, holder_count, funded_holder_count, funded_holder_count_1h_ago, volume_24h_micro_usd,
         event_count, swap_count, liquidity_add_count, liquidity_remove_count, transfer_count, updated_block, risk_score, risk_flags,
         unit_id, price_unit, sniper_held_pct)
       VALUES ($1, $2, 'erc20', true, $3, $4, 18, 0, 0, to_timestamp($5), 0, 'unknown', false, 1, $6, $7, $7, 0, 0, $8, $9, 0, 0, 0, 0, 0, 0, $10, $11, $12, $13::int, CASE WHEN $13::int IS NULL THEN NULL ELSE 1 END, $14)
       ON CONFLICT (id) DO UPDATE SET market_cap_usd = excluded.market_cap_usd, liquidity_usd = excluded.liquidity_usd,
         funded_holder_count = excluded.funded_holder_count, funded_holder_count_1h_ago = excluded.funded_holder_count_1h_ago, updated_block = excluded.updated_block,
         risk_score = excluded.risk_score, risk_flags = excluded.risk_flags, unit_id = excluded.unit_id,
         price_unit = excluded.price_unit, sniper_held_pct = excluded.sniper_held_pct`,
      [
        id,
        addressOf(id),
        token.name ?? `Token ${id}`,
        token.symbol ?? `T${id}`,
        token.createdAt ?? START,
        token.marketCapUsd ?? 0,
        token.liquidityUsd ?? 0,
        token.fundedHolderCount ?? 0,
        token.fundedHolderCount1hAgo ?? 0,
        block,
        token.riskScore ?? 60,
        token.riskFlags ?? [],
        token.unit || null,
        token.sniperHeldPct ?? null,
      ],
    )
    await pool.query('DELETE FROM token_safety WHERE token_id = $1', [id])
    if (!token.contractMarks) return
    await pool.query(
      `INSERT INTO token_safety (token_id, checked_block, checked_at, marks, insiders, contracts, report)
       VALUES ($1, $2, to_timestamp($3), $4, '{}', '{}', '')`,
      [id, block, token.createdAt ?? START, token.contractMarks],
    )
  }
}
