// The pages of a further chain in a browser: their links and requests, and the links of the chain's mails.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { NO_BROWSER, openBrowser, SKIPPED, type Tab } from './support/browser.ts'
import { createTwoChains } from './support/two-chains.ts'

const { second, key, open } = await createTwoChains()
const openTab = openBrowser()

async function openKeyed(): Promise<Tab> {
  const tab = await openTab({ width: 1280, height: 900 })
  await tab.page.addInitScript(`sessionStorage.setItem('assay-key', '${key}')`)
  return tab
}

/** The links to this server, apart from those of the switch between chains. */
const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a[href]')]
    .filter((link) => !link.closest('.chains') && link.origin === location.origin).map((link) => link.pathname)`)

const isElsewhere = (path: string): boolean => !path.startsWith('/second/') && !path.startsWith('/assets/')

test.skipIf(NO_BROWSER)(
  `every page of a further chain asks that chain, and its links stay there ${SKIPPED}`,
  async () => {
    const { app, ask } = await open({}, { roles: ['api'] })
    await app.ready
    const [token, other] = (await ask('/second/v1/tokens?limit=2')).json.data
    const [wallet] = (await ask('/second/v1/wallets?limit=1')).json.data
    const { page, problems, addresses } = await openKeyed()
    const pages = {
      '/': 'Tokens',
      [`/token/${token.address}`]: token.symbol,
      [`/wallet/${wallet.address}`]: wallet.address,
      '/wallets': 'Wallets',
      '/alerts': 'Alerts',
      '/account': 'Account',
      [`/compare?tokens=${token.address},${other.address}`]: 'Compare',
      '/status': 'Status',
      '/docs': 'Assay',
      '/graphql': null,
    }
    for (const [path, heading] of Object.entries(pages)) {
      await page.goto(`${app.address}/second${path}`)
      if (heading === null) await page.locator('.key-bar').waitFor()
      else await page.locator('h1', { hasText: heading }).waitFor()
      await page.waitForLoadState('networkidle')
      const links = await linksOf(page)
      expect([path, links.filter(isElsewhere)]).toEqual([path, []])
      expect(links.length).toBeGreaterThan(0)
    }
    expect(addresses.map((each) => new URL(each).pathname).filter(isElsewhere)).toEqual([])
    expect(problems).toEqual([])
  },
)

test.skipIf(NO_BROWSER)(`the switch leads from a further chain to the default one ${SKIPPED}`, async () => {
  const { app } = await open({}, { roles: ['api'] })
  await app.ready
  const { page, problems } = await openKeyed()
  await page.goto(`${app.address}/second/`)
  await page.getByRole('link', { name: 'Wallets' }).click()
  await expect.poll(() => page.url()).toBe(`${app.address}/second/wallets`)
  const current = () => page.locator('nav [aria-current]').allTextContents()
  await expect.poll(current).toEqual(['second', 'Wallets'])
  await page.getByRole('link', { name: 'first' }).click()
  await page.locator('table tbody tr').first().waitFor()
  expect(page.url()).toBe(`${app.address}/`)
  expect((await current()).slice(0, 2)).toEqual(['first', 'Tokens'])
  expect(problems).toEqual([])
})

// One process at a time: two with the role share the queue, and either may send the mail.
test.skipIf(NO_BROWSER).each([
  ['every chain', {}],
  ['that chain alone', { CHAIN: 'second' }],
])(
  `a mail of a further chain has links to the page of its token, sent by a process of %s ${SKIPPED}`,
  async (_, environment) => {
    const { app, ask, dataDir } = await open(environment, { roles: ['api', 'alerts'] })
    await app.ready
    const alert = {
      method: 'POST',
      body: JSON.stringify({ name: 'x', conditions: {}, notification_channel: 'email' }),
    }
    expect((await ask('/second/v1/alerts', alert)).status).toBe(201)
    const folder = join(dataDir, ...('CHAIN' in environment ? [] : ['second']), 'mail')
    await expect.poll(() => readdir(folder).catch(() => [])).not.toEqual([])
    const [mail = ''] = await readdir(folder)
    const text = (await readFile(join(folder, mail), 'utf8')).replaceAll('=\r\n', '')
    const [link = ''] = new RegExp(`${app.address}\\S*/token/0x[0-9a-f]{40}`).exec(text) ?? []
    expect(link).toMatch(`${app.address}/second/token/0x`)
    const { page } = await openKeyed()
    await page.goto(link)
    await page.locator('h1', { hasText: /^T\d/ }).waitFor()
  },
  60_000,
)

test.skipIf(NO_BROWSER)(`a process of one further chain shows its page at every address ${SKIPPED}`, async () => {
  const { app, ask } = await open({ CHAIN: 'second' }, { roles: ['api'] })
  await app.ready
  const [token] = (await ask('/v1/tokens?limit=1')).json.data
  const { page, problems } = await openKeyed()
  await page.goto(`${app.address}/token/${token.address}`)
  await page.locator('h1', { hasText: token.symbol }).waitFor()
  expect(page.url()).toBe(`${app.address}/second/token/${token.address}`)
  expect(problems).toEqual([])
})

test.skipIf(NO_BROWSER)(
  `the search box finds tokens and wallets of the other chain, names it, and leads there ${SKIPPED}`,
  async () => {
    const { app, ask } = await open({}, { roles: ['api'] })
    await app.ready
    const [token] = (await ask('/second/v1/tokens?limit=1')).json.data
    const { page, problems } = await openKeyed()
    await page.goto(`${app.address}/`)
    const box = page.getByRole('combobox', { name: 'Search a token or an address' })
    await box.fill(token.name)
    const found = page.locator('#suggestions a', { hasText: 'on second' })
    await found.filter({ hasText: token.symbol }).first().click()
    await expect.poll(() => page.url()).toBe(`${app.address}/second/token/${token.address}`)
    await page.locator('h1', { hasText: token.symbol }).waitFor()
    // One wallet on both chains.
    const [{ address }] = (await ask('/v1/wallets?limit=1')).json.data
    const [{ address: other }] = (await ask('/second/v1/wallets?limit=1')).json.data
    await second.pool.query('UPDATE wallet SET address = $1 WHERE address = $2', [address, other])
    await box.fill(address)
    await expect
      .poll(() => page.evaluate(`[...document.querySelectorAll('#suggestions a')].map((link) => link.href)`))
      .toEqual([`${app.address}/second/wallet/${address}`, `${app.address}/wallet/${address}`])
    expect(await page.locator('#suggestions a').nth(1).textContent()).toContain('on first')
    expect(problems).toEqual([])
    await second.pool.query('UPDATE wallet SET address = $2 WHERE address = $1', [address, other])
  },
)

test.skipIf(NO_BROWSER)(`the search box names a chain whose tokens were not searched ${SKIPPED}`, async () => {
  const { app } = await open({ CHAIN: 'first' }, { roles: ['api'] })
  await app.ready
  const { page } = await openKeyed()
  await page.goto(`${app.address}/`)
  await page.getByRole('combobox', { name: 'Search a token or an address' }).fill('weth')
  await page.locator('#suggestions > div', { hasText: 'second did not search its tokens' }).waitFor()
})

test.skipIf(NO_BROWSER)(`a person signs up at the page of a further chain ${SKIPPED}`, async () => {
  const { app } = await open({ SIGNUP: 'open', SMTP_URL: 'smtp://127.0.0.1:9' }, { roles: ['api'] })
  await app.ready
  const { page, addresses } = await openTab({ width: 1280, height: 900 })
  await page.goto(`${app.address}/second/signup`)
  await page.locator('main input[type=email]').fill('new@example.com')
  await page.locator('main button[type=submit]').click()
  await expect.poll(() => addresses).toContain(`${app.address}/v1/signup`)
  await page.locator('main p[role=status].up').waitFor()
})
