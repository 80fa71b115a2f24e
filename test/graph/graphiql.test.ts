import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../src/graph/examples.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph } from '../support/graph.ts'
import { serveGraph } from '../support/graph-server.ts'
import { seedCaller, seedLedger } from '../support/seed.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const { url, post } = await serveGraph(graph, await seedCaller(database.pool))

describe('GraphiQL', () => {
  it('the page is sent compressed, and answers 304 as long as it stays the same', async () => {
    const accept = { accept: 'text/html', 'accept-encoding': 'gzip, br' }
    const first = await fetch(url, { headers: accept })
    const page = await first.text()
    expect(page).toContain('YogaGraphiQL')
    expect(Number(first.headers.get('content-length'))).toBeLessThan(page.length / 2)
    const etag = first.headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { ...accept, 'if-none-match': etag } })).status).toBe(304)
    const plain = await fetch(url, { headers: { ...accept, 'accept-encoding': 'gzip;q=0' } })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, page])
  })

  it('the page is sent again if a browser reloads it with a query in the URL, while a program gets the answer of the query', async () => {
    const address = `${url}?query=${encodeURIComponent('{ chain { name } }')}`
    const reloaded = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(await reloaded.text()).toContain('YogaGraphiQL')
    for (const headers of [{}, { accept: 'text/html', authorization: 'Bearer x' }]) {
      expect(await (await fetch(address, { headers })).json()).toHaveProperty('data.chain')
    }
  })

  it.each(EXAMPLES.map((example) => [example.query.slice(2, 40), example] as const))(
    'this example of the page runs without an error: %s',
    async (_, example) => {
      const { status, body } = await post(example)
      expect([status, body.errors]).toEqual([200, undefined])
      // The width of a line that half of a 1300 pixel screen shows.
      expect(example.query.split('\n').filter((line) => line.length > 51)).toEqual([])
    },
  )

  it.skipIf(!existsSync(CHROMIUM))(
    'the page runs a query with a key in a browser, and contacts no other host (skipped without Chromium)',
    async () => {
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
      try {
        const tab = await browser.newPage({ viewport: { width: 1400, height: 900 } })
        const hosts = new Set<string>()
        const keys: string[] = []
        const problems: string[] = []
        tab.on('request', (request) => {
          const { protocol, host } = new URL(request.url())
          if (protocol.startsWith('http')) hosts.add(host)
          const key = request.headers().authorization
          if (key) keys.push(key)
        })
        tab.on('pageerror', (error) => problems.push(error.message))
        await tab.goto(url)
        // The schema is shown before a key is entered.
        await tab.getByRole('button', { name: 'Show Documentation Explorer' }).click()
        await tab.getByRole('link', { name: 'Query', exact: true }).click()
        await tab.getByRole('link', { name: 'walletScore', exact: true }).waitFor()
        expect(keys).toEqual([])
        await tab
          .getByText(/YOUR_KEY/)
          .first()
          .click()
        await tab.keyboard.press('End')
        // Replaces the placeholder of the key, as a user would.
        await tab.keyboard.press('ArrowLeft')
        for (const _ of 'YOUR_KEY') await tab.keyboard.press('Backspace')
        await tab.keyboard.insertText('assay_live_test')
        await tab.getByRole('button', { name: 'Execute query' }).click()
        await tab.getByText('"lagBlocks"').waitFor()
        if (process.env.SCREENSHOT) await tab.screenshot({ path: process.env.SCREENSHOT })
        expect(keys).toContain('Bearer assay_live_test')
        expect([...hosts]).toEqual([new URL(url).host])
        expect(problems).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
