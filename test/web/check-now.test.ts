// "Check now" on a token's page, where the test plays the indexer.
import { expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
keys.demo = (await served.knock({ plan: 'api' })).key
const { pool } = served.database
const open = openBrowser()

test.skipIf(NO_BROWSER)(
  `"Check now" tells the step that the indexer writes, until the check is over ${SKIPPED}`,
  async () => {
    await pool.query('UPDATE chain SET checks_off = NULL')
    const { rows } = await pool.query<{ address: string }>(
      `SELECT address FROM token WHERE indexed AND kind = 'erc20' AND NOT address = ANY(SELECT unnest(checks_exempt) FROM chain)
     ORDER BY liquidity_usd DESC LIMIT 1`,
    )
    const { page, problems } = await open({ width: 390, height: 844 })
    await page.goto(`${served.url}/token/${rows[0]?.address}`)
    const state = page.locator('#check-state')
    await page.getByRole('button', { name: 'Check now' }).press('Enter')
    await state.getByText('Waiting for other checks…').waitFor()
    await pool.query(`UPDATE safety_due SET step = 'trials', step_holders = 8 WHERE asked_at IS NOT NULL`)
    await state.getByText('Asking 8 holders to sell…').waitFor()
    await pool.query(`UPDATE safety_due SET step = 'powers', step_holders = NULL WHERE asked_at IS NOT NULL`)
    await state.getByText('Trying what single accounts can do…').waitFor()
    await pool.query('UPDATE safety_due SET asked_at = NULL, step = NULL')
    await state.getByText('The node did not answer.').waitFor()
    expect(problems).toEqual([])
    await page.close()
  },
)
