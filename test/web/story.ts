// What a trader comes for, by keyboard alone: find, decide, follow, compare, export, be alerted. Input: a tab of a
// browser, and a served ledger. A key for a colleague is in account.test.ts.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { audit } from '../support/axe.ts'
import type { Tab } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

/** The ledger of the story, whose page gives away a key. Call it at the top of a test file. */
export async function serveStory() {
  const keys: { demo: string | null } = { demo: null }
  const served = await createServed({ readDemoKey: async () => keys.demo })
  keys.demo = (await served.knock({ plan: 'api' })).key
  return served
}

/** Nothing is wrong with the page: no complaint, nothing for axe, and no scrolling to the side. */
async function expectCalm({ page, problems }: Tab): Promise<void> {
  expect(await audit(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(problems).toEqual([])
}

/** Presses Enter on what a reader reaches by Tab. */
async function enter(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).first()
  await target.focus()
  expect(await target.evaluate((one) => (one as HTMLElement).tabIndex)).toBe(0)
  await page.keyboard.press('Enter')
}

/** Does all of it, and throws at the first thing that a trader would stumble over. */
export async function tellStory(tab: Tab, { url, seeded }: Awaited<ReturnType<typeof serveStory>>): Promise<void> {
  const { page } = tab
  const [wanted, other] = [seeded.tokens[9]!, seeded.tokens[5]!]
  await page.goto(url)
  await page.getByRole('row').nth(5).waitFor()
  await expectCalm(tab)
  // Find by half a name.
  await page.keyboard.press('/')
  await page.keyboard.type(String(wanted.symbol).slice(0, -1))
  await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/token/0x*')
  // Decide: the verdict comes first.
  await page.goto(`${url}/token/${wanted.address}`)
  const verdict = page.getByRole('region', { name: 'Verdict', exact: true })
  await verdict.waitFor()
  expect((await verdict.boundingBox())?.y).toBeLessThan(844)
  expect(await verdict.innerText()).toMatch(/^\d+ (low|medium|high|critical) /)
  // Follow.
  await enter(page, 'button', `Watch ${wanted.symbol}`)
  await page.getByRole('button', { name: `Watch ${wanted.symbol}`, exact: true, pressed: true }).waitFor()
  // Export.
  const saved = page.waitForEvent('download')
  await enter(page, 'button', 'CSV of Largest holders')
  expect((await saved).suggestedFilename()).toBe(`assay-holders-${wanted.address}.csv`)
  await expectCalm(tab)
  // Compare.
  await enter(page, 'link', 'Compare')
  await page.waitForURL('**/compare?tokens=*')
  await page.getByLabel('Add a token').focus()
  await page.keyboard.type(other.address)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/compare?tokens=${wanted.address},${other.address}`)
  await page.getByRole('region', { name: 'Table of compared tokens' }).waitFor()
  await expectCalm(tab)
  // Be alerted.
  await page.goto(`${url}/?max_risk_score=69`)
  await page.getByRole('row').nth(1).waitFor()
  await enter(page, 'button', 'Alert me')
  await enter(page, 'button', 'Create')
  await enter(page, 'link', 'All alerts')
  await page.getByText('Risk ≤ 69').last().waitFor()
  await expectCalm(tab)
  page.on('dialog', (dialog) => dialog.accept())
  await enter(page, 'button', 'Delete')
  await page.getByText('There is no alert yet.').waitFor()
}
