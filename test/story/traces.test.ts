// Chains whose node traces payments: small ones, the demo chain, and a real node. They have the links and funders of a chain
// that logs payments. Nothing else of theirs changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { type Call, createHttpEndpoint, type RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { DISPERSER } from '../support/disperser.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { wallet } from '../support/market/cast.ts'
import { ether } from '../support/market/trade.ts'
import { SYSTEM, withNativeLogs } from '../support/native-logs.ts'
import {
  at,
  buildSmallChain,
  createSmallNode,
  log,
  PLACES,
  readSmall,
  type SmallChain,
} from '../support/small-chain.ts'
import { type TracedPayment, withTraces } from '../support/traces.ts'

const METHODS = ['trace_block', 'debug_traceBlockByHash', 'debug_traceBlockByNumber']
const READ = {
  links: `SELECT f.address AS giver, t.address AS taker, l.kind, l.block_number FROM link l
    JOIN wallet f ON f.id = l.from_id JOIN wallet t ON t.id = l.to_id ORDER BY 1, 2, 3`,
  wallets: `SELECT w.address, w.kind, f.address AS funder, s.classification, s.reputation_score, w.event_count, w.swap_count
    FROM wallet w LEFT JOIN wallet f ON f.id = w.first_funder_id LEFT JOIN wallet_score s ON s.wallet_id = w.id
    WHERE w.indexed ORDER BY 1`,
  funders: `SELECT w.address, f.address AS funder FROM wallet w JOIN wallet f ON f.id = w.first_funder_id ORDER BY 1`,
  tokens: `SELECT address, kind, indexed, holder_count, supply::text, swap_count, event_count, price_usd, risk_score
    FROM token ORDER BY address`,
  events: `SELECT e.type, e.direction, e.block_number, t.address AS token, w.address AS wallet, e.quantity, e.amount_usd
    FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id ORDER BY e.block_number, e.n`,
}
const read = async ({ pool }: TestDatabase, what: keyof typeof READ) => (await pool.query(READ[what])).rows
const funderOf = async (database: TestDatabase, address: string) =>
  (await read(database, 'funders')).find((row) => row.address === address)?.funder

const E18 = 10n ** 18n
const { router } = PLACES
const [some, other, third, fourth] = [at('20001'), at('20002'), at('20003'), at('20004')] as const
const paid = (from: string, to: string, amount: bigint) => ({ from, to, amount })

/** What a chain's transactions pay inside. */
const SENT = [
  { from: some, to: router, value: 3n * E18, inner: [paid(router, other, 2n * E18), paid(router, third, 5n * E18)] },
  { from: third, to: router, value: 0n, inner: [paid(some, fourth, 7n), paid(router, some, 1n)] },
]

/** The small chain with these payments, logged or not. */
const build = (isLogged: boolean): SmallChain =>
  buildSmallChain(
    {},
    ...SENT.map(({ from, to, value, inner }) => {
      const own = value > 0n ? [paid(from, to, value)] : []
      const logs = [...own, ...inner].map((payment) =>
        log(SYSTEM, 'transfer', [payment.from, payment.to], [payment.amount]),
      )
      return [{ from, to, value: String(value), input: '0xabcdef01', logs: isLogged ? logs : [] }]
    }),
  )

/** The payments inside a transaction of the small chain, by its sender. */
const innerOf = ({ from, to }: { from: string; to?: string | null }) =>
  (to === router && SENT.find((sent) => sent.from === from)?.inner) || []

async function index(chain: SmallChain, methods: readonly string[]): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await indexToHead(database, readSmall(chain, withTraces(createSmallNode(chain), innerOf, methods), 0, true))
  return database
}

test.each(METHODS)('payments that %s tells give the links and funders of logged ones', async (method) => {
  const [logged, traced, silent] = [
    await index(build(true), []),
    await index(build(false), [method]),
    await index(build(false), []),
  ]
  for (const what of ['links', 'funders', 'tokens', 'events'] as const)
    expect(await read(traced, what), what).toEqual(await read(logged, what))
  expect(await read(silent, 'links')).not.toEqual(await read(traced, 'links'))
  expect(await funderOf(traced, other)).toBe(some)
  expect(await funderOf(traced, third)).toBe(router)
  expect(await funderOf(traced, fourth)).toBe(some)
})

test('a chain that logs payments counts them once, with traces too', async () => {
  const [logged, both] = [await index(build(true), []), await index(build(true), METHODS)]
  for (const what of Object.keys(READ) as (keyof typeof READ)[])
    expect(await read(both, what), what).toEqual(await read(logged, what))
})

