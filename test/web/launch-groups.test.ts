// The launch groups on a token's page: chips, a table of the groups, and the wallets of one.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const { url, database, seeded, knock } = await createServed({ readDemoKey: async () => keys.demo })
keys.demo = (await knock({ plan: 'api' })).key
const [token, older] = [seeded.tokens[9]!.address, seeded.tokens[8]!.address]
const open = openBrowser()

// The buyers of the token bought thirty seconds after it opened, and its largest holder deployed it.
const { rows: buyers } = await database.pool.query(
  `UPDATE position p SET first_buy_at = t.first_liquidity_at + interval '30 seconds' FROM token t
   WHERE t.id = p.token_id AND t.address = $1 AND EXISTS (SELECT FROM event e JOIN wallet w ON w.id = e.wallet_id
     WHERE e.token_id = t.id AND e.wallet_id = p.wallet_id AND e.type = 1 AND e.direction = 1 AND w.kind = 'account')
   RETURNING p.wallet_id`,
  [token],
)
await database.pool.query('UPDATE token SET deployer_id = NULL WHERE address = $1', [token])
await database.pool.query(
  'UPDATE token SET first_liquidity_at = NULL, first_liquidity_block = NULL WHERE address = $1',
  [older],
)

describe.skipIf(NO_BROWSER)(`the launch groups in a browser ${SKIPPED}`, () => {
  test.each([
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ])('a %s shows the groups on request, unknown numbers as unknown, and the wallets of a chip', async (_, size) => {
    const { page, problems } = await open(size)
    await page.goto(`${url}/token/${token}`)
    await page.getByRole('button', { name: 'Show the launch groups' }).click()
    const panel = page.getByRole('region', { name: 'Launch', exact: true })
    await panel.getByRole('button', { name: 'Developer unknown' }).waitFor()
    await panel.getByRole('button', { name: 'Insiders unknown' }).waitFor()
    const row = panel.getByRole('row').filter({ hasText: 'Snipers' })
    expect(buyers.length).toBeGreaterThan(1)
    expect(await row.getByRole('cell').first().textContent()).toBe(String(buyers.length))
    expect(await panel.getByRole('row').count()).toBe(6)
    await panel.getByText('Developer: not all is known, because its deployer is not known.').waitFor()
    expect(await audit(page)).toEqual([])
    await panel.getByRole('button', { name: /^Snipers/ }).click()
    await panel.getByText(/^First bought within 60 seconds/).waitFor()
    expect(await panel.getByRole('row').count()).toBe(1 + Math.min(10, buyers.length))
    expect(await audit(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  test('a token whose opening is unknown has no group, and says why', async () => {
    const { page, problems } = await open({ width: 1440, height: 900 })
    await page.goto(`${url}/token/${older}`)
    await page.getByRole('button', { name: 'Show the launch groups' }).click()
    await page.getByText('Not known: its first liquidity is not known.').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })
})
