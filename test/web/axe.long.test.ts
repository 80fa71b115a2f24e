// axe over every page of the demo, with all that opens on it, at three widths and in both colour schemes.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import { systemClock } from '../../src/base/clock.ts'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED, seeChart } from '../support/browser.ts'
import { checkDemo, createDemoDatabase } from '../support/demo.ts'
import { createServed, type Served } from '../support/served.ts'

/** A rug, a honeypot, a token without danger, the money of the chain, and a token without a symbol. */
const TOKENS = ['RUGD', 'LURE', 'NEXUS', 'WETH', '']
const MATCHING = 'min_liquidity_usd=6000000000'
const open = openBrowser()

/** GraphiQL draws its tabs and CodeMirror its editors; no setting of them changes these. */
const OF_GRAPHIQL = ['aria-required-children', 'nested-interactive', 'label', 'scrollable-region-focusable']

/** A step of a reader on a page, before axe looks again. */
type Step = readonly [name: string, act: (page: Page) => Promise<unknown>]

/** A page: its address, and what a reader does there, first of all waiting for its content. */
interface Stop {
  path: string
  steps: readonly Step[]
}

const seen = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const rows = (count: number) => (page: Page) => page.getByRole('row').nth(count).waitFor()

async function openAll(page: Page): Promise<void> {
  for (const summary of await page.locator('main summary:visible').all()) await summary.click()
}

const TOKEN_STEPS: readonly Step[] = [
  ['as it opens', seeChart],
  [
    'with all that unfolds',
    async (page) => {
      await page.getByRole('heading', { name: 'Pools and locks' }).waitFor()
      await openAll(page)
    },
  ],
  [
    'with its map and its launch',
    async (page) => {
      await press('Show the map')(page)
      await page.locator('.bubbles svg, .panel .note').first().waitFor()
      await press('Show the launch groups')(page)
      await page
        .getByRole('button', { name: /^Snipers/ })
        .or(page.getByText(/^Not known/))
        .first()
        .waitFor()
    },
  ],
]

/** Serves the demo with two alerts. Three tokens began to match one of them two days ago. */
async function serveDemo(): Promise<Served> {
  const keys: { demo: string | null } = { demo: null }
  const filled = await createDemoDatabase()
  await checkDemo(filled)
  const served = await createServed({ readDemoKey: async () => keys.demo, filled, signup: 'open' })
  const { key, authorization } = await served.knock({ plan: 'api' })
  keys.demo = key
  const sweep = createSweep({ database: filled, clock: systemClock, maxLag: 1_000_000_000 })
  await sweep.run()
  await filled.pool.query(
    `UPDATE token SET liquidity_usd = 7e9, updated_block = (SELECT max(number) FROM block)
     WHERE id IN (SELECT id FROM token WHERE indexed ORDER BY liquidity_usd LIMIT 3)`,
  )
  await sweep.run()
  await filled.pool.query(`UPDATE alert_history SET time = time - interval '2 days'`)
  for (const conditions of [{ max_risk_score: 49 }, { min_liquidity_usd: 6e9 }])
    await served.ask('/alerts', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Calm ones', conditions, notification_channel: 'email' }),
    })
  await sweep.run()
  return served
}

