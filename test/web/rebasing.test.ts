// The page marks holdings whose balance the contract changes without transfers.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createReport, storeReport } from '../support/safety-report.ts'
import { HEAD_NUMBER, HEAD_TIME } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const { url, database, knock } = await createServed({ readDemoKey: async () => keys.demo })
keys.demo = (await knock({ plan: 'api' })).key
const open = openBrowser()

/** Two tokens that one account holds. */
const { rows } = await database.pool.query<{ tokens: number[]; symbols: string[]; wallet: string }>(
  `SELECT array_agg(t.id) AS tokens, array_agg(t.symbol) AS symbols, w.address AS wallet
   FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
   WHERE t.indexed AND t.kind = 'erc20' AND w.indexed AND w.kind = 'account' AND p.balance > 0
   GROUP BY w.address HAVING count(*) BETWEEN 2 AND 8 ORDER BY w.address LIMIT 1`,
)
const [held] = rows
const moved = [10, 1]
for (const [at, of] of moved.entries())
  await storeReport(
    database.pool,
    held?.tokens[at] ?? 0,
    createReport({ block: HEAD_NUMBER, at: HEAD_TIME, balancesDiffer: { asked: 10, differ: 0, moved: of } }),
  )

describe.skipIf(NO_BROWSER)(`holdings in a browser ${SKIPPED}`, () => {
  test('a wallet’s holding of a token whose balances change without transfers is marked, and no other one', async () => {
    const { page, problems } = await open({ width: 1280, height: 800 })
    await page.goto(`${url}/wallet/${held?.wallet}`)
    const table = page.getByRole('region', { name: 'Table of positions' })
    const marked = table.getByRole('row').filter({ hasText: 'Balance by transfers alone' })
    await marked.first().waitFor()
    expect(await marked.count()).toBe(1)
    expect(await marked.textContent()).toContain(held?.symbols[0])
    expect(problems).toEqual([])
  })
})
