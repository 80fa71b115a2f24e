// The complete content of a ledger by table, and the differences between two ledgers.
import type pg from 'pg'
import { FIVE_MINUTES_KEPT_DAYS, MINUTES_KEPT_DAYS } from '../../src/base/retention.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import type { Database } from '../../src/database/client.ts'
import { dumpLedger, rescoreAll } from '../support/live.ts'

/** Every table that follows from the blocks, by name: its rows as JSON, in a fixed order. */
type Dump = Record<string, string[]>

/** The content of a ledger. */
export interface Picture {
  /** As the program left it. Each score is as of the block in its row. */
  found: Dump
  /** With every score as of the newest block. */
  rescored: Dump
}

/**
 * Reads a ledger, and rescores all of it in between. Ages and reputations in a score depend on its block, and so on the
 * program's timing. Throws if a score is older than the last event of its token or wallet, or if a score is due.
 */
export async function takePicture(database: Database): Promise<Picture> {
  const { pool } = database
  for (const [what, text] of Object.entries(STALE)) {
    const { rows } = await pool.query(text)
    if (rows.length > 0) throw new Error(`${rows.length} ${what}, the first one ${JSON.stringify(rows[0])}`)
  }
  const found = await dumpAll(pool)
  await rescoreAll(database, loadPreset(DEMO_CHAIN_ID))
  return { found, rescored: await dumpAll(pool) }
}

/**
 * One line per table whose rows differ: how many, and the differing columns of the first one. Unrescored, only scores
 * of the same block are compared; rescored, all of them.
 */
export const findDifferences = (one: Picture, other: Picture): string[] => [
  ...compare(one.found, other.found, (left, right) => left.block_number === right.block_number),
  ...compare(one.rescored, other.rescored, () => true).map((line) => `rescored: ${line}`),
]

const STALE = {
  'tokens were scored before their last event': `SELECT token_id, max(t.block_number) AS touched, max(s.block_number) AS scored
    FROM token_block t JOIN token ON token.id = t.token_id AND indexed AND kind = 'erc20' LEFT JOIN token_score s USING (token_id)
    GROUP BY token_id HAVING max(s.block_number) IS NULL OR max(s.block_number) < max(t.block_number)`,
  'wallets were scored before their last event': `SELECT wallet_id, max(e.block_number) AS touched, max(s.block_number) AS scored
    FROM event e JOIN wallet ON wallet.id = e.wallet_id AND indexed AND kind <> 'pool' LEFT JOIN wallet_score s USING (wallet_id)
    GROUP BY wallet_id HAVING max(s.block_number) IS NULL OR max(s.block_number) < max(e.block_number)`,
  'scores are due': 'SELECT kind, id FROM score_due WHERE due_at <= (SELECT max(time) FROM block)',
}

/**
 * A score without the time of its computation, and its explanation without its first two entries, which are the block
 * and the hour.
 */
const SCORE = `jsonb_set(to_jsonb(t) - 'updated_at', '{explanation}', t.explanation::jsonb - 0 - 0)`
const COPIES = ['risk_score', 'risk_flags', 'trending_score']

/** Candles that the last final block may delete are left out: when a block becomes final depends on the timing. */
const candles = (table: string, period: string, seconds: number, days: number) =>
  `SELECT to_jsonb(t) AS row FROM ${table} t
    WHERE ${period} >= (SELECT date_part('epoch', max(time)) / ${seconds} FROM block) - ${(days * 86_400) / seconds} ORDER BY 1`

const ROWS: Readonly<Record<string, string>> = {
  token: `SELECT to_jsonb(t) - '{updated_block,${COPIES}}'::text[] AS row FROM token t ORDER BY id`,
  token_score: `SELECT ${SCORE} || jsonb_build_object(${COPIES.map((name) => `'copied ${name}', token.${name}`)}) AS row
    FROM token_score t JOIN token ON token.id = token_id ORDER BY token_id`,
  wallet_score: `SELECT ${SCORE} AS row FROM wallet_score t ORDER BY wallet_id`,
  token_block: `SELECT to_jsonb(t) AS row FROM token_block t
    WHERE time > (SELECT max(time) FROM block) - interval '24 hours' ORDER BY 1`,
  token_minute: candles('token_minute', 'minute', 60, MINUTES_KEPT_DAYS),
  token_five_minutes: candles('token_five_minutes', 'slot', 300, FIVE_MINUTES_KEPT_DAYS),
}

async function dumpAll(pool: pg.Pool): Promise<Dump> {
  const dump = await dumpLedger(pool)
  for (const [table, text] of Object.entries(ROWS)) {
    const { rows } = await pool.query<{ row: string }>(`SELECT row::text FROM (${text}) rows`)
    dump[table] = rows.map(({ row }) => row)
  }
  return dump
}

type Row = Record<string, unknown>

/** `isComparable` decides for two rows of a score table. */
function compare(one: Dump, other: Dump, isComparable: (left: Row, right: Row) => boolean): string[] {
  return Object.entries(one).flatMap(([table, rows]) => {
    const others = other[table] ?? []
    const pair = (at: number) => [rows[at], others[at]].map((row) => JSON.parse(row ?? '{}') as Row) as [Row, Row]
    const wrong = [...rows.keys()].filter(
      (at) => rows[at] !== others[at] && (!table.endsWith('_score') || isComparable(...pair(at))),
    )
    if (wrong.length === 0 && rows.length === others.length) return []
    const [at = 0] = wrong
    const [left, right] = pair(at)
    const values = Object.keys({ ...left, ...right })
      .map((name) => [name, JSON.stringify(left[name]), JSON.stringify(right[name])])
      .filter(([, a, b]) => a !== b)
    const shown = values.map(([name, a, b]) => `${name} ${a} and not ${b}`).join(', ')
    return [`${table}: ${wrong.length} rows of ${rows.length} (${others.length}) differ, first row ${at + 1}: ${shown}`]
  })
}
