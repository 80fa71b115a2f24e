// The backtest in the dialog of an alert, in a real browser.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Explanation } from '../../src/ledger/explanation.ts'
import { packExplanation } from '../../src/ledger/explanation-pack.ts'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { SAMPLE_EXPLANATION } from '../support/explanation.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
keys.demo = (await served.knock({ plan: 'api' })).key
const { pool } = served.database
const open = openBrowser()

// Three tokens begin to match two days before the newest block: one is pulled since, of one the price is known a day later.
const sweep = createSweep({ database: served.database, clock: systemClock, maxLag: 1_000_000 })
await sweep.run()
const matching = served.seeded.tokens.slice(3, 6).map(({ address }) => address)
await pool.query(
  `UPDATE token SET liquidity_usd = 7e9, updated_block = (SELECT max(number) FROM block) WHERE address = ANY($1)`,
  [matching],
)
await sweep.run()
await pool.query(`UPDATE alert_history SET time = time - interval '2 days'`)
await pool.query(`UPDATE token SET risk_flags = '{liquidity_pulled}' WHERE address = $1`, [matching[0]])
const PULLED: Explanation = { ...SAMPLE_EXPLANATION, headline: 'Do not buy: its liquidity was pulled.' }
await pool.query('UPDATE token_score SET explanation = $2 WHERE token_id = (SELECT id FROM token WHERE address = $1)', [
  matching[0],
  JSON.stringify(packExplanation(PULLED)),
])
await pool.query(`UPDATE token SET symbol = $2 WHERE address = $1`, [matching[1], '<b>BOLD</b>'])

const dialogOf = async (page: Page, query: string) => {
  await page.goto(`${served.url}/${query}`)
  await page.getByRole('button', { name: 'Alert me' }).click()
  return page.getByRole('dialog', { name: 'Alert me about this filter' })
}

describe.skipIf(NO_BROWSER)(`a backtest in a browser ${SKIPPED}`, () => {
  test.each([
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ])('tells in the dialog what the alert would have told, on a %s', async (_, size) => {
    const { page, problems } = await open(size)
    const dialog = await dialogOf(page, '?min_liquidity_usd=6000000000')
    await dialog.getByRole('button', { name: 'What would it have told?' }).click()
    await dialog.getByText(/^3 matches, 1 pulled, /).waitFor()
    // Each token has the verdict on it of now, in its own words.
    const pulled = dialog.getByRole('row', { name: 'Do not buy: its liquidity was pulled.' })
    expect(await pulled.count()).toBe(1)
    expect(await dialog.getByRole('row', { name: SAMPLE_EXPLANATION.headline }).count()).toBe(2)
    expect(await dialog.getByRole('link', { name: '<b>BOLD</b>' }).count()).toBe(1)
    expect(await pulled.locator('.up').count()).toBe(0)
    await dialog.getByText(/^Values are kept since /).waitFor()
    expect(await audit(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    const hidden = await dialog
      .getByRole('region', { name: 'Table of what it would have told' })
      .evaluate((region: { scrollWidth: number; clientWidth: number }) => region.scrollWidth - region.clientWidth)
    expect(hidden).toBeLessThanOrEqual(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/backtest-${size.width}.png` })
    await dialog.getByLabel('Name').fill('Deep ones')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The alert is active.').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('says that nothing matched, that it is under way, and when to ask again', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    const dialog = await dialogOf(page, '?min_liquidity_usd=9000000000')
    const ask = dialog.getByRole('button', { name: 'What would it have told?' })
    let answers = 0
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Backtest')) return route.continue()
      answers += 1
      if (answers > 1) return route.continue()
      await dialog.getByText('Looking back 30 days…').waitFor()
      const errors = [{ message: 'Your plan allows 10 requests per minute.', extensions: { code: 'RATE_LIMITED' } }]
      return route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: { errors } })
    })
    await ask.click()
    await dialog.getByText('Your plan allows 10 requests per minute. Try again in 30 seconds.').waitFor()
    await ask.click()
    await dialog.getByText('No token would have begun to match.').waitFor()
    expect(await dialog.getByRole('table').count()).toBe(0)
    await page.close()
  })
})
