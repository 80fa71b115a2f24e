// GoPlus' token security, answered from a seeded ledger and by its table of fields.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { type CheckedToken, GOPLUS_FIELDS, toGoplus } from '../../../src/rest/compatible/goplus-fields.ts'
import { createServed, type Served } from '../../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const UNREAD: CheckedToken = {
  address: `0x${'ab'.repeat(20)}`,
  name: 'Some',
  symbol: 'SOME',
  supply: null,
  holderCount: 3,
  deployer: null,
  sellCheck: { sellable: null, buyable: null, buyTaxPct: null, sellTaxPct: null, measuredSellTaxPct: null },
  powers: null,
  powersRead: [],
  code: null,
  verdict: null,
  topHolders: [{ address: `0x${'cd'.repeat(20)}`, quantity: null, holdingPct: 12.5, classification: null }],
  pools: { nodes: [] },
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  served.ask(`${served.url}/goplus/api/v1${path}`, { headers })

test('what nobody could find out is missing, and neither "0" nor "1"', () => {
  expect(JSON.parse(JSON.stringify(toGoplus(UNREAD)))).toEqual({
    token_name: 'Some',
    token_symbol: 'SOME',
    holder_count: '3',
    is_in_dex: '0',
    dex: [],
    holders: [{ address: `0x${'cd'.repeat(20)}`, percent: '0.125', tag: '' }],
  })
})

test('a power that nobody holds any more, or that was not looked for everywhere, is told apart from none', () => {
  const mint = { kind: 'mint', renounced: true, hidden: false } as const
  const code = { proxy: null, owner: null, unread: null }
  const read = { ...UNREAD, powers: [mint], powersRead: ['bytecode'], code, verdict: { unknown: [] } }
  expect(toGoplus(read)).toMatchObject({ is_mintable: '0', transfer_pausable: '0', is_proxy: '0', owner_address: '' })
  const part = { ...read, code: { ...code, unread: 'too_large' } }
  expect(toGoplus(part)).toMatchObject({ is_mintable: undefined, is_proxy: undefined, owner_address: undefined })
  const partly = { ...read, verdict: { unknown: [{ topic: 'owner' }] } }
  expect(toGoplus(partly)).toMatchObject({ is_mintable: undefined, owner_address: undefined })
  const held = { ...part, powers: [{ ...mint, renounced: false, hidden: true }] }
  expect(toGoplus(held)).toMatchObject({ is_mintable: '1', hidden_owner: '1', transfer_pausable: undefined })
})

test('a refused sale is a honeypot, taxes are parts of one, and a measured tax stands in for an untried one', () => {
  const sellCheck = { sellable: false, buyable: true, buyTaxPct: 5, sellTaxPct: null, measuredSellTaxPct: 12.5 }
  expect(toGoplus({ ...UNREAD, sellCheck })).toMatchObject({
    is_honeypot: '1',
    cannot_buy: '0',
    buy_tax: '0.05',
    sell_tax: '0.125',
  })
})

test('tokens are answered by address in any case, those that are not indexed are named', async () => {
  const [{ address = '' } = {}] = served.seeded.tokens
  const absent = `0x${'99'.repeat(20)}`
  const one = await ask(`/token_security/31337?contract_addresses=${address.toUpperCase().replace('0X', '0x')}`)
  expect([one.status, one.json.code, Object.keys(one.json.result)]).toEqual([200, 1, [address]])
  expect(one.json.result[address]).toMatchObject({ token_symbol: expect.any(String), is_in_dex: '1' })
  const two = await ask(`/token_security/31337?contract_addresses=${address},${absent}`)
  expect(two.json).toMatchObject({ code: 2, message: `not indexed: ${absent}` })
  expect(Object.keys(two.json.result)).toEqual([address])
})

test('another chain, a malformed address, too many of them and another method are refused in words', async () => {
  const address = `0x${'ab'.repeat(20)}`
  const chain = await ask(`/token_security/56?contract_addresses=${address}`)
  expect(chain.json).toEqual({ code: 2018, message: 'chain "56" is not indexed here; chain 31337 is', result: null })
  const bad = await ask(`/token_security/31337?contract_addresses=${address},0x12`)
  expect(bad.json).toMatchObject({ code: 2004, message: expect.stringContaining('number 2 is not') })
  const many = Array.from({ length: 21 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
  for (const list of ['', `?contract_addresses=${many}`])
    expect((await ask(`/token_security/31337${list}`)).json).toMatchObject({ code: 2004, result: null })
  const posted = await served.ask(`${served.url}/goplus/api/v1/token_security/31337`, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('a bare key is a key, and a wrong one is refused as everywhere', async () => {
  const { authorization } = await served.knock({ plan: 'api', requestsPerMinute: 100 })
  const path = `/token_security/31337?contract_addresses=${served.seeded.tokens[0]?.address}`
  expect((await ask(path, { authorization: authorization.replace('Bearer ', '') })).json.code).toBe(1)
  expect((await ask(path, { authorization })).headers.get('ratelimit')).toMatch(/;r=\d\d/)
  expect((await ask(path, { authorization: 'assay_live_x' })).status).toBe(401)
  expect((await ask(path, { authorization: '' })).status).toBe(401)
})

test('docs/coming-from/goplus.md names each field of the answer', () => {
  const page = readFileSync(new URL('../../../docs/coming-from/goplus.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## The same call')
  expect(Object.keys(GOPLUS_FIELDS).filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

const packages = new URL('../../../.ci/api/package.json', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/@goplus', packages))

test.skipIf(!isInstalled)(
  'the public client reads an answer, without a change (skipped until .ci/api/run installed it)',
  async () => {
    const { ApiClient, TokenControllerV1Api } = createRequire(packages)(
      // By its path: the package exports only the functions that ask GoPlus itself.
      fileURLToPath(new URL('node_modules/@goplus/sdk-node/dist/gen/index.js', packages)),
    )
    const client = Object.assign(new ApiClient(), { basePath: `${served.url}/goplus` })
    const { authorization } = await served.knock({ plan: 'api' })
    const address = String(served.seeded.tokens[0]?.address)
    // The client itself sends the key as it is.
    client.defaultHeaders.Authorization = authorization.replace('Bearer ', '')
    const data = await new Promise<{ code: number; message: string; result: Record<string, object> }>(
      (resolve, reject) =>
        new TokenControllerV1Api(client).tokenSecurityUsingGET1('31337', [address], {}, (error: unknown, got: never) =>
          error ? reject(error) : resolve(got),
        ),
    )
    expect([data.code, data.message]).toEqual([1, 'OK'])
    expect(data.result[address]).toMatchObject({ token_symbol: expect.any(String), is_in_dex: '1' })
  },
)