/** Every page, by its name. */
async function listStops({ database: { pool } }: Served): Promise<Record<string, Stop>> {
  const { rows: wallets } = await pool.query(
    `(SELECT address FROM wallet WHERE kind = 'account' ORDER BY swap_count DESC, id LIMIT 1)
     UNION ALL (SELECT address FROM wallet WHERE kind = 'pool' ORDER BY id LIMIT 1)`,
  )
  const { rows: tokens } = await pool.query<{ symbol: string; address: string }>(
    'SELECT symbol, address FROM token WHERE symbol = ANY($1) AND indexed',
    [TOKENS],
  )
  const nobody = `0x${'12'.repeat(20)}`
  return {
    home: { path: '/', steps: [['as it opens', rows(30)]] },
    'home without a match': { path: '/?min_liquidity_usd=9e15', steps: [['as it opens', seen('No token')]] },
    backtest: {
      path: `/?${MATCHING}`,
      steps: [
        ['as it opens', rows(1)],
        [
          'with its answer',
          async (page) => {
            await press('Alert me')(page)
            await press('What would it have told?')(page)
            await page.getByText(/^\d+ match/).waitFor()
          },
        ],
      ],
    },
    ...Object.fromEntries(
      tokens.map(({ symbol, address }) => [`token ${symbol}`, { path: `/token/${address}`, steps: TOKEN_STEPS }]),
    ),
    'unknown token': { path: `/token/${nobody}`, steps: [['as it opens', seen('Unknown token')]] },
    wallets: { path: '/wallets', steps: [['as it opens', rows(10)]] },
    wallet: {
      path: `/wallet/${wallets[0].address}`,
      steps: [
        ['as it opens', seeChart],
        ['unfolded', openAll],
      ],
    },
    pool: { path: `/wallet/${wallets[1].address}`, steps: [['as it opens', seen('Holdings')]] },
    'unknown wallet': { path: `/wallet/${nobody}`, steps: [['as it opens', seen('Unknown wallet')]] },
    alerts: {
      path: '/alerts',
      steps: [
        ['as it opens', rows(1)],
        ['with a log', press('Log')],
      ],
    },
    'compare nothing': { path: '/compare', steps: [['as it opens', seen('Add two to four tokens')]] },
    compare: {
      path: `/compare?tokens=${tokens.map(({ address }) => address).join(',')}`,
      steps: [['as it opens', rows(5)]],
    },
    account: { path: '/account', steps: [['as it opens', seen('No stream is open.')]] },
    status: { path: '/status', steps: [['as it opens', seen('Final up to')]] },
    'no page': { path: '/nowhere', steps: [['as it opens', seen('There is no')]] },
    'sign up': {
      path: '/signup',
      steps: [
        ['as it opens', seen('Mail address')],
        [
          'with its answer',
          async (page) => {
            await page.getByRole('textbox', { name: 'Mail address' }).fill('a@example.com')
            await press('Send the link')(page)
            await seen('a mail with a link is on its way')(page)
          },
        ],
      ],
    },
    'sign up by a link': {
      path: '/signup#token=used',
      steps: [
        ['as it opens', seen('Confirm and show the key')],
        ['refused', press('Confirm and show the key')],
      ],
    },
    reference: {
      path: '/docs',
      steps: [
        ['as it opens', (page) => page.locator('.opblock').nth(11).waitFor()],
        ['with a route', (page) => page.locator('#operations-Tokens-listTokens').click()],
      ],
    },
    graphiql: {
      path: '/graphql',
      steps: [['as it opens', (page) => page.getByRole('button', { name: /^Execute/ }).waitFor()]],
    },
  }
}

/** Notes the faults of the page as it stands, in both colour schemes. */
async function look(page: Page, where: string, wrong: string[], within?: string): Promise<void> {
  const part = within === undefined ? {} : { within }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await audit(page, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  // The other scheme changes colours and nothing else.
  const dark = await audit(page, { ...part, rules: ['color-contrast'] })
  const isOurs = (found: string) => !where.startsWith('graphiql') || !OF_GRAPHIQL.some((rule) => found.startsWith(rule))
  wrong.push(...light.filter(isOurs).map((found) => `${where}: ${found}`))
  wrong.push(...dark.map((found) => `${where}, dark: ${found}`))
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  if (isWide) wrong.push(`${where}: wider than the screen`)
}

/** Opens a dialog of each kind, that is behind each text of a button, in turn. Returns how many there were. */
async function lookIntoDialogs(page: Page, where: string, wrong: string[]): Promise<number> {
  const buttons = page.locator('button:visible:has(+ dialog)')
  const names = new Set(await buttons.allTextContents())
  for (const name of names) {
    await buttons.filter({ hasText: name }).first().click()
    await page.locator('dialog[open] h2').waitFor()
    await look(page, `${where}, dialog "${name}"`, wrong, 'dialog[open]')
    await page.keyboard.press('Escape')
  }
  return names.size
}

describe.skipIf(NO_BROWSER)(`axe over every page ${SKIPPED}`, () => {
  let served: Served
  let stops: Record<string, Stop>
  beforeAll(async () => {
    served = await serveDemo()
    stops = await listStops(served)
  })

  test.each([390, 768, 1440])('finds nothing at %i pixels, in light or dark, in pages and dialogs', async (width) => {
    const wrong: string[] = []
    let dialogs = 0
    const { page } = await open({ width, height: 900 })
    for (const [name, { path, steps }] of Object.entries(stops)) {
      await page.goto(served.url + path)
      for (const [step, act] of steps) {
        await act(page)
        await look(page, `${name} ${step}`, wrong)
      }
      if ((await page.locator('dialog[open]').count()) === 0) dialogs += await lookIntoDialogs(page, name, wrong)
    }
    // Without a key every page asks for one.
    await page.evaluate('sessionStorage.clear()')
    await page.route('**/demo-key', (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto(served.url)
    await seen('An API key is needed')(page)
    await look(page, 'no key', wrong)
    expect(dialogs).toBeGreaterThan(50)
    expect(wrong).toEqual([])
    await page.close()
  })
})
