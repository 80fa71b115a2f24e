// The events of a token's page: their prices, and the filter by value.
import { expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { createServed } from '../support/served.ts'

const HYDRA = '0x28a6a5214fe88b87b0348a911f63920a399ba26f'

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo, filled: await createDemoDatabase() })
keys.demo = (await served.knock({ plan: 'api' })).key
const open = openBrowser()

test.skipIf(NO_BROWSER)(
  `a token's events show those of at least the chosen value, with prices ${SKIPPED}`,
  async () => {
    const query = `{ token(address: "${HYDRA}") { events(filter: { minAmountUsd: 1000 }, first: 30) { nodes { id priceUsd } } } }`
    const { json } = await served.ask(`${served.url}/graphql?query=${encodeURIComponent(query)}`)
    const large: { id: string; priceUsd: number | null }[] = json.data.token.events.nodes
    expect(large.length).toBeGreaterThan(3)
    const { page, problems } = await open({ width: 1440, height: 900 })
    await page.goto(`${served.url}/token/${HYDRA}`)
    const events = page.locator('.panel', { has: page.getByRole('heading', { name: 'Events' }) })
    const shown = () =>
      events.locator('tr[data-event]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-event')))
    await events.getByLabel('Value').selectOption({ label: '$1k or more' })
    await expect.poll(shown).toEqual(large.map(({ id }) => id))
    expect(new URL(page.url()).searchParams.get('min_amount_usd')).toBe('1000')
    // Each trade has a price, and nothing else has.
    const prices = await events.locator('tr[data-event] td:nth-child(5)').allTextContents()
    expect(prices.map((text) => text.includes('$'))).toEqual(large.map(({ priceUsd }) => priceUsd !== null))
    await page.reload()
    await expect.poll(shown).toEqual(large.map(({ id }) => id))
    await events.getByLabel('Value').selectOption({ label: 'any' })
    await expect.poll(async () => (await shown()).length).toBe(20)
    expect(problems).toEqual([])
    await page.close()
  },
)
