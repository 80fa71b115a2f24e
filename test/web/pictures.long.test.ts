// Every page of the still demo, drawn at two sizes in both colour schemes, against the pictures in `pictures/`. After
// an intended change: `UPDATE_PICTURES=1 npx vitest run test/web/pictures.long.test.ts`, and look at the result.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED, seeChart, type Tab } from '../support/browser.ts'
import { checkDemo, createDemoDatabase } from '../support/demo.ts'
import { compare, differentFonts, measureFonts, openPictures, reduce } from '../support/pictures.ts'
import { createServed } from '../support/served.ts'

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
/** Blocks that may differ: a chart's lines and a font's edges are smoothed a little otherwise by another Chromium. */
const TOLERANCE = 0.01
const UPDATES = process.env.UPDATE_PICTURES === '1'
const pictures = openPictures(fileURLToPath(new URL('pictures/', import.meta.url)))
const README_PICTURE = fileURLToPath(new URL('../../docs/page.png', import.meta.url))
const open = openBrowser()
const EXODUS = '0x53b99890e68641374569fabd8f6a27334d041914'

describe.skipIf(NO_BROWSER)(`pictures of the pages ${SKIPPED}, and where its fonts are others`, () => {
  let url: string
  let wallet: string
  let newest: Date
  /** Where pictures are made small and compared. */
  let blank: Page
  beforeAll(async () => {
    blank = (await open({ width: 100, height: 100 })).page
    const keys: { demo: string | null } = { demo: null }
    const filled = await createDemoDatabase()
    await checkDemo(filled)
    const served = await createServed({ readDemoKey: async () => keys.demo, filled })
    keys.demo = (await served.knock({ plan: 'api' })).key
    url = served.url
    const { rows } = await served.database.pool.query(
      `SELECT address, (SELECT max(time) FROM block) AS newest FROM wallet WHERE kind = 'account' ORDER BY swap_count DESC, id LIMIT 1`,
    )
    wallet = rows[0].address
    newest = rows[0].newest
  })

  /** By the picture's name: the address, and an element that must be visible before it is drawn. */
  const pages = (): Record<string, [path: string, isDrawn: (page: Page) => Promise<unknown>]> => ({
    // A phone draws its rows in steps.
    tokens: ['/', (page) => page.getByRole('row').nth(30).waitFor()],
    token: [
      `/token/${EXODUS}`,
      async (page) => {
        await seeChart(page)
        await page.getByText('Live: events come as they happen.').waitFor()
      },
    ],
    wallets: ['/wallets', (page) => page.getByRole('row').nth(10).waitFor()],
    wallet: [`/wallet/${wallet}`, seeChart],
    alerts: ['/alerts', (page) => page.getByText('There is no alert yet.').waitFor()],
    status: ['/status', (page) => page.getByText('Heard from the source').waitFor()],
  })

  async function draw({ page }: Tab, fullPage = true): Promise<Buffer> {
    await page.getByText(/^Block [\d,]+/).waitFor()
    // Two frames after the fonts are there, a chart is painted too.
    await page.evaluate(
      'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
    )
    // What differs from run to run: who asks, and how often it did.
    const changing = ['Account', 'Used today'].map((fact) => page.locator('dt', { hasText: fact }).locator('+ dd'))
    return page.screenshot({ fullPage, animations: 'disabled', mask: changing, maskColor: '#888888' })
  }

  /** Opens a page as it is drawn; `skip` is called where its fonts are not those of the pictures. */
  async function visit(tab: Tab, name: string, skip: (reason: string) => void): Promise<void> {
    const [path, isDrawn] = pages()[name] ?? ['/', async () => {}]
    // The page tells ages; the demo's newest block is then a minute old.
    await tab.page.clock.setFixedTime(newest.getTime() + 60_000)
    await tab.page.goto(url + path)
    await isDrawn(tab.page)
    const fonts = await measureFonts(tab.page)
    if (UPDATES) pictures.keepFonts(fonts)
    const reason = differentFonts(pictures.fonts() ?? {}, fonts)
    if (reason) skip(reason)
  }

  /** Fails when a picture differs from the kept one, and says where to look. */
  async function expectLike(title: string, kept: string | null, drawn: string): Promise<void> {
    const share = kept === null ? 1 : await compare(blank, kept, drawn)
    if (share <= TOLERANCE) return
    expect.fail(
      `${(share * 100).toFixed(1)} % of the page differ from ${title}: look at ${pictures.show(title, drawn)}, and if that is meant, draw the pictures anew with UPDATE_PICTURES=1`,
    )
  }

  test('the picture in the README is the page of the demo as it is', async ({ skip }) => {
    const tab = await open({ width: 1280, height: 780 })
    try {
      await visit(tab, 'token', skip)
      const png = await draw(tab, false)
      if (UPDATES) writeFileSync(README_PICTURE, png)
      const kept = await reduce(blank, readFileSync(README_PICTURE))
      await expectLike('page.png', kept, await reduce(blank, png))
    } finally {
      await tab.page.close()
    }
  })

  test.for(
    (Object.keys(SIZES) as (keyof typeof SIZES)[]).flatMap((size) =>
      (['tokens', 'token', 'wallets', 'wallet', 'alerts', 'status'] as const).map((name) => [name, size] as const),
    ),
  )('the page %s looks on a %s as in its pictures, light and dark', async ([name, size], { skip }) => {
    const tab = await open(SIZES[size])
    const { page } = tab
    try {
      await visit(tab, name, skip)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        const drawn = await reduce(blank, await draw(tab))
        const title = `${name}-${size}-${scheme}`
        if (UPDATES) pictures.keep(title, drawn)
        await expectLike(title, pictures.read(title), drawn)
      }
    } finally {
      await page.close()
    }
  })
})
