import { afterAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

const TOKEN = `address priceUsd decimals supply burned partial createdBlock deployer { address }
  score { riskScore explanation { dimensions { inputs { name } } } history { score } }
  topHolders { address netActivity wallet { pnlEstimateUsd pnl { openUsd } score { confidence } firstFunder { address } } }
  pools { nodes { address base { symbol } quote { symbol } } } hours { closeUsd }`
const EVENT =
  'type token { symbol } wallet { address portfolio(limit: 3) { token { symbol } wallet { address } } } counterparty { address }'

/**
 * Each query walks from a list over to-many and keyed fields. Requests that arrive together share a statement, so the
 * number of statements depends on which answer comes first. These were seen: 12 to 15, 10 to 14, 5, and 7 to 9. With
 * one statement per row the smaller page alone would take at least twenty more.
 */
const WALKS: [name: string, query: string, most: number][] = [
  ['tokens', `query ($limit: Int!) { tokens(first: $limit) { total nodes { ${TOKEN} } } }`, 20],
  [
    'tokens with pages',
    `query ($limit: Int!) { tokens(first: $limit) { nodes {
      holders(first: $limit) { total nodes { address wallet { portfolio(limit: $limit) { token { score { riskScore } } } } } }
      events(first: $limit, filter: { types: swap, from: "2026-01-20" }) { total nodes { ${EVENT} } } } } }`,
    20,
  ],
  ['events', `query ($limit: Int!) { events(first: $limit) { total nodes { ${EVENT} } } }`, 10],
  [
    'wallet',
    `query ($limit: Int!) { wallet(address: "${walletAddress(7)}") {
      events(first: $limit) { nodes { type token { symbol } } } portfolio(limit: $limit) { token { symbol score { riskScore } topHolders { address } } } } }`,
    20,
  ],
]

it.each(WALKS)(
  'the query for %s takes no more statements for a page of 200 than for one of 20',
  async (_, query, most) => {
    const few = await graph.count(() => graph.execute(query, { limit: 20 }, SOMEBODY))
    const many = await graph.count(() => graph.execute(query, { limit: 200 }, SOMEBODY))
    expect(Math.max(few, many)).toBeLessThanOrEqual(most)
  },
)

const ADDRESS = `"${tokenAddress(1)}"`
const HOT: [name: string, query: string, statements: number][] = [
  // An earlier list has read the same rows, and none of them has changed since.
  ['the list of tokens', '{ tokens { total nodes { address name riskFlags aiSummary ageHours } } }', 0],
  [
    'a token profile',
    `{ token(address: ${ADDRESS}) { address topHolders { address classification netActivity } } }`,
    2,
  ],
  [
    'a wallet profile',
    `{ wallet(address: "${walletAddress(7)}") { address portfolio { tokenSymbol } pnlEstimateUsd pnlConfidence } }`,
    3,
  ],
  ['the events of a wallet', `{ wallet(address: "${walletAddress(7)}") { events { nodes { tokenSymbol } } } }`, 2],
  ['all events', '{ events { total nodes { type walletAddress tokenSymbol } } }', 1],
  ['a token score', `{ tokenScore(address: ${ADDRESS}) { riskScore topHolderSummary { earlyMoverCount } } }`, 1],
  ['a wallet score', `{ walletScore(address: "${walletAddress(7)}") { reputationScore dimensions { winRate } } }`, 1],
  [
    'a page past the end',
    '{ tokens(offset: 49999950) { total nodes { address } } events(offset: 49999950) { total nodes { type } } }',
    0,
  ],
]

it.each(HOT)('the query for %s takes no more statements than needed', async (_, query, statements) => {
  expect(await graph.count(() => graph.execute(query, {}, SOMEBODY))).toBe(statements)
})

describe('20 queries at the same time', () => {
  const addresses = Array.from({ length: 20 }, (_, index) => tokenAddress(1 + index))
  const askAll = async (query: string) => {
    let answers: { data: Record<string, unknown> }[] = []
    const statements = await graph.count(async () => {
      answers = await Promise.all(addresses.map((address) => graph.execute(query, { address }, SOMEBODY)))
    })
    return { statements, answers: answers.map(({ data }) => data.answer) }
  }

  it('20 concurrent look-ups share one statement, and each gets its own answer', async () => {
    const asked = await askAll(
      'query ($address: Address!) { answer: tokenScore(address: $address) { address riskScore } }',
    )
    expect(asked.statements).toBe(1)
    expect(asked.answers).toEqual(addresses.map((address) => expect.objectContaining({ address })))
  })

  it('20 concurrent lists share one statement for four each, and each gets its own answer', async () => {
    const query = 'query ($address: Address!) { answer: token(address: $address) { address topHolders { address } } }'
    const asked = await askAll(query)
    // One more for four where equal holders reach beyond the ten.
    expect(asked.statements).toBeGreaterThanOrEqual(1 + 20 / 4)
    expect(asked.statements).toBeLessThanOrEqual(1 + (2 * 20) / 4)
    const alone = []
    for (const address of addresses) alone.push((await graph.execute(query, { address }, SOMEBODY)).data.answer)
    expect(asked.answers).toEqual(alone)
  })
})
