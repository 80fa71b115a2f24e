// The contract checks of the demo as a node reports them that runs code: the recording runs none, so that a part stays
// unknown. Input: an indexed demo database. Output: the checked tokens with these reports, stored and scored.
import type { Address } from '../../src/base/address.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { notifyHead } from '../../src/ledger/head.ts'
import { unpackReport } from '../../src/safety/pack.ts'
import type { SafetyReport } from '../../src/safety/report.ts'
import type { TestDatabase } from './database.ts'
import { checkDemo } from './demo.ts'
import { storeReport } from './safety-report.ts'

export interface WholeCheck {
  id: number
  address: Address
  symbol: string
  report: SafetyReport
}

export async function checkWhole(database: TestDatabase): Promise<WholeCheck[]> {
  await checkDemo(database)
  const { rows } = await database.pool.query<Omit<WholeCheck, 'report'> & { report: string }>(
    'SELECT t.id, t.address, t.symbol, s.report FROM token_safety s JOIN token t ON t.id = s.token_id WHERE t.indexed ORDER BY t.id',
  )
  const checked = rows.map((row) => ({ ...row, report: toWhole(unpackReport(row.report)) }))
  for (const { id, report } of checked) await storeReport(database.pool, id, report)
  await settleScores(database)
  return checked
}

const toWhole = (report: SafetyReport): SafetyReport => ({
  ...report,
  complete: true,
  powersTried: 'all',
  sellCheck: { ...report.sellCheck, sellTaxPct: report.sellCheck.sellTaxPct ?? 0 },
})

/** Scores the due rows, at an index that has just heard from its node. */
export async function settleScores(database: TestDatabase): Promise<void> {
  await database.pool.query(`UPDATE chain SET updated_at = '2100-01-01', waits = NULL`)
  await createRescore({ database, preset: { sectors: {} } }).run()
  await notifyHead(database.pool)
}
