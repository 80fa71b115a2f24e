// A start of a version with other scores: all scores of the previous one are computed anew, also those of tokens
// without trades.
import { expect, test } from 'vitest'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createRescore } from '../../../src/indexing/rescore.ts'
import { renewScores } from '../../../src/ledger/scores/renew.ts'
import { SCORE_VERSION } from '../../../src/scoring/score-version.ts'
import { createDemoDatabase, demoRecording } from '../../support/demo.ts'

test('scores of another form are all due once, and computed anew, words and numbers', async () => {
  const database = await createDemoDatabase()
  const { pool } = database
  const rescore = createRescore({ database, preset: loadPreset(demoRecording().chainId) })
  const read = async () =>
    (await pool.query('SELECT token_id, summary, risk_score FROM token_score ORDER BY token_id')).rows
  const [{ scores }] = (
    await pool.query(
      'SELECT (SELECT count(*) FROM token_score)::int + (SELECT count(*) FROM wallet_score)::int AS scores',
    )
  ).rows
  await renewScores(pool, SCORE_VERSION)
  await rescore.run()
  const before = await read()
  await pool.query("UPDATE token_score SET summary = 'words of before'")
  expect(await renewScores(pool, SCORE_VERSION)).toBe(0)
  await rescore.run()
  expect((await read()).filter(({ summary }) => summary === 'words of before')).toHaveLength(before.length)

  await pool.query("UPDATE chain SET score_form = 'another'")
  expect(scores).toBeGreaterThan(400)
  expect(await renewScores(pool, SCORE_VERSION)).toBe(scores)
  expect(await renewScores(pool, SCORE_VERSION)).toBe(0)
  await rescore.run()
  expect((await read()).map(({ summary }) => summary)).not.toContain('words of before')
})
