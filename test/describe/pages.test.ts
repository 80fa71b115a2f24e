// What describes the API, as a browser and a program get it from a server.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { WEBHOOK_MESSAGES } from '../../src/describe/deliveries.ts'
import { createOpenApi, printOpenApi } from '../../src/describe/openapi.ts'
import { choosePages, PAGES } from '../../src/describe/pages.ts'
import { SECURITY_PATH } from '../../src/describe/security.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import type { PublicPage } from '../../src/rest/page/public-pages.ts'
import { connectRaw } from '../support/raw.ts'
import { createServed, type Served } from '../support/served.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const keys: { demo: string | null } = { demo: null }

let served: Served
beforeAll(async () => {
  served = await createServed({ readDemoKey: async () => keys.demo })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(served.url + path, { headers })

it('serves the OpenAPI description without a key, and to pages of other hosts', async () => {
  const answer = await get('/openapi.json')
  expect(await answer.text()).toBe(printOpenApi({ origin: served.url }))
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

it('names a server in the OpenAPI description from which a generated client can start', async () => {
  const port = Number(new URL(served.url).port)
  const urlFor = async (host: string) => {
    const [, body = ''] = (await shout(host)).split('\r\n\r\n')
    return JSON.parse(body).servers[0].url
  }
  const shout = async (host: string) => {
    const client = await connectRaw(
      served.url,
      `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    await client.closed
    return client.received()
  }
  expect(await urlFor(`localhost:${port}`)).toBe(`http://localhost:${port}/v1`)
  // Other names are what any caller may send.
  for (const host of ['evil.example', `localhost:${port + 1}`, `localhost:${port}.evil.example`])
    expect([host, await urlFor(host)]).toEqual([host, '/v1'])
  const proxied = await createServed({ publicUrl: 'https://assay.example/' })
  const answer = await fetch(`${proxied.url}/openapi.json`)
  expect((await answer.json()).servers[0].url).toBe(`${proxied.url}/v1`)
  expect(createOpenApi().servers).toMatchObject([{ url: 'http://127.0.0.1:4000/v1' }])
})

describe.each(Object.keys(PAGES))('%s', (path) => {
  it('is sent compressed, and not again while it is the same', async () => {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    const size = Number(plain.headers.get('content-length'))
    expect([plain.status, plain.headers.get('content-encoding'), (await plain.arrayBuffer()).byteLength]).toEqual([
      200,
      null,
      size,
    ])
    for (const coding of ['br', 'gzip']) {
      const packed = await get(path, { 'accept-encoding': coding })
      await packed.arrayBuffer()
      expect(packed.headers.get('content-encoding')).toBe(coding)
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(size)
      const etag = packed.headers.get('etag') ?? ''
      expect((await get(path, { 'accept-encoding': coding, 'if-none-match': etag })).status).toBe(304)
    }
    expect((await fetch(served.url + path, { method: 'POST' })).status).toBe(405)
  })
})

describe('the reference at /docs', () => {
  it.skipIf(!existsSync(CHROMIUM))(
    'shows every route and tries one with a key, and asks no other host (skipped where there is no Chromium)',
    async () => {
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
      try {
        const tab = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
        const hosts = new Set<string>()
        const problems: string[] = []
        tab.on('request', (request) => {
          const { protocol, host } = new URL(request.url())
          if (protocol.startsWith('http')) hosts.add(host)
        })
        tab.on('pageerror', (error) => problems.push(error.message))
        tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
        const { key } = await served.knock()
        await tab.goto(`${served.url}/docs`)
        await tab.locator('.opblock').nth(11).waitFor()
        // Beside the routes: the streams of events and of tokens, tickets, and signing up.
        expect(await tab.locator('.opblock').count()).toBe(ROUTES.length + Object.keys(WEBHOOK_MESSAGES).length + 5)
        await tab.getByRole('button', { name: 'Authorize' }).click()
        await tab.locator('input[type=text], input[type=password]').first().fill(key)
        await tab.locator('.auth-btn-wrapper button', { hasText: 'Authorize' }).click()
        await tab.getByRole('button', { name: 'Close' }).click()
        await tab.locator('#operations-Alerts-listAlerts').click()
        await tab.getByRole('button', { name: 'Try it out' }).click()
        await tab.getByRole('button', { name: 'Execute' }).click()
        const shown = tab.locator('.live-responses-table tbody .response-col_status').first()
        await shown.waitFor()
        if (process.env.SCREENSHOT) await tab.screenshot({ path: process.env.SCREENSHOT })
        expect(await shown.textContent()).toMatch(/^200/)
        expect([...hosts]).toEqual([new URL(served.url).host])
        // This server is no demo yet.
        expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )

  it.skipIf(!existsSync(CHROMIUM))(
    "has the demo's key, a way back to the page, and a name for every choice (skipped where there is no Chromium)",
    async () => {
      keys.demo = (await served.knock({ plan: 'api' })).key
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
      try {
        const tab = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
        await tab.goto(`${served.url}/docs`)
        await tab.locator('#operations-Tokens-listTokens').click()
        await tab.getByRole('button', { name: 'Try it out' }).click()
        await tab.getByRole('button', { name: 'Execute' }).click()
        const shown = tab.locator('.live-responses-table tbody .response-col_status').first()
        await shown.waitFor()
        expect(await shown.textContent()).toMatch(/^200/)
        await tab.evaluate(AXE)
        const found = await tab.evaluate<{ violations: { nodes: { html: string }[] }[] }>(
          `axe.run({ runOnly: ['select-name'] })`,
        )
        expect(found.violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([])
        await tab.getByRole('link', { name: 'back to the page' }).click()
        await tab.waitForURL(`${served.url}/`)
      } finally {
        keys.demo = null
        await browser.close()
      }
    },
  )
})

it('says where a weakness is reported, where the operator has named an address', async () => {
  expect((await get(SECURITY_PATH)).status).toBe(404)
  const clock = { now: () => new Date('2026-03-01T00:00:00Z') }
  const options = { publicUrl: 'https://assay.example', clock }
  expect(choosePages({ ...options, contact: undefined })).toEqual(PAGES)
  const page: PublicPage = choosePages({ ...options, contact: 'mailto:a@b.example' })[SECURITY_PATH]!
  expect([page.type, await page.read('')]).toEqual([
    'text/plain',
    [
      'Contact: mailto:a@b.example',
      'Expires: 2027-02-28T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://assay.example/.well-known/security.txt',
      '',
    ].join('\n'),
  ])
})
