// The page's live table in a real browser, over a ledger that the real writer writes and rolls back.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createLiveLedger } from '../support/live-ledger.ts'

const keys: { demo: string | null } = { demo: null }
const { desk, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve({}, { readDemoKey: async () => keys.demo })
keys.demo = (await server.knock({ plan: 'api' })).key
desk.buy(1, 1)
await append()
const open = openBrowser()

describe.skipIf(NO_BROWSER)(`live events in a browser ${SKIPPED}`, () => {
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
    await expect.poll(buys).toBe(before + 2)
    await rollBack(stays)
    await expect.poll(buys).toBe(before)
    await page.close()
  })

  test('a page with an unknown place in the events drops its earlier ones, and continues', async () => {
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
        tokenAddress: desk.token,
        transactionHash: `0x${'ab'.repeat(32)}`,
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
    const row = page.getByRole('region', { name: 'Events' }).last().getByText('$123.5k')
    await row.waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByText('Live: events come as they happen.').waitFor()
    expect(opened).toBe(3)
    await page.close()
  })

  test('a reader who leaves a live token for another page sees no error', async () => {
    const { page, problems } = await open({ width: 1280, height: 800 })
    const ended = page.waitForEvent(
      'requestfailed',
      (request) => request.postData()?.includes('subscription Live') ?? false,
    )
    await page.goto(`${server.url}/token/${desk.token}`)
    await page.getByText('Live: events come as they happen.').waitFor()
    await page.getByRole('link', { name: 'Wallets', exact: true }).click()
    await ended
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('seven open tabs share one stream, the seventh loads, and when the tab that holds it is closed another one goes on', async () => {
    const { page } = await open({ width: 1280, height: 800 })
    const tabs = [page]
    for (let count = 1; count < 7; count += 1) tabs.push(await page.context().newPage())
    const streams = new Set<unknown>()
    for (const tab of tabs) {
      tab.on('request', (request) => request.postData()?.includes('subscription Live') && streams.add(request))
      tab.on('requestfinished', (request) => streams.delete(request))
      tab.on('requestfailed', (request) => streams.delete(request))
    }
    const isLive = (tab: (typeof tabs)[number]) => tab.getByText('Live: events come as they happen.').waitFor()
    for (const tab of tabs) {
      await tab.goto(`${server.url}/token/${desk.token}`)
      await isLive(tab)
    }
    expect(streams.size).toBe(1)
    // No poll tells the last tab of a new block any more: all updates come by the stream.
    const last = tabs.at(-1) ?? page
    await last.route('**/readyz', (route) => route.abort())
    await tabs[1]?.close()
    await page.goto('about:blank')
    await expect.poll(() => streams.size).toBe(1)
    await isLive(last)
    const table = last.getByRole('region', { name: 'Events' }).last()
    const buys = async () =>
      (await table.getByRole('row').allTextContents()).filter((row) => row.includes('Buy')).length
    const before = await buys()
    desk.buy(4, 1)
    await append()
    await expect.poll(buys).toBe(before + 1)
    await page.close()
  })
})
