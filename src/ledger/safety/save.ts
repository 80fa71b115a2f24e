// Stores the newest report of a token's contract. The row before it is kept under the checked block, so that a reorganisation takes
// the result back with its block. The token's score becomes due, since the report is part of it.
import type { pg } from '../../database/client.ts'
import { packReport } from '../../safety/pack.ts'
import type { SafetyReport } from '../../safety/report.ts'
import { SCORE_KINDS } from '../score-kinds.ts'
import { keepImages } from '../undo.ts'
import { IDLE_CHECK_SECONDS, putOff } from './due.ts'

const SAVE = `INSERT INTO token_safety (token_id, checked_block, checked_at, status, sellable, buy_tax_pct, sell_tax_pct,
    power_kinds, floor, complete, code_hash, owner, report)
  VALUES ($1, $2, to_timestamp($3::float8), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  ON CONFLICT (token_id) DO UPDATE SET checked_block = excluded.checked_block, checked_at = excluded.checked_at,
    status = excluded.status, sellable = excluded.sellable, buy_tax_pct = excluded.buy_tax_pct,
    sell_tax_pct = excluded.sell_tax_pct, power_kinds = excluded.power_kinds, floor = excluded.floor,
    complete = excluded.complete, code_hash = excluded.code_hash, owner = excluded.owner, report = excluded.report`

const SCORE_DUE = `INSERT INTO score_due (kind, id, due_at) SELECT ${SCORE_KINDS.token}::smallint, $1::int, to_timestamp($2::float8)
  ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at)`

/** Inside one transaction. `now`: the time of the ledger's newest block, in seconds since 1970. */
export async function saveReport(
  client: pg.ClientBase,
  tokenId: number,
  report: SafetyReport,
  now: number,
): Promise<void> {
  const { sellCheck, powers, code } = report
  for (const statement of keepImages(sellCheck.checkedBlock, 'token_safety', [[tokenId]])) await client.query(statement)
  const open = new Set((powers ?? []).filter(({ renounced }) => !renounced).map(({ kind }) => kind))
  const values = [
    tokenId,
    sellCheck.checkedBlock,
    report.checkedAt ?? now,
    sellCheck.status,
    sellCheck.sellable,
    sellCheck.buyTaxPct,
    sellCheck.sellTaxPct,
    [...open],
    report.floor,
    report.complete,
    code?.implementationHash ?? null,
    code?.owner ?? null,
    packReport(report),
  ]
  await client.query({ name: 'save safety', text: SAVE, values })
  await client.query({ name: 'score after safety', text: SCORE_DUE, values: [tokenId, now] })
  await putOff(client, tokenId, now + IDLE_CHECK_SECONDS)
}