test('the demo with traces has the tokens, links, trades and scores of the demo', async () => {
  const preset = loadPreset(DEMO_CHAIN_ID)
  const recording = demoRecording()
  const logged = withNativeLogs(recording, preset.wrappedNative)
  const inner = new Map<string, TracedPayment[]>()
  for (const block of logged.blocks)
    for (const { address, topics, data, at: place } of block.logs) {
      const transaction = block.transactions[place]
      if (address !== SYSTEM || !transaction) continue
      const [from, to] = topics.slice(1).map((topic) => `0x${topic.slice(26)}`) as [string, string]
      if (from === transaction.from && to === transaction.to) continue
      inner.set(transaction.hash, [...(inner.get(transaction.hash) ?? []), paid(from, to, BigInt(data))])
    }
  const node = withTraces(createReplay(recording), ({ hash }) => inner.get(hash) ?? [], ['trace_block'])
  const rpc = createRpc({ endpoints: [node], clock: systemClock })
  const source = createSource({ rpc, preset, clock: systemClock, hasTraces: true })
  const traced = await createTestDatabase()
  let payments = 0
  await indexToHead(traced, { source, reader: createChainReader(rpc, preset), preset }, 'head', (blocks) => {
    for (const { transactions } of blocks) for (const each of transactions) payments += each.payments?.length ?? 0
  })
  expect(payments).toBeGreaterThan(5_000)
  const plain = await createDemoDatabase()
  for (const what of ['tokens', 'links', 'wallets', 'events'] as const)
    expect(await read(traced, what), what).toEqual(await read(plain, what))
}, 300_000)

const title = `payments inside transactions of a real node${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  const DISPERSE = '0x00000000000000000000000000000000d15b0001'
  /** Pays as the other one, and then takes everything back. */
  const REVERTING = '0x00000000000000000000000000000000d15b0002'
  const owner = wallet('owner of dispersed wallets')
  const funded = ['first', 'second', 'third'].map((name) => wallet(`${name} dispersed wallet`))
  const unlucky = wallet('a wallet that nobody paid')
  let live: Live

  beforeAll(async () => {
    live = await createLive()
    const { anvil, chain, founder, mine } = live
    await anvil.rpc('anvil_setCode', [DISPERSE, DISPERSER.code])
    await anvil.rpc('anvil_setCode', [REVERTING, DISPERSER.code.replace(/00$/, '5f5ffd')])
    await chain.pay(founder, owner, ether(10))
    await mine()
    const call = { abi: DISPERSER.abi, name: 'disperse' }
    await chain.send(owner, { ...call, to: DISPERSE, args: [funded] }, ether(3))
    await chain.send(owner, { ...call, to: REVERTING, args: [[unlucky]] }, ether(1))
    await mine()
    expect(chain.failures).toHaveLength(1)
  })
  afterAll(() => live?.anvil.stop())

  /** Indexes the chain through a node that refuses other methods of tracing. */
  async function indexBy(method: string | null): Promise<TestDatabase> {
    const { anvil, preset } = live
    const node = createHttpEndpoint(anvil.url)
    const refuse = (call: Call): Promise<RpcAnswer[]> =>
      METHODS.includes(call.method) && call.method !== method
        ? Promise.resolve([{ error: new RpcError('unsupported', 'the method does not exist') }])
        : node.send([call])
    const endpoint = {
      name: 'anvil',
      send: async (calls: readonly Call[]) => (await Promise.all(calls.map(refuse))).flat(),
    }
    const rpc = createRpc({ endpoints: [endpoint], clock: systemClock })
    const source = createSource({ rpc, preset, clock: systemClock, hasTraces: method !== null })
    const database = await createTestDatabase()
    await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
    return database
  }

  test.each(METHODS)('make the caller of a disperser the first funder of those that it pays, by %s', async (method) => {
    for (const each of funded) expect(await live.chain.balanceOf(each)).toBe(ether(1))
    const traced = await indexBy(method)
    for (const each of funded) expect(await funderOf(traced, each)).toBe(owner)
    expect(await funderOf(traced, unlucky)).toBeUndefined()
    const links = (await read(traced, 'links')).filter(({ giver }) => giver === owner)
    expect(links.map(({ taker, kind }) => [taker, kind])).toEqual(funded.toSorted().map((each) => [each, 1]))
  })

  test('are unknown without traces', async () => {
    const blind = await indexBy(null)
    for (const each of funded) expect(await funderOf(blind, each)).toBeUndefined()
  })
})
