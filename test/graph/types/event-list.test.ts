// Events by a filter: whatever is asked for, walking by cursors gives exactly what a look at every single event gives.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/base/vocabulary.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
const { events } = await seedLedger(database.pool, { tokens: 12, wallets: 14, events: 300 })
await database.pool.query(`UPDATE wallet_score SET classification = 'bot' WHERE wallet_id IN (3, 5)`)
const { rows: amounts } = await database.pool.query<{ n: number; usd: number }>(
  'SELECT n, amount_usd AS usd FROM event',
)
const amountOf = new Map(amounts.map(({ n, usd }) => [Number(n), usd]))
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string, variables = {}): Promise<any> =>
  (await graph.execute(query, variables, SOMEBODY)).data
const faultsOf = (filter: string) =>
  ask(`{ events(filter: { ${filter} }) { total } }`).then(
    () => [],
    (error: { faults: { field: string }[] }) => error.faults.map(({ field }) => field),
  )

const QUERY = `query ($filter: EventFilter, $first: Int, $after: String) { events(filter: $filter, first: $first, after: $after) {
  total edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

const BACKWARDS = QUERY.replace('$first: Int, $after: String', '$last: Int, $before: String').replace(
  'first: $first, after: $after',
  'last: $last, before: $before',
)

const classOf = (id: number) =>
  id === 3 || id === 5 ? 'bot' : id === 1 ? 'pool' : id === 2 ? 'burned' : id <= 10 ? 'retail' : 'unknown'
const timeOf = (block: number) => new Date((HEAD_TIME - (HEAD_NUMBER - block) * 720) * 1000).toISOString()

interface Filter {
  types?: string[]
  tokens?: number[]
  wallets?: number[]
  walletClassifications?: string[]
  minAmountUsd?: number
  from?: number
  to?: number
  fromBlock?: number
  toBlock?: number
}

const expected = (filter: Filter) =>
  events
    .filter(
      (event) =>
        (filter.types?.includes(event.type) ?? true) &&
        (filter.tokens?.includes(event.tokenId) ?? true) &&
        (filter.wallets?.some((id) => id === event.walletId || id === event.counterpartyId) ?? true) &&
        (filter.walletClassifications?.includes(classOf(event.walletId)) ?? true) &&
        (amountOf.get(event.n) ?? 0) >= (filter.minAmountUsd ?? 0) &&
        event.block >= Math.max(filter.from ?? 0, filter.fromBlock ?? 0) &&
        event.block <= Math.min(filter.to ?? Infinity, filter.toBlock ?? Infinity),
    )
    .reverse()
    .map(({ block, logIndex, part }) => `${block}-${logIndex}-${part}`)

const toVariables = ({ tokens, wallets, from, to, ...rest }: Filter) => ({
  ...rest,
  ...(tokens && { tokens: tokens.map(tokenAddress) }),
  ...(wallets && { wallets: wallets.map(walletAddress) }),
  ...(from !== undefined && { from: timeOf(from) }),
  ...(to !== undefined && { to: timeOf(to) }),
})

async function walk(filter: Filter, first: number) {
  const ids: string[] = []
  let total: number | null = null
  let after: string | null = null
  for (let more = true; more; ) {
    const { events: page } = await ask(QUERY, { filter: toVariables(filter), first, after })
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null)
    expect(page.edges.length).toBeLessThanOrEqual(first)
    ids.push(...page.edges.map((edge: { node: { id: string } }) => edge.node.id))
    total = page.total
    more = page.pageInfo.hasNextPage
    after = page.pageInfo.endCursor
  }
  return { ids, total }
}

/** The same from the end. */
async function walkBack(filter: Filter, last: number): Promise<string[]> {
  const ids: string[] = []
  let before: string | null = null
  for (let more = true; more; ) {
    const { events: page } = await ask(BACKWARDS, { filter: toVariables(filter), last, before })
    expect(page.pageInfo.hasNextPage).toBe(before !== null)
    expect(page.edges.length).toBeLessThanOrEqual(last)
    ids.unshift(...page.edges.map((edge: { node: { id: string } }) => edge.node.id))
    more = page.pageInfo.hasPreviousPage
    before = page.pageInfo.startCursor
  }
  return ids
}

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })
const block = fc.integer({ min: HEAD_NUMBER - 105, max: HEAD_NUMBER + 2 })
const FILTERS = fc.record(
  {
    types: some(EVENT_TYPES),
    tokens: some([1, 2, 3, 5, 8, 11, 99]),
    wallets: some([3, 4, 5, 7, 13, 99]),
    walletClassifications: some(['bot', 'retail', 'unknown', 'whale']),
    minAmountUsd: fc.constantFrom(0, 300, 999),
    ...{ from: block, to: block, fromBlock: block, toBlock: block },
  },
  { requiredKeys: [] },
)
const isInOrder = ({ from = 0, to = Infinity, fromBlock = 0, toBlock = Infinity }: Filter) =>
  from <= to && fromBlock <= toBlock

describe('events by a filter', () => {
  it('are those that pass it, newest first, forwards and backwards, whatever the filter and the length of the pages, with their total', async () => {
    await fc.assert(
      fc.asyncProperty(FILTERS.filter(isInOrder), fc.constantFrom(3, 50), async (filter, first) => {
        const ids = expected(filter)
        const isCounted =
          (filter.minAmountUsd ?? 0) === 0 &&
          filter.walletClassifications === undefined &&
          (filter.wallets === undefined ||
            (filter.wallets.filter((id) => id < 14).length <= 1 && filter.tokens === undefined))
        const walked = await walk(filter, first)
        expect(walked.ids).toEqual(ids)
        expect(isCounted ? [ids.length] : [ids.length, null]).toContain(walked.total)
        expect(await walkBack(filter, first)).toEqual(ids)
      }),
      { numRuns: 60, seed: 21 },
    )
  })

  it('name every fault of the filter', async () => {
    expect(
      await faultsOf(
        'types: [], minAmountUsd: -1, fromBlock: 5, toBlock: 4, from: "2026-01-02", to: "2026-01-01", walletClassifications: []',
      ),
    ).toEqual(['filter.types', 'filter.walletClassifications', 'filter.minAmountUsd', 'filter.to', 'filter.toBlock'])
    const many = JSON.stringify(Array.from({ length: 101 }, (_, id) => tokenAddress(id)))
    expect(await faultsOf(`tokens: ${many}, wallets: ${many}`)).toEqual(['filter.tokens', 'filter.wallets'])
  })

  it('take as many statements for 100 tokens as for two', async () => {
    const query = (ids: number[]) =>
      ask(QUERY, { filter: { ...toVariables({ tokens: ids }), from: timeOf(HEAD_NUMBER - 50) }, first: 200 })
    const few = await graph.count(() => query([1, 2]))
    expect(await graph.count(() => query(Array.from({ length: 100 }, (_, id) => id + 1)))).toBe(few)
  })

  it('are looked for in 5,000 of them at most, and go on by cursor', async () => {
    // A wallet with many events of little value, after a single one of the requested value.
    await database.pool.query(`INSERT INTO event SELECT r.* FROM (SELECT * FROM event ORDER BY n DESC LIMIT 1) e
      CROSS JOIN generate_series(1, 6000) i CROSS JOIN jsonb_populate_record(NULL::event, to_jsonb(e) || jsonb_build_object(
        'n', e.n + i, 'type_n', 1000 + i, 'wallet_n', (SELECT event_count FROM wallet WHERE id = 12) + i, 'wallet_type_n', 1000 + i,
        'wallet_id', 12, 'type', 3, 'token_n', 1000 + i, 'token_type_n', 1000 + i, 'log_index', 10 + i, 'part', null,
        'counterparty_id', null, 'counterparty_n', null, 'counterparty_type_n', null,
        'amount_usd', CASE WHEN i = 1 THEN 5000 ELSE 1 END)) r`)
    await database.pool.query('UPDATE wallet SET event_count = event_count + 6000 WHERE id = 12')
    const filter = { wallets: [walletAddress(12)], minAmountUsd: 2000 }
    const { events: first } = await ask(QUERY, { filter })
    expect(first).toMatchObject({ edges: [], pageInfo: { hasNextPage: true, startCursor: null } })
    const { events: second } = await ask(QUERY, { filter, after: first.pageInfo.endCursor })
    expect(second.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual([`${HEAD_NUMBER}-11-0`])
    expect(second.pageInfo.hasNextPage).toBe(false)
    const { events: oldest } = await ask(BACKWARDS, { filter, last: 5 })
    expect(oldest.edges).toEqual(second.edges)
    expect(oldest.pageInfo.hasPreviousPage).toBe(true)
    const { events: rest } = await ask(BACKWARDS, { filter, last: 5, before: oldest.pageInfo.startCursor })
    expect(rest).toMatchObject({ edges: [], pageInfo: { hasPreviousPage: false, hasNextPage: true } })
  })
})

it('the total of a page of events has room for more than two billion', async () => {
  await database.pool.query('UPDATE block SET event_count = 3000000000')
  await database.pool.query('UPDATE event SET n = n + 1000000000 - (SELECT max(n) FROM event)')
  await graph.head.refresh()
  const { events: page, chain } = await ask('{ events(offset: 2000000000) { total } chain { eventCount } }')
  expect(page).toEqual({ total: 3_000_000_000 })
  expect(chain).toEqual({ eventCount: 3_000_000_000 })
})
