// "Alert on this token" and "Alert on this wallet": two presses of a key make an alert, on a phone too.
import { expect, test } from 'vitest'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
keys.demo = (await served.knock({ plan: 'api' })).key
const open = openBrowser()
const addressOf = async (table: 'token' | 'wallet') => {
  const order = table === 'token' ? 'liquidity_usd' : 'swap_count'
  const account = table === 'token' ? '' : `AND kind = 'account'`
  const text = `SELECT address FROM ${table} WHERE indexed ${account} ORDER BY ${order} DESC LIMIT 1`
  return String((await served.database.pool.query<{ address: string }>(text)).rows[0]?.address)
}
const alerts = async () =>
  (await served.database.pool.query<{ conditions: object }>('SELECT conditions FROM alert')).rows[0]?.conditions

test.skipIf(NO_BROWSER).each([
  ['token', (address: string) => expect.objectContaining({ tokens: [address] })],
  ['wallet', (address: string) => ({ tradedBy: [address] })],
] as const)(`two presses make an alert on a %s ${SKIPPED}`, async (what, conditions) => {
  await served.database.pool.query('DELETE FROM alert')
  const { page, problems } = await open({ width: 390, height: 844 })
  const address = await addressOf(what)
  await page.goto(`${served.url}/${what}/${address}`)
  const button = page.getByRole('button', { name: `Alert on this ${what}` })
  await button.waitFor()
  const { y, height } = (await button.boundingBox())!
  expect(y + height).toBeLessThan(844)
  await button.press('Enter')
  expect(await audit(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).press('Enter')
  await page.getByText('The alert is active.').waitFor()
  expect(await alerts()).toEqual(conditions(address))
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  await page.goto(`${served.url}/alerts`)
  // A token has its symbol; no list names the wallet.
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  await page
    .getByText(what === 'token' ? new RegExp(`only \\S+ \\(${short}\\)`) : `traded by ${short}`)
    .first()
    .waitFor()
  expect(problems).toEqual([])
  await page.close()
})
