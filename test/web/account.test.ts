// Signing up and the account in a real browser, with mails through a real SMTP server.
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createMailing } from '../../src/signup/mailing.ts'
import '../../web/build.mjs'
import { sumRoutes } from '../../web/src/parts/sum-routes.ts'
import { silentLog } from '../support/access.ts'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED, type Tab } from '../support/browser.ts'
import { createServed } from '../support/served.ts'
import { startSmtp } from '../support/smtp.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const served = await createServed({ signup: 'open' })
const smtp = await startSmtp()
const mailer = createSmtpMailer({ url: smtp.url, from: 'Assay <alerts@assay.example>' })
afterAll(async () => {
  mailer.close()
  await smtp.close()
})
const open = openBrowser()

/** Sends the waiting mail, and returns its link. */
async function readLink(): Promise<string> {
  smtp.received.length = 0
  const { clock, url: publicUrl } = served
  await createMailing({ pool: served.database.pool, mailer, clock, mode: 'open', publicUrl, log: silentLog }).run()
  return /http\S+#token=\S+/.exec(smtp.received[0]?.mail.text ?? '')?.[0] ?? ''
}

/** Nothing is wrong with the page: no complaint, nothing for axe, and no scrolling to the side. */
async function expectCalm({ page, problems }: Tab): Promise<void> {
  expect(await audit(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  // A page without a key asks for the demo's.
  expect(problems.filter((problem) => !problem.includes('/demo-key'))).toEqual([])
}

const shownKey = async (page: Page) => (await page.locator('.secret code').textContent()) ?? ''

async function openAccount(page: Page, key: string): Promise<void> {
  await page.addInitScript(`sessionStorage.setItem('assay-key', '${key}')`)
  await page.goto(`${served.url}/account`)
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
}

test('the usage by route sums the days, the most used first', () => {
  const days = [
    {
      routes: [
        { route: '/graphql', requests: 3 },
        { route: 'other', requests: 9 },
      ],
    },
    { routes: [{ route: '/graphql', requests: 7 }] },
    { routes: [] },
  ]
  expect(sumRoutes(days)).toEqual([
    { name: '/graphql', requests: 10 },
    { name: 'other', requests: 9 },
  ])
})

describe.skipIf(NO_BROWSER)(`signing up and the account ${SKIPPED}`, () => {
  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)('on a %s a mail leads to a key, and the link stays in no address', async (name, size) => {
    const tab = await open(size)
    const { page } = tab
    await page.goto(served.url)
    await page.getByRole('link', { name: 'Get one by mail' }).click()
    await page.getByRole('textbox', { name: 'Mail address' }).fill(`${name}@example.com`)
    await expectCalm(tab)
    await page.keyboard.press('Enter')
    await page.getByText('a mail with a link is on its way').waitFor()
    const link = await readLink()
    await page.goto(link)
    const button = page.getByRole('button', { name: 'Confirm and show the key' })
    await button.waitFor()
    expect(page.url()).toBe(`${served.url}/signup`)
    await expectCalm(tab)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByText(`You are signed in as ${name}@example.com.`).waitFor()
    expect(await shownKey(page)).toMatch(/^assay_live_\w{36}$/)
    await expectCalm(tab)
    await page.getByRole('link', { name: 'To your account' }).click()
    await page.getByText('No stream is open.').waitFor()
    await page.getByText('this tab', { exact: true }).waitFor()
    await expectCalm(tab)
    expect(tab.addresses.filter((address) => address.includes('token='))).toEqual([])
    await page.close()
  })

  test('a link that was used says so, and leads to another one', async () => {
    const { page } = await open(PHONE)
    const { key } = await served.knock({ email: 'again@example.com' })
    const ask = (path: string, body: object) =>
      served.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    await ask('/signup', { email: 'again@example.com' })
    const link = await readLink()
    await ask('/signup/confirm', { token: link.split('=')[1] })
    await page.addInitScript(`sessionStorage.setItem('assay-key', '${key}')`)
    await page.goto(link)
    await page.getByText('it takes the place of that one').waitFor()
    await page.getByRole('button', { name: 'Confirm and show the key' }).click()
    await page.getByText('This link was used already or has expired').waitFor()
    await page.getByRole('button', { name: 'Ask for another link' }).click()
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    await page.close()
  })

  test.each([
    [1440, 'light'],
    [1024, 'dark'],
    [768, 'light'],
    [390, 'dark'],
  ] as const)(
    'at %i pixels in %s an account makes, renames, rotates and revokes keys by keyboard',
    async (width, colours) => {
      const tab = await open({ width, height: 844 }, { dark: colours === 'dark' })
      const { page } = tab
      const { key } = await served.knock({ plan: 'api' })
      await openAccount(page, key)
      await page.getByRole('textbox', { name: 'Name of a new key' }).fill('<b>Robot</b>')
      await page.keyboard.press('Enter')
      const row = page.getByRole('row').filter({ hasText: '<b>Robot</b>' })
      await row.waitFor()
      const made = await shownKey(page)
      expect((await served.ask('/me', { headers: { authorization: `Bearer ${made}` } })).status).toBe(200)
      await expectCalm(tab)
      await row.getByRole('button', { name: 'Rename' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Robot')
      await page.keyboard.press('Enter')
      const renamed = page.getByRole('row').filter({ hasText: /^Robot/ })
      await renamed.waitFor()
      expect(await page.locator('.secret').count()).toBe(0)
      await renamed.getByRole('button', { name: 'Rotate' }).focus()
      await page.keyboard.press('Enter')
      await expectCalm(tab)
      await page.getByRole('button', { name: 'Not at all' }).focus()
      await page.keyboard.press('Enter')
      await page.locator('.secret').waitFor()
      expect(await shownKey(page)).not.toBe(made)
      served.clock.advance(3_001)
      expect((await served.ask('/me', { headers: { authorization: `Bearer ${made}` } })).status).toBe(401)
      page.once('dialog', (dialog) => dialog.accept())
      await renamed.getByRole('button', { name: 'Revoke' }).click()
      await renamed.waitFor({ state: 'detached' })
      await page.close()
    },
  )

  test('the key of the tab is replaced when it is rotated, and forgotten when it is revoked', async () => {
    const { page } = await open(DESKTOP)
    const { key } = await served.knock({ plan: 'api' })
    await openAccount(page, key)
    await page.getByRole('button', { name: /^Rotate/ }).click()
    await page.getByRole('button', { name: 'Not at all' }).click()
    await page.locator('.secret').waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('assay-key')`)).toBe(await shownKey(page))
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByRole('heading', { name: 'An API key is needed' }).waitFor()
    await page.close()
  })

  test('usage shows the requests by day and by route', async () => {
    const tab = await open(PHONE)
    const { id, key } = await served.knock({ plan: 'api' })
    await served.database.pool.query(
      `INSERT INTO usage_day SELECT account_id, day, route, requests FROM api_key CROSS JOIN (VALUES
         (date '2026-03-05', 'GET /v1/me', 2), (date '2026-03-04', 'GET /v1/me', 1)) AS u (day, route, requests)
       WHERE id = $1`,
      [id],
    )
    await openAccount(tab.page, key)
    await tab.page.getByRole('row', { name: 'GET /v1/me 3' }).waitFor()
    await tab.page.getByRole('row', { name: '2026-03-05 2' }).waitFor()
    await expectCalm(tab)
    await tab.page.close()
  })
})
