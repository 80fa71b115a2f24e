// The dashboard of examples/dashboard in a real browser, with a key of the plan Free: a minute of its use fits the plan.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse, validate } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { limitsOf } from '../../src/access/plan.ts'
import { schema } from '../../src/graph/run/schema.ts'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { tokenAddress } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

const FOLDER = new URL('../../examples/dashboard/', import.meta.url)
const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
const QUERIES = (await import(new URL('queries.js', FOLDER).href)) as Record<string, string>
const PER_MINUTE = limitsOf('free', { requestsPerMinute: null, requestsPerDay: null }).requestsPerMinute ?? 0

const served = await createServed()
const HOSTILE = '<img src=x onerror=alert(1)>'
await served.database.pool.query('UPDATE token SET symbol = $1 WHERE address = $2', [HOSTILE, tokenAddress(3)])
const { key, authorization } = await served.knock({ plan: 'free' })
const files = createServer((request, response) => {
  const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1)
  response.setHeader('content-type', `${TYPES[name.split('.').at(-1) ?? '']}; charset=utf-8`)
  response.end(readFileSync(new URL(name, FOLDER)))
})
await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
afterAll(() => void files.close())
const page = `http://127.0.0.1:${(files.address() as AddressInfo).port}/`
const open = openBrowser()

test.each(Object.entries(QUERIES))('the query %s of the dashboard fits the schema', (_, query) => {
  expect(validate(schema, parse(query))).toEqual([])
})

describe.skipIf(NO_BROWSER)(`the dashboard in a browser ${SKIPPED}`, () => {
  test('shows every view within a minute of Free, and shows what strangers wrote as text', async () => {
    const { page: tab, problems, addresses } = await open({ width: 1280, height: 900 })
    const answers: number[] = []
    tab.on('response', (response) => {
      if (response.url().endsWith('/graphql') && response.request().method() === 'POST') answers.push(response.status())
    })
    await tab.goto(page)
    await tab.getByLabel('Server').fill(served.url)
    await tab.getByLabel('Key').fill(key)
    await tab.getByRole('button', { name: 'Connect' }).click()
    await tab.getByText('28 tokens').waitFor()
    await tab.getByText('The feed is live.').waitFor()
    expect(await tab.locator('#feed tr').count()).toBe(20)
    expect(await tab.getByRole('link', { name: HOSTILE }).count()).toBeGreaterThan(0)

    await tab.getByRole('button', { name: 'Liquidity' }).click()
    await tab.locator('th[aria-sort=descending]', { hasText: 'Liquidity' }).waitFor()
    const { rows } = await served.database.pool.query<{ symbol: string }>(
      'SELECT symbol FROM token WHERE indexed ORDER BY liquidity_usd DESC LIMIT 1',
    )
    expect(await tab.locator('main tbody tr').first().locator('td').first().textContent()).toBe(rows[0]?.symbol)

    await tab.getByLabel('Most risk').fill('30')
    await tab.getByRole('button', { name: 'Filter' }).click()
    const safe = await served.database.pool.query('SELECT FROM token WHERE indexed AND risk_score <= 30')
    await tab.getByText(`${safe.rowCount} tokens`).waitFor()

    await tab.goto(`${page}#/token/${tokenAddress(1)}`)
    await tab.getByRole('heading', { name: 'Top traders' }).waitFor()
    expect(await tab.getByRole('img', { name: 'candles of an hour' }).locator('rect').count()).toBeGreaterThan(2)
    expect(await tab.getByRole('img', { name: 'risk over time' }).locator('polyline').getAttribute('points')).toMatch(
      /,/,
    )

    await tab.getByRole('link', { name: 'Leaderboard' }).click()
    await tab.getByRole('heading', { name: 'Leaderboard' }).waitFor()
    await tab.locator('main tbody a').first().click()
    await tab.getByRole('img', { name: 'profit over time' }).waitFor()

    await tab.getByLabel('Search').fill('T1')
    await tab.getByRole('button', { name: 'Search' }).click()
    await tab.getByText(/^\d+ found$/).waitFor()

    expect(answers).toEqual(answers.map(() => 200))
    const { headers } = await fetch(`${served.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"query":"{ me { plan } }"}',
    })
    // This last question is one of the minute, too.
    const left = Number(/"minute";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    expect(PER_MINUTE - left - 1).toBe(9)
    expect(problems).toEqual([])
    expect(addresses.filter((address) => address.includes('assay_'))).toEqual([])
    await tab.close()
  })
})
