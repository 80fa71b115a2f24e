// When the demo is settled: its contracts are checked, and its scores know the result.
import { expect, test } from 'vitest'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import { createFirstChecks } from '../../../src/ledger/read/first-checks.ts'
import { createDemoDatabase } from '../../support/demo.ts'

const { pool } = await createDemoDatabase()

const settled = () => createFirstChecks(pool, DEMO_CHAIN_ID)()
const checkAll = (where: string) =>
  pool.query(`INSERT INTO token_safety (token_id, checked_block, checked_at, marks, insiders, contracts, report)
    SELECT id, 1, now(), 0, '{}', '{}', '' FROM token WHERE ${where} ON CONFLICT DO NOTHING`)

test('the demo is settled once each token that deserves a check has one or failed at it, and no score is due', async () => {
  expect(await settled()).toBe(false)
  const [last] = (
    await pool.query<{ id: number }>('SELECT max(id) AS id FROM token WHERE indexed AND liquidity_usd > 1e5')
  ).rows
  await checkAll(`id <> ${last?.id}`)
  expect(await settled()).toBe(false)
  await pool.query(`INSERT INTO safety_due (token_id, due_at) VALUES ($1, 'infinity')`, [last?.id])
  expect(await settled()).toBe(true)
  await pool.query(
    `INSERT INTO score_due (kind, id, due_at) VALUES (1, $1, 'epoch')
    ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`,
    [last?.id],
  )
  expect(await settled()).toBe(false)
  await pool.query('TRUNCATE score_due')
  expect(await settled()).toBe(true)
})

test('a settled demo stays settled, and a network is from the start', async () => {
  const areDone = createFirstChecks(pool, DEMO_CHAIN_ID)
  expect(await areDone()).toBe(true)
  await pool.query('DELETE FROM token_safety')
  expect([await areDone(), await settled()]).toEqual([true, false])
  expect(await createFirstChecks(pool, DEMO_CHAIN_ID + 1)()).toBe(true)
})
