// Tokens of the demo whose faces once disagreed: the same fact has the same severity, words and number wherever it stands.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { checkDemo, createDemoDatabase } from '../support/demo.ts'
import { createServed } from '../support/served.ts'

const HYDRA = '0x28a6a5214fe88b87b0348a911f63920a399ba26f'
const CREST = '0x1b137dd4c3f782f288dc8ff35b89d135cc5d283c'
const WETH = '0x88b2be3066048e07c1c50b770b2d94b5ece6ca94'

const keys: { demo: string | null } = { demo: null }
const filled = await createDemoDatabase()
await checkDemo(filled)
const served = await createServed({ readDemoKey: async () => keys.demo, filled })
keys.demo = (await served.knock({ plan: 'api' })).key
const open = openBrowser()

/** Texts that are a level alone, outside of a risk. */
const strayLevels = (page: Page): Promise<string[]> =>
  page.locator('main *:not(option):not(button)').evaluateAll((elements) =>
    elements
      .filter((one) => one.children.length === 0 && /^(low|medium|high|critical)$/i.test(one.textContent ?? ''))
      .filter((one) => !one.closest('.risk, select, .filters'))
      .map((one) => one.parentElement?.outerHTML ?? ''),
  )

const openToken = async (address: string): Promise<Page> => {
  const { page } = await open({ width: 1440, height: 900 })
  await page.goto(`${served.url}/token/${address}`)
  await page.getByRole('list', { name: 'The score as a sum' }).waitFor()
  await page.getByRole('region', { name: 'Table of pools' }).waitFor()
  return page
}

describe.skipIf(NO_BROWSER)(`one voice over the demo ${SKIPPED}`, () => {
  test('linked wallets have the severity of the verdict in its findings, in the sum and in the map', async () => {
    const page = await openToken(HYDRA)
    const linked = page.locator('[class^=finding-]', { hasText: /^(Caution: |Danger: )?.*Linked wallets own/i })
    expect(await linked.count()).toBeGreaterThanOrEqual(2)
    await page.getByRole('button', { name: 'Show the map' }).click()
    const map = page.locator('.panel', { has: page.getByRole('heading', { name: 'Map of holders' }) })
    await map.getByRole('listbox').waitFor()
    const tone = await map.getByText(/^Largest cluster: \d+ linked wallets/).getAttribute('class')
    for (const one of await linked.all()) expect(await one.getAttribute('class')).toBe(tone)
    expect(tone).toBe('finding-caution')
    expect(await page.locator('main .bad').count()).toBe(0)
    await page.close()
  })

  test('the ten largest holders are counted once, without the pool, and only locks with an end are called locks', async () => {
    const page = await openToken(CREST)
    const text = await page.locator('main').innerText()
    const told = text.match(/top 10[^\n]*/gi) ?? []
    expect(new Set(told.map((one) => one.replace(/\s+/g, ' ')))).toEqual(new Set([told[0]]))
    expect(told[0]).toMatch(/^Top 10 holders \(without pools\): \d+ %/)
    // The finding is the sum of the list's ten largest that are no pool.
    const query = `{ token(address: "${CREST}") { holders(first: 30) { nodes { classification holdingPct } } } }`
    const { json } = await served.ask(`${served.url}/graphql?query=${encodeURIComponent(query)}`)
    const { nodes } = (
      json as { data: { token: { holders: { nodes: { classification: string; holdingPct: number }[] } } } }
    ).data.token.holders
    const ten = nodes.filter(({ classification }) => classification !== 'pool').slice(0, 10)
    const sum = ten.reduce((all, { holdingPct }) => all + holdingPct, 0)
    expect(told[0]).toContain(`: ${Math.round(sum)} %`)
    expect(text).toMatch(/burned or locked: nobody can withdraw it/)
    expect(text).not.toMatch(/none known/i)
    const head = page.getByRole('columnheader', { name: /lock/i })
    expect(await head.allInnerTexts()).toEqual(['Locks with an end'])
    await page.close()
  })

  test('a confidence is never written as a level of risk, on the page of a token and of a wallet', async () => {
    const page = await openToken(CREST)
    expect(await page.locator('.risk').count()).toBeGreaterThan(0)
    expect(await strayLevels(page)).toEqual([])
    await page.getByRole('region', { name: 'Table of holders' }).getByRole('link').first().waitFor()
    await page.goto(`${served.url}/wallets`)
    await page.locator('.wallets tbody a, tbody a').first().click()
    await page.getByText('Profit ever').first().waitFor()
    expect(await strayLevels(page)).toEqual([])
    await page.close()
  })

  test('money of the chain is nowhere low: its list, page and search say that it is not judged', async () => {
    const { page } = await open({ width: 1440, height: 900 })
    await page.goto(`${served.url}/token/${WETH}`)
    await page.getByRole('region', { name: 'Table of pools' }).waitFor()
    expect(await page.getByText('Score: the base and all points').count()).toBe(0)
    expect(await page.locator('.risk.low, .risk.medium, .risk.high, .risk.critical').count()).toBe(0)
    expect(await page.locator('main .risk').allInnerTexts()).toEqual(['not judged', 'not judged'])
    await page.goto(`${served.url}/`)
    const row = page.locator('.tokens tbody tr', { has: page.locator(`a[href="/token/${WETH}"]`) })
    await row.getByText('not judged').first().waitFor()
    expect(await row.getByText(/\blow\b/).count()).toBe(0)
    await page.getByRole('combobox').first().fill('WETH')
    const found = page.locator('.suggestions a', { hasText: 'WETH' }).first()
    await found.waitFor()
    expect(await found.innerText()).not.toMatch(/\blow\b/)
    await page.close()
  })
})
