// Tokens of an authorization server at /mcp: one made for the test, which can be wrong in every way, and a public one.
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServed, type Served } from '../support/served.ts'

const PUBLIC_URL = 'https://assay.example'
const AUDIENCE = `${PUBLIC_URL}/mcp`
const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`

/** Listens on a free port of this machine until the file's tests are over. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An authorization server. `answers` replaces its answer at a path, and `asked` are the paths that it was asked for. */
async function createIssuer() {
  const keys = { current: await generateKeyPair('ES256') }
  const answers: Record<string, unknown> = {}
  const asked: string[] = []
  const url = await listen(async (request, response) => {
    const { url: path = '' } = request
    asked.push(path)
    const own = {
      '/.well-known/oauth-authorization-server': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [{ ...(await exportJWK(keys.current.publicKey)), kid: 'current', alg: 'ES256' }] },
    }[path]
    const answer = path in answers ? answers[path] : own
    response
      .writeHead(answer === undefined ? 500 : 200)
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const sign = ({ kid = 'current', ...claims }: Record<string, unknown> = {}) =>
    new SignJWT({ iss: url, aud: AUDIENCE, sub: 'robot', exp: 4_000_000_000, scope: 'read assay', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: String(kid) })
      .sign(keys.current.privateKey)
  return { url, answers, asked, sign, keys }
}

/** `initialize` of a client, by a POST with the token or key. */
async function post({ url }: Pick<Served, 'url'>, token: string, path = '/mcp') {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  return { status: response.status, message: error?.message, challenge: response.headers.get('www-authenticate') }
}

let issuer: Awaited<ReturnType<typeof createIssuer>>
let served: Served
beforeAll(async () => {
  issuer = await createIssuer()
  served = await createServed({ publicUrl: PUBLIC_URL, oauth: { issuer: issuer.url, scope: 'assay', most: 3 } })
})

describe('a token at /mcp', () => {
  it('opens one account per subject, of the plan that the operator chose, and is charged as a key is', async () => {
    expect(await post(served, await issuer.sign())).toEqual({ status: 200, message: undefined, challenge: null })
    await Promise.all([1, 2, 3].map(async () => post(served, await issuer.sign({ jti: Math.random() }))))
    const { rows } = await served.database.pool.query(
      `SELECT a.plan, k.name FROM account a JOIN api_key k ON k.account_id = a.id WHERE a.email LIKE '%@oauth.invalid'`,
    )
    expect(rows).toEqual([{ plan: 'free', name: 'robot' }])
    for (let at = 0; at < 6; at += 1) await post(served, await issuer.sign())
    expect((await post(served, await issuer.sign())).status).toBe(429)
  })

  it.each([
    ['for another audience', { aud: 'https://other.example/mcp' }, /^The token is not for .*resource=/],
    ['of another issuer', { iss: 'https://evil.example' }, /^The token is not of the authorization server/],
    ['that has expired', { exp: 1_000_000_000 }, /^The token has expired/],
    ['without an end', { exp: undefined }, /^The token is not valid/],
    ['without a subject', { sub: undefined }, /^The token is not valid/],
    ['by an unknown key', { kid: 'other' }, /^The token is not valid/],
  ])('%s is refused, and the answer tells where a client gets one', async (_, claims, message) => {
    const refused = await post(served, await issuer.sign(claims))
    expect(refused).toMatchObject({ status: 401, message: expect.stringMatching(message) })
    expect(refused.challenge).toBe(
      `Bearer realm="assay", error="invalid_token", resource_metadata="${METADATA}", scope="assay"`,
    )
  })

  it('whose signature or whose algorithm is forged is refused', async () => {
    const [head = '', body = '', signature = ''] = (await issuer.sign()).split('.')
    const other = Buffer.from(JSON.stringify({ ...JSON.parse(atob(body)), sub: 'admin' })).toString('base64url')
    expect((await post(served, `${head}.${other}.${signature}`)).status).toBe(401)
    for (const alg of ['none', 'HS256']) {
      const weak = Buffer.from(JSON.stringify({ alg, kid: 'current' })).toString('base64url')
      expect((await post(served, `${weak}.${body}.${signature}`)).status).toBe(401)
    }
  })

  it('without the scope is refused with 403, which names the scope', async () => {
    const { status, challenge } = await post(served, await issuer.sign({ scope: 'read' }))
    expect([status, challenge]).toEqual([
      403,
      `Bearer realm="assay", error="insufficient_scope", resource_metadata="${METADATA}", scope="assay"`,
    ])
    expect((await post(served, await issuer.sign({ sub: 'list', scope: undefined, scp: ['assay'] }))).status).toBe(200)
  })

  it('opens nothing but /mcp, and a key still opens it', async () => {
    expect((await post(served, await issuer.sign(), '/graphql')).status).toBe(401)
    expect((await post(served, (await served.knock({ plan: 'api' })).key)).status).toBe(200)
  })

  it('of one subject too many finds no room, and a revoked key closes the door to its subject', async () => {
    expect((await post(served, await issuer.sign({ sub: 'third' }))).status).toBe(200)
    expect(await post(served, await issuer.sign({ sub: 'fourth' }))).toMatchObject({
      status: 503,
      message: expect.stringMatching(/no room for another account/),
    })
    await served.database.pool.query(`UPDATE api_key SET revoked_at = now() WHERE name = 'third'`)
    served.clock.advance(5_000)
    expect((await post(served, await issuer.sign({ sub: 'third' }))).status).toBe(403)
  })
})

it('the metadata of /mcp names the authorization server, and a request without a key is told where it is', async () => {
  const metadata = {
    resource: AUDIENCE,
    authorization_servers: [issuer.url],
    bearer_methods_supported: ['header'],
    scopes_supported: ['assay'],
    resource_name: 'Assay',
  }
  for (const path of ['', '/mcp']) {
    const response = await fetch(`${served.url}/.well-known/oauth-protected-resource${path}`)
    expect([response.status, await response.json()]).toEqual([200, metadata])
  }
  expect((await post(served, '')).challenge).toBe(
    `Bearer realm="assay", resource_metadata="${METADATA}", scope="assay"`,
  )
})

describe('the authorization server', () => {
  it('that is broken, or of another name, or has keys elsewhere, makes tokens a 503 and leaves keys alone', async () => {
    const wrong: [string, unknown][] = [
      ['/.well-known/oauth-authorization-server', undefined],
      ['/.well-known/oauth-authorization-server', { issuer: 'https://evil.example', jwks_uri: 'https://evil.example' }],
      ['/.well-known/oauth-authorization-server', '{'],
      ['/keys', { keys: 'none' }],
      ['/keys', 'x'.repeat(300_000)],
      ['/keys', undefined],
    ]
    for (const [path, answer] of wrong) {
      const broken = await createIssuer()
      const other = await createServed({
        publicUrl: PUBLIC_URL,
        filled: served.database,
        oauth: { issuer: broken.url },
      })
      broken.answers[path] = answer
      const token = await broken.sign()
      expect(await post(other, token)).toMatchObject({
        status: 503,
        message: 'The authorization server does not answer. Try again in a moment.',
      })
      const asked = broken.asked.length
      expect((await post(other, token)).status).toBe(503)
      expect(broken.asked).toHaveLength(asked)
      expect((await post(other, (await other.knock()).key)).status).toBe(200)
      delete broken.answers[path]
      other.clock.advance(11_000)
      expect((await post(other, token)).status).toBe(200)
      await other.stop()
    }
  })

  it('is asked once for many tokens, again for a key that is new, and its old keys serve while it is away', async () => {
    const busy = await createIssuer()
    const other = await createServed({
      publicUrl: PUBLIC_URL,
      filled: served.database,
      oauth: { issuer: busy.url, plan: 'api' },
    })
    const token = await busy.sign()
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await post(other, token)).status))
    for (let at = 0; at < 5; at += 1) await post(other, await busy.sign({ kid: `made up ${at}` }))
    expect([statuses, busy.asked.length]).toEqual([[200, 200, 200, 200, 200], 2])
    busy.answers['/keys'] = undefined
    other.clock.advance(700_000)
    expect((await post(other, token)).status).toBe(200)
    other.clock.advance(3_600_000)
    expect((await post(other, token)).status).toBe(503)
    delete busy.answers['/keys']
    busy.keys.current = await generateKeyPair('ES256')
    other.clock.advance(11_000)
    expect([(await post(other, token)).status, (await post(other, await busy.sign())).status]).toEqual([401, 200])
  })
})

const packages = new URL('../../.ci/api/package.json', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/oidc-provider', packages))

it.skipIf(!isInstalled)(
  'a public authorization server and the official client agree on a token for /mcp (skipped until .ci/api/run installed it)',
  async () => {
    const path = createRequire(fileURLToPath(packages)).resolve('oidc-provider')
    const { Provider } = await import(pathToFileURL(path).href)
    let callback: RequestListener = (_, response) => response.end()
    const url = await listen((request, response) => callback(request, response))
    const provider = new Provider(url, {
      clients: [
        {
          client_id: 'agent',
          client_secret: 'agent-secret',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      scopes: ['assay'],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            scope: 'assay',
            audience: resource,
            accessTokenFormat: 'jwt',
          }),
        },
      },
    })
    callback = provider.callback()
    const own = await createServed({
      publicUrl: PUBLIC_URL,
      filled: served.database,
      oauth: { issuer: url, scope: 'assay', plan: 'api', most: 100 },
    })
    const authProvider = new ClientCredentialsProvider({
      clientId: 'agent',
      clientSecret: 'agent-secret',
      expectedIssuer: url,
    })
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const transport = new StreamableHTTPClientTransport(new URL(AUDIENCE), {
      authProvider,
      fetch: (to, init) => fetch(String(to).replace(PUBLIC_URL, own.url), init),
    })
    await client.connect(transport)
    const { isError } = await client.callTool({ name: 'search', arguments: { query: 'T1' } })
    expect(isError ?? false).toBe(false)
    await client.close()

    const ask = async (resource: string) => {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('agent:agent-secret')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'assay', resource }),
      })
      return String(Object(await response.json()).access_token)
    }
    expect(await post(own, await ask(AUDIENCE))).toMatchObject({ status: 200 })
    expect(await post(own, await ask('https://other.example/mcp'))).toMatchObject({
      status: 401,
      message: expect.stringMatching(/^The token is not for/),
    })
  },
)
