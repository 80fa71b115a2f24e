import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serverOf } from '../../../src/rest/page/card.ts'
import { readPageFiles } from '../../../src/rest/page/page-files.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createTestServer } from '../../support/rest.ts'
import '../../../web/build.mjs'

const KEY = 'assay_live_of_the_demo'
const database = await createTestDatabase()
const { url } = await createTestServer({ database, readDemoKey: async () => KEY })
const plain = await createTestServer({ database })

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ADDRESS = `0x${'ab'.repeat(20)}`
const files = readPageFiles()
if (!files) throw new Error('web/build.mjs built nothing')

const inviting = await createTestServer({ database, signup: 'invite' })

describe('the page', () => {
  test('offers to sign up only where people may', async () => {
    const ask = async (server: string, path: string) => {
      const response = await fetch(server + path, { headers: BROWSER })
      return { status: response.status, html: await response.text(), referrer: response.headers.get('referrer-policy') }
    }
    const offered = await ask(inviting.url, '/signup')
    expect([offered.status, offered.referrer]).toEqual([200, 'no-referrer'])
    expect(offered.html).toContain('<meta name="signup" content="invite" />')
    expect((await ask(inviting.url, '/')).html).toContain('<meta name="signup"')
    expect((await ask(plain.url, '/signup')).status).toBe(404)
    expect((await ask(plain.url, '/')).html).not.toContain('name="signup"')
  })

  test.each([
    '/',
    `/token/${ADDRESS}`,
    `/wallet/${ADDRESS.toUpperCase().replace('0X', '0x')}`,
    '/wallets',
    '/compare',
    '/alerts',
    '/account',
    '/status',
  ])('is HTML for a browser at %s, under a policy that knows its style sheet by hash, and no script', async (path) => {
    const response = await fetch(url + path, { headers: BROWSER })
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain('<div id="page"></div>')
    expect(html).not.toMatch(/<script(?![^>]* src=)|style=|onload=/)
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text)
    expect(styles).toHaveLength(1)
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash}';`)
    expect(policy).not.toContain('unsafe')
  })

  test.each([
    ['/', 'Tokens · Assay'],
    [`/token/${ADDRESS.toUpperCase().replace('0X', '0x')}`, 'Token 0xabab…abab · Assay'],
    [`/wallet/${ADDRESS}`, 'Wallet 0xabab…abab · Assay'],
    ['/status', 'Status · Assay'],
  ])('has a title at %s, an icon, and a card with a picture from this server', async (path, title) => {
    const html = await (await fetch(url + path, { headers: BROWSER })).text()
    const meta = (name: string) => new RegExp(`property="${name}" content="([^"]*)"`).exec(html)?.[1]
    expect(html).toContain(`<title>${title}</title>`)
    expect([meta('og:title'), meta('og:url')]).toEqual([title, url + path.toLowerCase()])
    expect(meta('og:description')).toMatch(/^[A-Z].{30,120}\.$/)
    expect(html).toContain(`<meta name="description" content="${meta('og:description')}" />`)
    const image = await fetch(meta('og:image') ?? '')
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    const bytes = Buffer.from(await image.arrayBuffer())
    // The width and height of a PNG stand behind its signature.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    const icon = /<link rel="icon" href="([^"]+)"/.exec(html)?.[1]
    expect((await fetch(url + icon)).headers.get('content-type')).toBe('image/svg+xml')
  })

  test('names in its card the address that PUBLIC_URL gives, and no host that could not be one', async () => {
    const { url: behind } = await createTestServer({ database, publicUrl: 'https://assay.example/' })
    expect(await (await fetch(`${behind}/status`, { headers: BROWSER })).text()).toContain(
      'property="og:url" content="https://assay.example/status"',
    )
    expect(serverOf('http', 'a"><script>')).toBe('')
    expect(serverOf('https', '[::1]:4000')).toBe('https://[::1]:4000')
  })

  test('says to a browser that an address is none, and a program gets JSON', async () => {
    for (const path of ['/nowhere', '/token/hello']) {
      const shown = await fetch(url + path, { headers: BROWSER })
      expect([shown.status, await shown.text()]).toEqual([404, expect.stringContaining('<div id="page"></div>')])
      const told = await fetch(url + path)
      expect([told.status, await told.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
    }
    const posted = await fetch(`${url}/nowhere`, { method: 'POST', headers: BROWSER })
    expect([posted.status, posted.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')])
  })

  test('is the list of entry points at / for a program', async () => {
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    expect(await response.json()).toMatchObject({ rest: '/v1', graphql: '/graphql' })
    expect(response.headers.get('vary')).toMatch(/Accept/)
    expect(await (await fetch(url)).json()).toMatchObject({ rest: '/v1' })
  })

  test.each(['/token/0x12', '/token/', '/tokens', '/wallet/otter', '/assets/nothing.js', '/assets/..%2findex.html'])(
    'is 404 at %s, which is none of its addresses',
    async (path) => {
      expect((await fetch(url + path, { headers: BROWSER })).status).toBe(404)
    },
  )

  test('takes GET and HEAD alone', async () => {
    expect((await fetch(`${url}/status`, { method: 'POST' })).status).toBe(405)
    const head = await fetch(`${url}/status`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('names files that browsers keep forever, packed as the browser takes them', async () => {
    const html = await (await fetch(`${url}/status`, { headers: BROWSER })).text()
    const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1])
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) {
      const plainText = await (await fetch(url + name, { headers: { 'accept-encoding': 'identity' } })).text()
      for (const coding of ['br', 'gzip']) {
        const packed = await fetch(url + name, { headers: { 'accept-encoding': coding } })
        expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, coding])
        expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(await packed.text()).toBe(plainText)
      }
    }
  })

  test('is at most 200 KB packed without the chart, and the chart at most 100 KB', () => {
    const textOf = (name: string) => files.assets.get(name)?.coded.identity.toString() ?? ''
    // The files that the page loads, now or later: GraphiQL has its own.
    const reached = new Set<string>()
    const visit = (text: string) => {
      for (const [, name] of text.matchAll(/["'(](?:\/assets\/|\.\/)([\w-]+\.(?:js|css|svg))/g)) {
        if (name === undefined || reached.has(name) || !files.assets.has(name)) continue
        reached.add(name)
        visit(textOf(name))
      }
    }
    visit(files.index.coded.identity.toString())
    const sizeOf = (names: string[]) =>
      names.reduce((sum, name) => sum + (files.assets.get(name)?.coded.gzip.length ?? 0), 0)
    const chart = [...reached].filter((name) => name.startsWith('draw-'))
    expect(chart).toHaveLength(1)
    expect(reached.size).toBeGreaterThan(4)
    expect(sizeOf([...reached].filter((name) => !chart.includes(name)))).toBeLessThan(200_000)
    expect(sizeOf(chart)).toBeLessThan(100_000)
  })

  test('is packed without loss', () => {
    for (const [name, { coded }] of files.assets)
      expect((name.endsWith('.png') ? coded.br : brotliDecompressSync(coded.br)).equals(coded.identity)).toBe(true)
  })
})

describe('the key of the demo', () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const page = () => ({ ...own, referer: `${url}/tokens` })
  const ask = (headers: Record<string, string>, base = url) => fetch(`${base}/demo-key`, { headers })
  /** Sends these lines as they are: `fetch` sets headers of its own. */
  const shout = (version: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port, host } = new URL(url)
      const lines = Object.entries({ host, connection: 'close', ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /demo-key ${version}\r\n${lines.join('\r\n')}\r\n\r\n`),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(Number(text.split(' ')[1]))).on('error', reject)
    })

  test('is given to the page on this machine, and no other site may read it', async () => {
    const response = await ask(page())
    expect(await response.json()).toEqual({ key: KEY })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await ask({ ...own, origin: url })).status).toBe(200)
    expect(await shout('HTTP/1.1', page())).toBe(200)
  })

  test.each([
    ['another site', () => ({ ...page(), 'sec-fetch-site': 'cross-site' })],
    ['a site on another port', () => ({ ...page(), 'sec-fetch-site': 'same-site' })],
    ['a program that does not say', () => ({})],
    ['a page that does not say where it is from', () => own],
    ['a page from elsewhere', () => ({ ...own, referer: 'https://assay.example/tokens' })],
    ['a page of another port', () => ({ ...own, referer: 'http://127.0.0.1:1/' })],
    ['a page from nowhere', () => ({ ...own, referer: 'about:blank' })],
    ['a foreign origin', () => ({ ...page(), origin: 'https://assay.example' })],
    ['the origin null', () => ({ ...page(), origin: 'null' })],
    ['somebody behind a proxy', () => ({ ...page(), 'x-forwarded-for': '203.0.113.9' })],
    ['somebody behind a proxy that names itself', () => ({ ...page(), via: '1.1 proxy' })],
    ['somebody behind Cloudflare', () => ({ ...page(), 'cf-connecting-ip': '203.0.113.9' })],
    ['somebody behind a proxy that nobody has heard of', () => ({ ...page(), 'x-client': '203.0.113.9' })],
    ['a foreign host name that leads here', () => ({ ...page(), host: 'rebound.example' })],
    ['this machine on the port of a proxy', () => ({ ...page(), host: '127.0.0.1:1' })],
    ['this machine without a port', () => ({ ...page(), host: 'localhost' })],
  ])('is not given to %s', async (_, headers) => {
    expect(await shout('HTTP/1.1', headers())).toBe(404)
  })

  test('is not given by HTTP/1.0, which proxies speak and browsers do not', async () => {
    expect(await shout('HTTP/1.0', page())).toBe(404)
  })

  test('is not there on a server of a network', async () => {
    expect((await ask({ ...own, referer: plain.url }, plain.url)).status).toBe(404)
  })

  test('is asked for by the HTML itself where it would be given, also when the database is away', async () => {
    const asks = async (base: string, headers: Record<string, string> = {}) =>
      (await (await fetch(base, { headers: { ...BROWSER, ...headers } })).text()).includes('href="/demo-key"')
    const broken = await createTestServer({ database, readDemoKey: () => Promise.reject(new Error('away')) })
    expect(
      await Promise.all([
        asks(url),
        asks(plain.url),
        asks(broken.url),
        asks(url, { 'cf-connecting-ip': '203.0.113.9' }),
      ]),
    ).toEqual([true, false, false, false])
  })
})
