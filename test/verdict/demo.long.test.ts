// The laws of a verdict for every token of the demo chain, as the index stands at every 50th block.
import { expect, test } from 'vitest'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { readHead } from '../../src/ledger/head.ts'
import { readVerdicts } from '../../src/ledger/read/token-score.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { checkDemo, demoRecording, indexDemo } from '../support/demo.ts'
import { readingOf } from '../support/reading.ts'
import { brokenLaws } from '../support/verdict-laws.ts'

const STEP = 50
/** Contracts are checked less often: each check is of the recording's end. */
const STEP_OF_CHECKS = 500

/** The laws that verdicts of the newest scores break, each with its token. */
async function readBroken(database: TestDatabase): Promise<{ judged: number; broken: string[] }> {
  const head = await readHead(database.pool)
  const { rows } = await database.pool.query<{ id: number; symbol: string }>(
    'SELECT id, symbol FROM token WHERE indexed ORDER BY id',
  )
  const ids = rows.map(({ id }) => id)
  const verdicts = await readVerdicts(readingOf(database.pool, head), ids)
  const judged = verdicts.flatMap(({ id, verdict }) => (verdict ? [{ id, verdict }] : []))
  return {
    judged: judged.length,
    broken: judged.flatMap(({ id, verdict }) =>
      brokenLaws({ ...verdict, level: toRiskLevel(verdict.riskScore) }).map(
        (law) => `block ${head.number}, ${rows.find((row) => row.id === id)?.symbol}: ${law} (${verdict.headline})`,
      ),
    ),
  }
}

test('the laws of a verdict hold for every token of the demo at every 50th block', async () => {
  const database = await createTestDatabase()
  const last = demoRecording().blocks.length - 1
  let judged = 0
  const broken: string[] = []
  for (let head = STEP; head < last + STEP; head += STEP) {
    await indexDemo(database, Math.min(head, last))
    if (head % STEP_OF_CHECKS === 0 || head >= last) await checkDemo(database)
    const found = await readBroken(database)
    judged += found.judged
    broken.push(...found.broken)
  }
  expect(judged).toBeGreaterThan(1_000)
  expect(broken).toEqual([])
}, 1_800_000)
