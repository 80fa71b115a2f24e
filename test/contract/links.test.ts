// The links to next pages, while nothing moves, and while blocks arrive between two pages.
import { beforeAll, describe, expect, test } from 'vitest'
import { type Asked, PREFIX } from '../support/rest.ts'
import { HEAD_NUMBER, tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

type Item = Record<string, unknown>
const NEXT = new RegExp(`^<${PREFIX}/v1([^>]+)>; rel="next"$`)

/** Every item of a list by its links, and how many pages it took. `between` runs after each page but the last. */
async function follow(path: string, between: (page: number) => Promise<void> = async () => {}) {
  const items: Item[] = []
  const links: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, json } = await served.ask(next)
    expect([next, status, json.error]).toEqual([next, 200, undefined])
    items.push(...json.data)
    next = NEXT.exec(headers.get('link') ?? '')?.[1]
    if (next === undefined) break
    links.push(next)
    await between(links.length)
  }
  return { items, links, pages: links.length + 1 }
}
const get = async (path: string) => (await served.ask(path)).json
const addressesOf = (items: readonly Item[]) => items.map(({ address }) => String(address))

describe('the links of a list', () => {
  test.each(['', '&order=asc', '&type=transfer', `&wallet_address=${walletAddress(5)}&order=asc`])(
    'lead through all events once, newest or oldest first: /events?limit=37%s',
    async (more) => {
      const { items, pages } = await follow(`/events?limit=37${more}`)
      const whole = (await get(`/events?limit=200${more}`)).total
      expect(items.map(({ id }) => id)).toEqual([...new Set(items.map(({ id }) => id))])
      expect([items.length, pages]).toEqual([whole, Math.ceil(whole / 37)])
      const places = items.map(({ id }) => String(id).split('-').map(Number)) as [number, number, number][]
      const sign = more.includes('asc') ? 1 : -1
      const sorted = places.toSorted((a, b) => sign * (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]))
      expect(places).toEqual(sorted)
    },
  )

  test.each(['/tokens?limit=9', '/wallets?limit=25&kind=account', `/tokens/${tokenAddress(1)}/holders?limit=3`])(
    'lead through all pages of %s',
    async (path) => {
      const { items } = await follow(path)
      const { total } = await get(path)
      expect(items).toHaveLength(total)
      expect(new Set(items.map(({ address }) => address)).size).toBe(total)
    },
  )
})

describe('while blocks arrive between two pages', () => {
  let head = HEAD_NUMBER
  /** A block in which these tokens and wallets change. */
  async function move(change: (number: number) => string): Promise<void> {
    const { pool } = served.database
    head += 1
    await pool.query(`INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', ${head}, 'hash', 'moved ${head}',
      'parent_hash', hash))).* FROM block b WHERE number = ${head - 1}`)
    await pool.query(change(head))
    await pool.query(`SELECT pg_notify('assay_head', 'x')`)
    await expect.poll(async () => (await served.ask('/tokens?limit=1')).headers.get('assay-block')).toBe(String(head))
  }
  /** Turns the order of liquidity around at each block. */
  const turnTokens = (number: number) =>
    `UPDATE token SET liquidity_usd = 1 + (CASE WHEN ${number} % 2 = 0 THEN id ELSE 1000 - id END), updated_block = ${number}`

  test('links of tokens lead through the list of the first page, each token once, in JSON and CSV', async () => {
    const path = '/tokens?sort=liquidity&limit=5'
    await move(turnTokens)
    const first = addressesOf((await get('/tokens?sort=liquidity&limit=200')).data)
    const block = head
    const { items, links } = await follow(path, () => move(turnTokens))
    expect(addressesOf(items)).toEqual(first)
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(link).toContain(`as_of=${block}`)
    expect(head).toBe(block + links.length)
    const rows: string[] = []
    const whole = addressesOf((await get('/tokens?sort=liquidity&limit=200')).data)
    for (let next: string | undefined = path; next !== undefined; ) {
      const { text, headers }: Asked = await served.ask(next, { headers: { accept: 'text/csv' } })
      rows.push(...text.trim().split('\r\n').slice(1))
      next = NEXT.exec(headers.get('link') ?? '')?.[1]
      await move(turnTokens)
    }
    expect(rows.map((row) => row.split(',')[0])).toEqual(whole)
  })

  test('a link to a block that is not kept is refused by the name that the caller sent', async () => {
    const { status, json } = await served.ask('/tokens?as_of=3')
    expect([status, json.error.code]).toEqual([400, 'INVALID_PARAMS'])
    expect(json.error.details).toMatchObject([{ location: 'query', field: 'as_of' }])
    expect(json.error.message).toMatch(/^as_of 3 is not kept/)
    const moving = await served.ask('/tokens?sort=gainers&as_of=3')
    expect(moving.json.error.details).toMatchObject([{ field: 'as_of' }])
  })

  test('links of wallets lead to each wallet whose number stays once, whatever the others do', async () => {
    const path = '/wallets?sort=realised_usd&limit=4'
    const stays = (address: string) => Number.parseInt(address.slice(-4), 16) % 3 !== 0
    const before = addressesOf((await get('/wallets?sort=realised_usd&limit=200')).data)
    const { items, links } = await follow(path, (page) =>
      move(() => `UPDATE wallet SET realised_usd = ${page % 2 === 0 ? -1 : 1} * (5000 + id) WHERE id % 3 = 0`),
    )
    const kept = addressesOf(items).filter(stays)
    expect(kept).toEqual(before.filter(stays))
    expect(kept.length).toBeGreaterThan(10)
    expect(addressesOf((await get('/wallets?sort=realised_usd&limit=200')).data)).not.toEqual(before)
    for (const link of links) expect(link).toMatch(/after=[\w-]+/)
  })

  test('links of events lead to each event once, though new ones come', async () => {
    const path = '/events?limit=60'
    const before = (await get('/events?limit=200')).total
    const { items, links } = await follow(path, () =>
      move(
        (number) => `WITH made AS (
            INSERT INTO event SELECT (jsonb_populate_record(e, jsonb_build_object('n', n + 1, 'block_number', ${number},
              'type_n', type_n + 1000, 'token_n', token_n + 1000, 'token_type_n', token_type_n + 1000, 'wallet_n', wallet_n + 1000,
              'wallet_type_n', wallet_type_n + 1000, 'counterparty_n', counterparty_n + 1000, 'counterparty_type_n', counterparty_type_n + 1000))).*
            FROM event e ORDER BY n DESC LIMIT 1 RETURNING 1)
          UPDATE block SET event_count = event_count + (SELECT count(*) FROM made) WHERE number = ${number}`,
      ),
    )
    expect(new Set(items.map(({ id }) => id)).size).toBe(before)
    expect(items).toHaveLength(before)
    expect((await get('/events?limit=200')).total).toBe(before + links.length)
  })

  test('pages of holders at one block have each holder once', async () => {
    const { items } = await follow(`/tokens/${tokenAddress(1)}/holders?limit=3`)
    expect(new Set(addressesOf(items)).size).toBe(items.length)
    expect(items.length).toBe((await get(`/tokens/${tokenAddress(1)}/holders`)).total)
  })
})
