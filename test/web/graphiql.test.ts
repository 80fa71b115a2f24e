import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../src/graph/http/examples.ts'
import { readPageFiles } from '../../src/rest/page/page-files.ts'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createServed } from '../support/served.ts'

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
const url = `${served.url}/graphql`
const open = openBrowser()

describe('GraphiQL', () => {
  it('comes for a browser, also when that reloads it with a query in its address; a program gets an answer', async () => {
    const address = `${url}?query=${encodeURIComponent('{ chain { name } }')}`
    const reloaded = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(await reloaded.text()).toContain('Assay GraphQL')
    expect(reloaded.headers.get('content-security-policy')).toContain("script-src 'self';")
    const { authorization } = await served.knock({ plan: 'api' })
    for (const accept of ['*/*', 'text/html']) {
      expect((await served.ask(address, { headers: { accept, authorization } })).json).toHaveProperty('data.chain')
    }
  })

  it('is under 500 KB packed to its first use', () => {
    const files = readPageFiles()
    const names = [...(files?.graphiql.coded.identity.toString().matchAll(/\/assets\/([^"]+)/g) ?? [])]
    const sizes = names.map(([, name = '']) => files?.assets.get(name)?.coded.gzip.length ?? Number.NaN)
    expect(sizes.length).toBeGreaterThan(4)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(450_000)
  })

  it.each(EXAMPLES.map((example) => [example.query.slice(2, 40), example] as const))(
    'has an example that works: %s',
    async (_, { query }) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }
      const { status, json } = await served.ask(url, init)
      expect([status, json.errors]).toEqual([200, undefined])
      // What half of a screen of 1300 pixels shows of a line.
      expect(query.split('\n').filter((line) => line.length > 51)).toEqual([])
    },
  )

  it.skipIf(NO_BROWSER)(
    `shows the schema without a key, then runs each tab that is clicked with one key, which only the session keeps ${SKIPPED}`,
    async () => {
      const { page, hosts, problems } = await open({ width: 1400, height: 900 })
      const sent: { key: string | undefined; query: string }[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST')
          sent.push({ key: request.headers().authorization, query: request.postDataJSON().query })
      })
      await page.goto(url)
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
      await page.getByRole('link', { name: 'Query', exact: true }).click()
      await page.getByRole('link', { name: 'walletScore', exact: true }).waitFor()
      await page.getByRole('button', { name: /^Execute query/ }).click()
      await page.getByText('Put an API key into the bar above').waitFor()
      expect(sent).toEqual([])
      const { key } = await served.knock({ plan: 'api' })
      await page.getByLabel('API key').fill(key)
      for (const name of ['Swaps', 'Holders', 'Me']) {
        const answer = page.waitForResponse((response) => response.request().method() === 'POST')
        await page.getByRole('tab', { name }).click()
        expect((await answer).status()).toBe(200)
        expect(sent.at(-1)).toMatchObject({ key: `Bearer ${key}`, query: expect.stringContaining(`query ${name} `) })
      }
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key)
      await page.getByRole('button', { name: 'Show History' }).click()
      const kept = await page.locator('.graphiql-history-item-label').allInnerTexts()
      expect(kept.sort()).toEqual(['Holders', 'Me', 'Swaps', 'Trending'])
      expect(await page.evaluate('sessionStorage.getItem("assay-key")')).toBe(key)
      expect([...hosts]).toEqual([new URL(url).host])
      expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
      await page.close()
    },
  )

  it.skipIf(NO_BROWSER)(`fits a phone ${SKIPPED}`, async () => {
    const { page } = await open({ width: 390, height: 844 })
    await page.goto(url)
    await page.getByRole('button', { name: /^Execute query/ }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.close()
  })
})
