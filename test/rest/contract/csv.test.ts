// Lists as CSV: the same rows as in JSON, harmless to a spreadsheet, and the same columns for an empty list.
import { beforeAll, expect, test } from 'vitest'
import { toCsv } from '../../../src/rest/contract/csv.ts'
import { TOKEN_POOLS } from '../../../src/rest/contract/documents.ts'
import { ROUTES } from '../../../src/rest/contract/routes.ts'
import { tokenAddress, walletAddress } from '../../support/seed.ts'
import { createServed, type Served } from '../../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const csv = (path: string, accept = 'text/csv') => served.ask(path, { headers: { accept } })
const pathOf = ({ path, id }: (typeof ROUTES)[number]) =>
  path.replace(':address', id.startsWith('listWallet') ? walletAddress(5) : tokenAddress(1))

test.each(ROUTES.filter(({ list }) => list).map((route) => [route.path, route] as const))(
  'GET /v1%s answers a row for each item, with a column for each field',
  async (_, route) => {
    const [asCsv, asJson] = [await csv(pathOf(route)), await served.ask(pathOf(route))]
    expect([asCsv.status, asCsv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(asCsv.headers.get('vary')).toBe('Authorization, Accept-Encoding, Accept')
    expect(asCsv.headers.get('link')).toBe(asJson.headers.get('link'))
    const [head = '', ...rows] = asCsv.text.split('\r\n')
    expect(rows.at(-1)).toBe('')
    expect(rows.length - 1).toBe(asJson.json.data.length)
    const columns = head.split(',').map((name) => name.split('.')[0])
    for (const item of asJson.json.data) expect(Object.keys(item).filter((name) => !columns.includes(name))).toEqual([])
  },
)

test('an empty page has the same columns', async () => {
  const [full, empty] = [await csv('/events?limit=1'), await csv('/events?limit=1&page=99999')]
  expect(empty.text).toBe(`${full.text.split('\r\n')[0]}\r\n`)
})

test('JSON is the answer unless CSV is preferred, and each has its own entity tag', async () => {
  for (const accept of ['*/*', 'application/json, text/csv;q=0.5', 'text/html', `text/csv${',x/y'.repeat(400)}`])
    expect((await csv('/tokens?limit=1', accept)).headers.get('content-type')).toMatch(/^application\/json/)
  const [one, other] = [await csv('/tokens?limit=1'), await csv('/tokens?limit=1', '*/*')]
  expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'))
  const again = await served.ask('/tokens?limit=1', {
    headers: { accept: 'text/csv', 'if-none-match': one.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

test('a text that a spreadsheet would run is defused, and every other one is quoted where it must be', () => {
  const item = {
    address: '0x1',
    pool_id: null,
    type: '=1+1',
    factory: '@x',
    launchpad: 'a,"b"\r\n',
    fee_pct: -0.5,
    locks: [{ a: 1 }],
  }
  const [head = '', ...rest] = toCsv(TOKEN_POOLS, [], { data: [item] }).split('\r\n')
  expect(head).toMatch(/^address,pool_id,type,factory,launchpad,fee_pct,price_in_quote,.*,locks$/)
  expect(rest.join('\r\n')).toMatch(/^0x1,,'=1\+1,'@x,"a,""b""\r\n",-0.5,,+"\[\{""a"":1\}\]"\r\n$/)
})
