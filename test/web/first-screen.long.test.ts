// The first screen of a phone over the demo. The headline names every trap and calls no honest token one. The price is
// the close of the newest candle.
import { expect, test } from 'vitest'
import '../../web/build.mjs'
import { price } from '../../web/src/format.ts'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { checkDemo, createDemoDatabase, readDemoTruth } from '../support/demo.ts'
import { createServed } from '../support/served.ts'

const PHONE = { width: 390, height: 844 }
const open = openBrowser()

/** What the headline says of a trap, by its story, or by its symbol where only its contract is one. */
const NAMED: Readonly<Record<string, RegExp>> = {
  rug: /its liquidity was pulled/,
  wash: /staged by wallets that trade with themselves/,
  concentrated: /(wallet|wallets) can crash the price with \d+ % of the supply/,
  sybil: /Linked wallets can crash the price with \d+ % of the free float/,
  LURE: /^Do not buy: holders are locked in/,
  MAW: /^Do not buy: its contract keeps most/,
  GHOST: /^Do not buy: what holders had was taken/,
  GRASP: /^Do not buy: its deployer can empty the wallets/,
}
const HONEST = ['steady', 'grower']

test.skipIf(NO_BROWSER)(
  `on a phone the first screen names each trap of the demo under its name, and calls no honest token one ${SKIPPED}`,
  async () => {
    const keys: { demo: string | null } = { demo: null }
    const filled = await createDemoDatabase()
    await checkDemo(filled)
    const served = await createServed({ readDemoKey: async () => keys.demo, filled })
    keys.demo = (await served.knock({ plan: 'api' })).key
    const { page, problems } = await open(PHONE)
    const wrong: string[] = []
    /** The newest close, in the form of the page. */
    const priceOf = async (address: string): Promise<string> => {
      const query = `{ token(address: "${address}") { candles(limit: 168, fill: true) { closeUsd } } }`
      const { json } = await served.ask(`${served.url}/graphql?query=${encodeURIComponent(query)}`)
      const { candles } = (json as { data: { token: { candles: { closeUsd: number | null }[] } } }).data.token
      return price(candles.at(-1)?.closeUsd)
    }
    await page.goto(served.url)
    const rows = page.locator('.tokens tbody tr')
    await rows.nth(9).waitFor()
    // A reader takes a cut number for a whole one. The names and sentences of strangers may be cut.
    const cut = await rows
      .locator('td:not(:first-child):not(.why)')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => String(cell.textContent)),
      )
    expect(cut).toEqual([])
    let [traps, honest] = [0, 0]
    for (const { address, symbol, story } of readDemoTruth().tokens) {
      const named = NAMED[symbol] ?? NAMED[story]
      if (!named && !HONEST.includes(story)) continue
      await page.goto(`${served.url}/token/${address}`)
      const headline = page.locator('.headline strong')
      await headline.waitFor()
      const text = await headline.innerText()
      const shown = (await page.locator('.price').first().innerText()).split(' ')[0]
      if (shown !== (await priceOf(address))) wrong.push(`${symbol}: ${shown} is not the close of its newest candle`)
      const { y, height } = (await headline.boundingBox())!
      const isInSight = y + height < PHONE.height / 2
      const isTrap = /^Do not buy/.test(text) || (await page.locator('.verdict-critical').count()) > 0
      if (named) traps += 1
      else honest += 1
      // A gain of what nobody should buy is bait, and no good news.
      if (text.startsWith('Do not buy') && (await page.locator('.price:not(.no-gain) .up').count()) > 0)
        wrong.push(`${symbol}: its gain is green`)
      if (!isInSight || (named ? !named.test(text) : isTrap)) wrong.push(`${symbol}: ${text}`)
    }
    expect(traps).toBeGreaterThanOrEqual(15)
    expect(honest).toBeGreaterThanOrEqual(15)
    expect(wrong).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  },
)
