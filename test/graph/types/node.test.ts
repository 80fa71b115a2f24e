// Identifiers of every noun, and the scalars and interfaces around them.
import { type GraphQLScalarType, isObjectType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { schema } from '../../../src/graph/run/schema.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { HEAD_NUMBER, seedCaller, seedLedger, tokenAddress, walletAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
const { positions, tokens } = await seedLedger(database.pool)
const owner = { ...SOMEBODY, ...(await seedCaller(database.pool)) }
const other = { ...SOMEBODY, ...(await seedCaller(database.pool, 'pro', 'other@example.com')) }
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string, caller = owner): Promise<any> => (await graph.execute(query, {}, caller)).data
const find = async (id: string, caller = owner) =>
  (await ask(`{ node(id: "${id}") { __typename id ... on Addressed { address } } }`, caller)).node

const alertId = (await ask('mutation { alertCreate(input: { name: "A", conditions: {} }) { alert { id } } }'))
  .alertCreate.alert.id
const deliveryId = '0b2b7d14-4b1f-4e49-9d26-2f1b9f0a6a11'
await database.pool.query(
  `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at)
   VALUES ($1, $2, $3, $4, 'A', 'sent', now(), now())`,
  [deliveryId, alertId, owner.keyId, owner.accountId],
)

describe('node', () => {
  it('finds every noun again by the identifier that it shows', async () => {
    const { token, wallet, events } = await ask(`{
      token(address: "${tokenAddress(1)}") { id score { id } pools { nodes { id address } } }
      wallet(address: "${walletAddress(7)}") { id score { id } positions { nodes { id } } }
      events(first: 3) { nodes { id } } }`)
    const expected: [string, string][] = [
      ['Token', token.id],
      ['TokenScore', token.score.id],
      ['Pool', token.pools.nodes[0].id],
      ['Wallet', wallet.id],
      ['WalletScore', wallet.score.id],
      ['Position', wallet.positions.nodes[0].id],
      ...events.nodes.map(({ id }: { id: string }): [string, string] => ['Event', id]),
      ['Alert', alertId],
      ['AlertDelivery', deliveryId],
    ]
    for (const [type, id] of expected) expect(await find(id)).toMatchObject({ __typename: type, id })
    expect(await find(token.pools.nodes[0].id)).toMatchObject({ address: token.pools.nodes[0].address })
    const many = await ask(`{ nodes(ids: ${JSON.stringify(expected.map(([, id]) => id))}) { __typename } }`)
    expect(many.nodes.map((node: { __typename: string }) => node.__typename)).toEqual(expected.map(([type]) => type))
  })

  it('covers every type with an identifier of its own', () => {
    const nodes = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name)
    const own = Object.values(schema.getTypeMap())
      // A key is found only among the keys of its account.
      .filter(
        (type) => isObjectType(type) && 'id' in type.getFields() && !['EventUpdate', 'ApiKey'].includes(type.name),
      )
      .map(({ name }) => name)
    expect(nodes.sort()).toEqual(own.sort())
  })

  it('is null for an invalid identifier, an unindexed noun, or one of another key', async () => {
    const nothing = [
      ...['', 'x', 'token:', `token:${tokenAddress(30)}`, `wallet:${walletAddress(60)}`, 'pool:0x12', '1-2-3'],
      ...[`${HEAD_NUMBER}-1-9`, `position:${tokenAddress(1)}`, `position:${tokenAddress(1)}:${walletAddress(60)}`],
      ...['9999999999-1-1', '0b2b7d14-4b1f-4e49-9d26-000000000000', `holder:${walletAddress(7)}`],
    ]
    for (const id of nothing) expect([id, await find(id)]).toEqual([id, null])
    expect([await find(alertId, other), await find(deliveryId, other)]).toEqual([null, null])
  })
})

describe('an event', () => {
  it('tells its pool, and whether its block is final', async () => {
    await database.pool.query('UPDATE chain SET finalized = $1', [HEAD_NUMBER - 50])
    const { events } = await ask(
      '{ events(first: 200) { nodes { type blockNumber finality transactionHash pool { id type } } } }',
    )
    const finalities = new Set<string>()
    for (const event of events.nodes) {
      expect(event.finality).toBe(event.blockNumber <= HEAD_NUMBER - 50 ? 'final' : 'provisional')
      expect(event.pool === null).toBe(event.type === 'transfer')
      expect(event.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
      if (event.pool) expect(['v2', 'v3', 'v4']).toContain(event.pool.type)
      finalities.add(event.finality)
    }
    expect([...finalities].sort()).toEqual(['final', 'provisional'])
  })
})

describe('raw quantities', () => {
  it('are exact to the last digit', async () => {
    const { wallet, token } = await ask(`{
      wallet(address: "${walletAddress(7)}") { positions { nodes { tokenAddress rawQuantity } } }
      token(address: "${tokenAddress(1)}") { rawSupply rawBurned rawLocked } }`)
    const own = new Map(
      positions
        .filter(({ wallet_id }) => wallet_id === 7)
        .map(({ token_id, balance }) => [tokenAddress(token_id), balance]),
    )
    for (const { tokenAddress: address, rawQuantity } of wallet.positions.nodes)
      expect(rawQuantity).toBe(own.get(address))
    expect(token).toEqual({ rawSupply: tokens[0]?.supply, rawBurned: '0', rawLocked: '0' })
  })
})

it.each([
  ['Hash', `0x${'aB'.repeat(32)}`, `0x${'ab'.repeat(32)}`, ['0x12', 12, `0x${'g'.repeat(64)}`]],
  [
    'BigInt',
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    2n ** 256n - 1n,
    ['1e3', 5, ''],
  ],
  ['Date', '2026-01-31', new Date('2026-01-31T00:00:00Z'), ['2026-02-30', '2026-01-31T00:00', 3]],
])('the scalar %s accepts valid values, and names the accepted form for others', (name, good, parsed, bad) => {
  const scalar = schema.getType(name) as GraphQLScalarType
  expect(scalar.parseValue(good)).toEqual(parsed)
  for (const value of bad) expect(() => scalar.parseValue(value)).toThrow(/must be/)
})
