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

  test('a page whose place in the events no server knows any more drops what came until then, and goes on', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    const update = {
      id: '5-5-5',
      cursor: '5-5-5.77',
      retracted: false,
      event: {
        id: '5-5-5',
        type: 'swap',
        direction: 'buy',
        timestamp: '2026-01-01T00:00:00.000Z',
        amountUsd: 123_456,
        quantity: 1,
        walletAddress: desk.who,
        txHash: `0x${'ab'.repeat(32)}`,
      },
    }
    let opened = 0
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('subscription Live')) return route.continue()
      opened += 1
      if (opened > 1) return route.continue()
      return route.fulfill({
        contentType: 'text/event-stream',
        body: `event: next\ndata: ${JSON.stringify({ data: { events: update } })}\n\n`,
      })
    })
    await page.goto(`${server.url}/token/${desk.token}`)
    const row = page.getByRole('region', { name: 'Events' }).last().getByText('$123.5K')
    await row.waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByText('Live: events come as they happen.').waitFor()
    expect(opened).toBe(3)
    await page.close()
  })
})
