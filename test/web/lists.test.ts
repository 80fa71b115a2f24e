// The lists of the page and what a reader keeps of them, in a real browser over a seeded ledger.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { DRAWN_CHART, NO_BROWSER, openBrowser, SKIPPED, seeChart } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

const DESKTOP = { width: 1280, height: 800 }
/** So low that the chart is more than half a screen away. */
const LOW = { width: 390, height: 300 }
const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
const { url } = served
keys.demo = (await served.knock({ plan: 'api' })).key
await served.database.pool.query(`UPDATE token SET name = '=1+1' WHERE address = $1`, [
  served.seeded.tokens[9]!.address,
])
/** A process that read the tokens with this name. */
const later = await served.another()
const open = openBrowser()

/** The addresses that the API lists in an order. */
async function listed(order: string): Promise<string[]> {
  const query = `{ tokens(orderBy: [${order}], first: 50) { nodes { address } } }`
  const { json } = await served.ask(`${url}/graphql?query=${encodeURIComponent(query)}`)
  return json.data.tokens.nodes.map(({ address }: { address: string }) => address)
}

describe.skipIf(NO_BROWSER)(`the lists in a browser ${SKIPPED}`, () => {
  test('orders by the change of price in the chosen window, as the API does, also on a phone', async () => {
    for (const size of [DESKTOP, { width: 390, height: 844 }]) {
      const { page, problems } = await open(size)
      const shown = () =>
        page.locator('tbody th a').evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(-42)))
      await page.goto(url)
      await page.getByRole('link', { name: 'Losers' }).click()
      await page.waitForURL('**/?sort=change&direction=asc')
      await page.getByRole('button', { name: '1 h', exact: true }).click()
      await page.waitForURL('**/?sort=change&direction=asc&window=h1')
      await page.getByRole('columnheader', { name: 'Change of price in 1 h' }).waitFor()
      await expect.poll(shown).toEqual(await listed('{ field: price_change_h1, direction: asc }'))
      await page.getByRole('button', { name: 'Change of price in 1 h' }).click()
      await page.waitForURL('**/?sort=change&window=h1')
      const gainers = await listed('{ field: price_change_h1 }')
      expect(gainers.length).toBeGreaterThan(1)
      await expect.poll(shown).toEqual(gainers)
      expect(await page.getByRole('link', { name: 'Gainers' }).getAttribute('aria-current')).toBe('page')
      expect(problems).toEqual([])
      await page.close()
    }
  })

  test('shows the chosen columns with the trades of the window, and keeps the choice in the browser', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Buys 24 h', 'Sells 24 h', 'Traders 24 h', 'Organic 24 h']) await page.getByLabel(name).check()
    await page.getByLabel('Market cap').uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '7 days', exact: true }).click()
    const heads = () => page.getByRole('columnheader').allTextContents()
    await expect.poll(heads).toEqual(expect.arrayContaining(['Buys 7 days', 'Traders 7 days', 'Organic 24 h']))
    await page.reload()
    await expect.poll(heads).toEqual(expect.arrayContaining(['Buys 7 days', 'Sells 7 days']))
    expect(await heads()).not.toContain('Market cap')
    const { json } = await served.ask(
      `${url}/graphql?query=${encodeURIComponent('{ tokens(first: 1) { nodes { windows { d7 { buyCount } } } } }')}`,
    )
    const at = (await heads()).indexOf('Buys 7 days')
    const cell = page.getByRole('row').nth(1).locator('th, td').nth(at)
    await expect.poll(() => cell.textContent()).toBe(String(json.data.tokens.nodes[0].windows.d7.buyCount))
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Those that suit the screen' }).click()
    expect(await page.evaluate('localStorage.length')).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('shows the usual columns where the stored choice is none', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.evaluate(`localStorage.setItem('assay-columns', '["<script>", {"a": 1}]')`)
    await page.reload()
    await page.getByRole('row').nth(5).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(11)
    expect(problems).toEqual([])
    await page.close()
  })

  test('watches tokens by their stars, in their own list, from one visit to the next', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await page.getByRole('link', { name: '★ Watched' }).click()
    await page.getByText('You watch no token yet').waitFor()
    await page.getByRole('link', { name: 'All tokens' }).click()
    const [first, second] = [served.seeded.tokens[3]!, served.seeded.tokens[4]!]
    await page.getByRole('button', { name: `Watch ${first.symbol}`, exact: true }).click()
    await page.goto(`${url}/token/${second.address}`)
    await page.getByRole('button', { name: `Watch ${second.symbol}`, exact: true }).click()
    await page.getByRole('button', { name: `Watch ${second.symbol}`, exact: true, pressed: true }).waitFor()
    await page.goto(url)
    await page.getByRole('link', { name: '★ Watched 2' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    expect(await page.getByRole('button', { pressed: true, name: /^Watch / }).count()).toBe(2)
    await page.getByRole('button', { name: `Watch ${first.symbol}`, exact: true }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(problems).toEqual([])
    await page.close()
  })

  test('saves a filter under a name, exports it as JSON, and another browser imports it', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/?sort=liquidity&max_risk_score=69`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Name of the shown list').fill('Quiet <b>ones</b>')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all as JSON' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('assay-lists.json')
    const path = await file.path()
    const other = await open(DESKTOP)
    await other.page.goto(url)
    await other.page.getByRole('button', { name: 'Save', exact: true }).click()
    await other.page.getByLabel('Import').setInputFiles({
      ...{ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"watchlist": 5}') },
    })
    await other.page.getByText('The file has no lists of this page.').waitFor()
    await other.page.getByLabel('Import').setInputFiles(path)
    await other.page.getByText('Kept now: watched tokens 0, saved lists 1.').waitFor()
    await other.page.keyboard.press('Escape')
    await other.page.getByRole('link', { name: 'Quiet <b>ones</b>' }).click()
    await other.page.waitForURL('**/?sort=liquidity&max_risk_score=69')
    await other.page.getByRole('button', { name: 'Save', exact: true }).click()
    await other.page.getByRole('button', { name: 'Remove Quiet <b>ones</b>' }).click()
    expect(await other.page.getByRole('link', { name: 'Quiet <b>ones</b>' }).count()).toBe(0)
    expect(await other.page.evaluate('localStorage.length')).toBe(0)
    expect([...problems, ...other.problems]).toEqual([])
    await other.page.close()
    await page.close()
  })

  test('gives every list as CSV, whole, with hostile names defused', async () => {
    const token = served.seeded.tokens[9]!.address
    const { page, problems } = await open(DESKTOP)
    const save = async (title: string) => {
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: `CSV of ${title}`, exact: true }).click()
      const file = await saved
      return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8').split('\r\n')] as const
    }
    await page.goto(`${later.url}/?q=${token}`)
    await page.getByRole('row').nth(1).waitFor()
    const [name, [head = '', row = '', ...rest]] = await save('Tokens')
    expect([name, rest]).toEqual(['assay-tokens.csv', ['']])
    expect(head).toMatch(/^address,symbol,name,priceUsd,.*,priceChange\.h24,/)
    expect(row).toMatch(new RegExp(`^${token},[^,]+,'=1\\+1,`))
    await page.goto(`${url}/token/${token}`)
    await page.getByRole('heading', { name: 'Pools and locks' }).waitFor()
    for (const [title, kind, field] of [
      ['Largest holders', 'holders', 'holders'],
      ['Events', 'events', 'events'],
      ['Pools and locks', 'pools', 'pools'],
    ] as const) {
      const [file, lines] = await save(title)
      expect(file).toBe(`assay-${kind}-${token}.csv`)
      const query = `{ token(address: "${token}") { ${field} { total } } }`
      const { json } = await served.ask(`${url}/graphql?query=${encodeURIComponent(query)}`)
      expect(lines.length - 2).toBe(json.data.token[field].total)
    }
    await page.goto(`${url}/wallets`)
    await page.getByRole('row').nth(3).waitFor()
    expect((await save('Wallets'))[1][0]).toMatch(/^address,classification,/)
    expect(problems).toEqual([])
    await page.close()
  })

  test('searches, walks, opens and goes by keys, which fields and a switch leave alone', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")')
    const links = await page.locator('tbody th a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused()).toBe(links[1])
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${links[1]}`)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL('**/wallets')
    await page.keyboard.press('/')
    await page.keyboard.type('gt?j')
    expect(await page.getByRole('combobox', { name: 'Search a token' }).inputValue()).toBe('gt?j')
    expect(page.url()).toMatch(/\/wallets$/)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('watched tokens, with a star').waitFor()
    await page.getByLabel('Keys are on').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('keeps the chosen colours against those of the system, in the chart too', async () => {
    const { page, problems } = await open(DESKTOP)
    const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.goto(`${url}/token/${served.seeded.tokens[9]!.address}`)
    await seeChart(page)
    const light = [await back(), await cornerOf(page)]
    await page.getByLabel('Colours').selectOption('dark')
    await expect.poll(async () => [await back(), await cornerOf(page)]).toEqual(['rgb(11, 14, 19)', '18,22,29'])
    await page.reload()
    await expect.poll(back).toBe('rgb(11, 14, 19)')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByLabel('Colours').selectOption('light')
    await seeChart(page)
    await expect.poll(async () => [await back(), await cornerOf(page)]).toEqual(light)
    await page.getByLabel('Colours').selectOption('system')
    await expect.poll(back).toBe('rgb(11, 14, 19)')
    expect(await page.evaluate('localStorage.length')).toBe(0)
    // The browser would read its canvas faster otherwise, which is the test's matter.
    expect(problems.filter((problem) => !problem.includes('getImageData'))).toEqual([])
    await page.close()
  })

  test.each([
    ['de-DE', '$432,7k'],
    ['ar-EG', '\u2068$٤٣٢٫٧\u2069k'],
    ['ja-JP', '$432.7k'],
  ])('writes money in the digits of a reader of %s, and in the units of sentences', async (locale, money) => {
    const { page, problems } = await open(DESKTOP, { locale })
    await page.goto(`${url}/?q=${served.seeded.tokens[9]!.address}`)
    await page.getByRole('cell', { name: money, exact: true }).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('a chart whose page was left takes no colours: nothing outside a page has some', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/token/${served.seeded.tokens[9]!.address}`)
    await seeChart(page)
    // In one go, before the chart hears that it has no size any more.
    await page.evaluate(`document.querySelector('.chart').remove()
      localStorage.setItem('assay-theme', '"dark"')
      dispatchEvent(new StorageEvent('storage', { key: 'assay-theme' }))`)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(problems).toEqual([])
    await page.close()
  })

  test('draws a chart that is far below only when the reader comes near it, or prints the page', async () => {
    const { page, problems } = await open(LOW)
    const drawn = page.locator(DRAWN_CHART)
    const address = `${url}/token/${served.seeded.tokens[9]!.address}`
    const loaded = page.waitForResponse(/\/assets\/draw-/)
    await page.goto(address)
    await page.getByRole('heading', { name: 'Pools and locks' }).waitFor()
    await (await loaded).finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const { height } = (await page.locator('.chart').boundingBox())!
    expect(await drawn.count()).toBe(0)
    await seeChart(page)
    expect((await page.locator('.chart').boundingBox())!.height).toBe(height)
    await page.goto(address)
    await page.getByRole('heading', { name: 'Pools and locks' }).waitFor()
    // The code that draws may still be on its way.
    await expect
      .poll(async () => {
        await page.pdf()
        return drawn.count()
      })
      .toBeGreaterThan(0)
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await cornerOf(page)).toBe('255,255,255')
    expect(problems.filter((problem) => !problem.includes('getImageData'))).toEqual([])
    await page.close()
  })

  test('compares tokens in percent since a common start, with their numbers, by an address to share', async () => {
    const { page, problems } = await open(DESKTOP)
    const [first, second] = [served.seeded.tokens[9]!, served.seeded.tokens[5]!]
    await page.goto(`${url}/token/${first.address}`)
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(`**/compare?tokens=${first.address}`)
    await page.getByLabel('Add a token').fill(second.address)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.waitForURL(`**/compare?tokens=${first.address},${second.address}`)
    const table = page.getByRole('region', { name: 'Table of compared tokens' })
    await expect.poll(() => table.getByRole('columnheader').count()).toBe(3)
    await table
      .getByRole('row', { name: /^Verdict/ })
      .getByText(/low|medium|high|critical|unknown/)
      .first()
      .waitFor()
    await page.getByLabel('Add a token').fill('nothing like it')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('No token is found by “nothing like it”.').waitFor()
    await page.getByRole('button', { name: `Remove ${first.symbol}`, exact: true }).click()
    await page.waitForURL(`**/compare?tokens=${second.address}`)
    await page.goto(`${url}/compare?tokens=<script>,0x12`)
    await page.getByText('Add two to four tokens').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('axe finds nothing in the dialogs of lists, in chosen columns and in a comparison, on a phone and a desktop', async () => {
    for (const [size, dark] of [
      [DESKTOP, false],
      [{ width: 390, height: 844 }, true],
    ] as const) {
      const { page, problems } = await open(size, { dark })
      await page.goto(url)
      await page.getByRole('row').nth(5).waitFor()
      for (const star of (await page.locator('.tokens .star').all()).slice(0, 4)) await star.click()
      for (const name of ['Keys', 'Save', 'Columns']) {
        await page.getByRole('button', { name, exact: true }).click()
        if (name === 'Columns') await page.getByLabel('Buys 24 h').check()
        expect(await audit(page)).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.getByRole('columnheader', { name: 'Buys 24 h' }).waitFor()
      expect(await audit(page)).toEqual([])
      await page.getByRole('link', { name: '★ Watched 4' }).click()
      await page.getByRole('link', { name: 'Compare the first 4' }).click()
      await page.getByRole('region', { name: 'Table of compared tokens' }).waitFor()
      expect(await audit(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(problems).toEqual([])
      await page.close()
    }
  })

  test('copies an address, tells old times by their date, and prints without controls', async () => {
    const { page, problems } = await open(DESKTOP)
    const token = served.seeded.tokens[9]!.address
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${url}/token/${token}`)
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
    const time = page.getByRole('region', { name: 'Table of events' }).locator('time').first()
    await time.waitFor()
    expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
      expect.stringMatching(/^\w{3} \d+, 20\d\d, \d+:\d\d [AP]M$/),
      expect.stringMatching(/\d:\d\d:\d\d/),
    ])
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.top nav', '.top search', '.request', '.star', '.copy'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false)
    expect(await page.getByRole('heading', { name: 'Largest holders' }).isVisible()).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })
})

/** The colour in the corner of the chart's drawing. */
const cornerOf = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelector('.chart canvas').getContext('2d').getImageData(2, 2, 1, 1).data].slice(0, 3).join()`,
  )
