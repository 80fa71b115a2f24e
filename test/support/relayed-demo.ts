// What the index says of the demo chain, by address, so that two of its tellings can be compared. Input: databases.
// Output: how many of the facts differ. Relayers and the contracts that they call are no part of the comparison.
import type pg from 'pg'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import type { Recording } from '../../src/chain/replay/recording.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import type { Database } from '../../src/database/client.ts'
import { indexToHead } from './live.ts'

/** Indexes and scores a recording. */
export async function indexRecording(
  database: Database,
  recording: Recording,
  more: Partial<Preset> = {},
): Promise<void> {
  const rpc = createRpc({ endpoints: [createReplay(recording)], clock: systemClock })
  const preset = { ...loadPreset(DEMO_CHAIN_ID), ...more }
  const source = createSource({ rpc, preset, clock: systemClock })
  await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
}

/** Each subject's value; a subject that is missing in one of two tellings differs. */
type Told = ReadonlyMap<string, string>

/** A statement for each fact: a text that names the subject, and its value. Services are left out. */
const FACTS = {
  trades: `SELECT concat_ws(' ', e.block_number, t.address, row_number() OVER (PARTITION BY e.block_number, t.address ORDER BY e.n)) AS subject,
      concat_ws(' ', w.address, e.direction, e.quantity, e.amount_usd) AS value
    FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id WHERE e.type = 1`,
  'liquidity changes': `SELECT concat_ws(' ', e.block_number, t.address, row_number() OVER (PARTITION BY e.block_number, t.address ORDER BY e.n)) AS subject,
      concat_ws(' ', w.address, e.type, e.quantity, e.amount_usd) AS value
    FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id WHERE e.type IN (2, 3)`,
  transfers: `SELECT concat_ws(' ', e.block_number, t.address, row_number() OVER (PARTITION BY e.block_number, t.address ORDER BY e.n)) AS subject,
      concat_ws(' ', w.address, c.address, e.quantity, e.amount_usd) AS value
    FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id JOIN wallet c ON c.id = e.counterparty_id WHERE e.type = 4`,
  profits: `SELECT address AS subject, concat_ws(' ', round(realised_usd::numeric, 2), round(bought_usd::numeric, 2), round(sold_usd::numeric, 2)) AS value
    FROM wallet WHERE indexed AND swap_count > 0`,
  classes: `SELECT w.address AS subject, s.classification AS value
    FROM wallet w JOIN wallet_score s ON s.wallet_id = w.id WHERE w.indexed AND w.swap_count > 0`,
  reputations: `SELECT w.address AS subject, concat_ws(' ', s.reputation_score, s.confidence) AS value
    FROM wallet w JOIN wallet_score s ON s.wallet_id = w.id WHERE w.indexed AND w.swap_count > 0`,
  funders: `SELECT w.address AS subject, f.address AS value FROM wallet w JOIN wallet f ON f.id = w.first_funder_id
    WHERE w.kind = 'account'`,
  links: `SELECT concat_ws(' ', f.address, t.address, l.kind) AS subject, count(*)::text AS value
    FROM link l JOIN wallet f ON f.id = l.from_id JOIN wallet t ON t.id = l.to_id GROUP BY 1`,
  deployers: `SELECT t.address AS subject, w.address AS value FROM token t JOIN wallet w ON w.id = t.deployer_id WHERE t.indexed`,
  pulls: `SELECT address AS subject, pulled_count::text AS value FROM wallet WHERE pulled_count > 0`,
  holders: `SELECT address AS subject, concat_ws(' ', holder_count, funded_holder_count, buyer_count) AS value FROM token WHERE indexed`,
  flags: `SELECT address AS subject, array_to_string(risk_flags, ' ') AS value FROM token WHERE indexed`,
  scores: `SELECT address AS subject, risk_score::text AS value FROM token WHERE indexed`,
} as const
export type Fact = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as Fact[]

async function read(pool: pg.Pool, fact: Fact): Promise<Told> {
  const { rows } = await pool.query<{ subject: string; value: string }>(FACTS[fact])
  return new Map(rows.map(({ subject, value }) => [subject, value]))
}

export interface Difference {
  /** How many subjects the first telling has. */
  count: number
  /** Each that differs: its subject, and both values. */
  differ: { subject: string; plain: string | undefined; relayed: string | undefined }[]
}

/** The differences of two tellings of the same chain. */
export async function compareTellings(plain: Database, relayed: Database): Promise<Record<Fact, Difference>> {
  const found: Partial<Record<Fact, Difference>> = {}
  for (const fact of FACT_NAMES) {
    const [before, after] = [await read(plain.pool, fact), await read(relayed.pool, fact)]
    const differ = [...new Set([...before.keys(), ...after.keys()])]
      .filter((subject) => before.get(subject) !== after.get(subject))
      .map((subject) => ({ subject, plain: before.get(subject), relayed: after.get(subject) }))
    found[fact] = { count: before.size, differ }
  }
  return found as Record<Fact, Difference>
}
