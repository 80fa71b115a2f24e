// The page's live table in a real browser, over a ledger that the real writer writes and rolls back.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createLiveLedger } from '../support/live-ledger.ts'

const PATIENCE = { timeout: 20_000 }
const keys: { demo: string | null } = { demo: null }
const { desk, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve({}, { readDemoKey: async () => keys.demo })
keys.demo = (await server.knock({ plan: 'api' })).key
desk.buy(1, 1)
await append()
const open = openBrowser()

describe.skipIf(NO_BROWSER)(`live events in a browser ${SKIPPED}`, { timeout: 60_000 }, () => {
  test('events of a token come as they happen, and go when a reorganisation takes them back', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    await page.goto(`${server.url}/token/${desk.token}`)
    await page.getByText('Live: events come as they happen.').waitFor()
    // Nothing tells the page of a new block any more, so that it does not ask again.
    await page.route('**/readyz', (route) => route.abort())
    const table = page.getByRole('region', { name: 'Events' }).last()
    const buys = async () =>
      (await table.getByRole('row').allTextContents()).filter((row) => row.includes('Buy')).length
    const before = await buys()
    const stays = newest()
    desk.buy(2, 1)
    desk.buy(3, 2)
    await append()
    await expect.poll(buys, PATIENCE).toBe(before + 2)
    await rollBack(stays)
    await expect.poll(buys, PATIENCE).toBe(before)
    await page.close()
  })
})
