// Chains that log payments in the native coin. They have the tokens, holdings, links and scores of a chain without these
// logs, and links by internal payments.
import { expect, test } from 'vitest'
import { keccakOfText } from '../../src/chain/keccak.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording, indexRecording } from '../support/demo.ts'
import { word } from '../support/fake-chain.ts'
import { indexToHead } from '../support/live.ts'
import { SYSTEM, withNativeLogs } from '../support/native-logs.ts'
import {
  at,
  buildSmallChain,
  called,
  createSmallNode,
  log,
  PLACES,
  readSmall,
  type SmallChain,
} from '../support/small-chain.ts'

const SAME = {
  tokens: `SELECT address, kind, symbol, indexed, holder_count, funded_holder_count, supply::text, swap_count, event_count,
    price_usd, liquidity_usd, risk_score, risk_flags FROM token ORDER BY address`,
  positions: `SELECT t.address AS token, w.address AS wallet, p.balance::text, p.buy_rank, p.realised_usd FROM position p
    JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id ORDER BY 1, 2`,
  links: `SELECT f.address AS giver, t.address AS taker, l.kind, l.block_number FROM link l
    JOIN wallet f ON f.id = l.from_id JOIN wallet t ON t.id = l.to_id ORDER BY 1, 2, 3`,
  wallets: `SELECT w.address, w.kind, f.address AS funder, s.classification, s.reputation_score, w.event_count, w.swap_count,
    w.deployed_count FROM wallet w LEFT JOIN wallet f ON f.id = w.first_funder_id
    LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.indexed ORDER BY 1`,
  events: `SELECT e.type, e.direction, e.block_number, t.address AS token, w.address AS wallet, e.quantity, e.amount_usd
    FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
    ORDER BY e.block_number, e.n`,
}

const read = async ({ pool }: TestDatabase, what: keyof typeof SAME) => (await pool.query(SAME[what])).rows

test('the demo with EIP-7708 has the tokens, holdings, links, trades and scores of the demo', async () => {
  const { wrappedNative } = loadPreset(DEMO_CHAIN_ID)
  const recording = withNativeLogs(demoRecording(), wrappedNative)
  const before = demoRecording().blocks.reduce((sum, { logs }) => sum + logs.length, 0)
  const after = recording.blocks.reduce((sum, { logs }) => sum + logs.length, 0)
  expect(after - before).toBeGreaterThan(5_000)
  const [plain, logged] = [await createDemoDatabase(), await createTestDatabase()]
  await indexRecording(logged, recording)
  for (const what of Object.keys(SAME) as (keyof typeof SAME)[]) {
    expect(await read(logged, what), what).toEqual(await read(plain, what))
  }
}, 300_000)

const E18 = 10n ** 18n
const { usdc, owner, router, token } = PLACES
const [some, other, third] = [at('20001'), at('20002'), at('20003')]
const pay = (from: string, to: string, amount: bigint, by = SYSTEM) => log(by, 'transfer', [from, to], [amount])

async function index(chain: SmallChain, config: object = {}): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await indexToHead(database, readSmall({ ...chain, config: { ...chain.config, ...config } }, createSmallNode(chain)))
  return database
}

const readLinks = async (database: TestDatabase) =>
  (await read(database, 'links')).map(({ giver, taker, kind }) => [giver, taker, kind])
const readFunder = async ({ pool }: TestDatabase, address: string) =>
  (
    await pool.query<{ funder: string | null }>(
      'SELECT f.address AS funder FROM wallet w LEFT JOIN wallet f ON f.id = w.first_funder_id WHERE w.address = $1',
      [address],
    )
  ).rows[0]?.funder
const readTokens = async ({ pool }: TestDatabase) =>
  (await pool.query<{ address: string }>('SELECT address FROM token ORDER BY address')).rows.map((row) => row.address)
const readBalance = async ({ pool }: TestDatabase, of: string, holder: string) =>
  (
    await pool.query<{ balance: string }>(
      `SELECT p.balance::text FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
       WHERE t.address = $1 AND w.address = $2`,
      [of, holder],
    )
  ).rows[0]?.balance
const countTransfers = async ({ pool }: TestDatabase) =>
  (await pool.query<{ count: number }>('SELECT count(*)::int FROM event WHERE type = 4')).rows[0]?.count

/** A call of a contract with a value of the native coin. */
const sent = (from: string, value: bigint, ...logs: ReturnType<typeof log>[]) => ({
  ...called(from, pay(from, router, value), ...logs),
  value: String(value),
})

test('a value that a contract passes on is a payment of its sender, and the rest the contract pays itself', async () => {
  const quiet = buildSmallChain({}, [sent(some, 3n * E18)])
  const paid = buildSmallChain({}, [
    sent(some, 3n * E18, pay(router, other, 2n * E18), pay(router, third, 5n * E18), pay(router, some, E18)),
  ])
  const [before, after] = [await index(quiet), await index(paid)]
  const links = await readLinks(after)
  expect(links.filter((link) => !JSON.stringify(link).includes(other))).toEqual(await readLinks(before))
  expect(links).toContainEqual([some, other, 1])
  expect(await readFunder(after, other)).toBe(some)
  // The router has logged before, so it is known as a contract: it funds, and links nobody.
  expect(await readFunder(after, third)).toBe(router)
  expect(await readFunder(after, some)).toBeNull()
  expect(await readTokens(after)).toEqual(await readTokens(before))
})

test('an account that signed pays inside the transaction of another; a message to an account makes it no contract', async () => {
  const memo = { from: some, to: other, input: '0x68656c6c6f', value: '5', logs: [pay(some, other, 5n)] }
  const relayed = { from: third, to: some, input: '0xabcdef01', logs: [pay(some, at('20004'), 7n)] }
  const database = await index(buildSmallChain({}, [memo], [relayed]))
  expect(await readLinks(database)).toContainEqual([some, at('20004'), 1])
  const { rows } = await database.pool.query('SELECT kind FROM wallet WHERE address = ANY($1)', [[some, other]])
  expect(rows).toEqual([{ kind: 'account' }])
})

test('the Burn of the system address, and a payment of ZKsync to its bootloader, change nothing', async () => {
  const burn = {
    address: SYSTEM,
    topics: [keccakOfText('Burn(address,uint256)'), `0x${word(some)}`],
    data: `0x${word(5)}`,
  }
  const fee = pay(some, at('8001'), 9n, at('800a'))
  const [quiet, logged] = [buildSmallChain({}, [called(some)]), buildSmallChain({}, [called(some, burn, fee)])]
  const [before, after] = [await index(quiet), await index(logged)]
  expect(await readTokens(after)).toEqual(await readTokens(before))
  expect(await readLinks(after)).toEqual(await readLinks(before))
})

test('Polygon logs one payment several times', async () => {
  const coin = at('1010')
  const topic = keccakOfText('LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)')
  const bor = (from: string, to: string) => ({
    address: coin,
    topics: [topic, `0x${word(coin)}`, `0x${word(from)}`, `0x${word(to)}`],
    data: `0x${[5, 9, 0, 4, 5].map((value) => word(value)).join('')}`,
  })
  const call = {
    ...{ from: some, to: coin, input: '0xa9059cbb', value: '5' },
    logs: [bor(some, coin), bor(coin, other), pay(some, other, 5n, coin), bor(some, other)],
  }
  const database = await index(buildSmallChain({}, [call]), { nativeLogs: [coin] })
  expect(await readTokens(database)).not.toContain(coin)
  expect(await readLinks(database)).toContainEqual([some, other, 1])
  expect(await readFunder(database, other)).toBe(some)
})

test('a native coin with an ERC-20 of its own moves once, whether contracts call it or not', async () => {
  const config = { nativeToken: { address: usdc, decimals: 6 } }
  const dollars = 10n ** 12n
  const plain = {
    from: owner,
    to: some,
    value: String(7_000_000n * dollars),
    logs: [pay(owner, some, 7_000_000n * dollars)],
  }
  const both = called(some, pay(some, other, 2_000_000n * dollars), log(usdc, 'transfer', [some, other], [2_000_000n]))
  const dust = called(some, pay(some, other, 5n))
  const database = await index(buildSmallChain({}, [plain], [both], [dust]), config)
  expect(await readBalance(database, usdc, some)).toBe('5000000')
  expect(await readBalance(database, usdc, other)).toBe('2000000')
  expect(await countTransfers(database)).toBe(2)
  expect(await readLinks(database)).toContainEqual([owner, some, 1])
  expect((await readLinks(database)).filter(([giver, taker]) => giver === some && taker === other)).toHaveLength(1)
})

test('a chain without a wrapped coin, whose fees are Transfers, has the events of one whose fees nothing logs', async () => {
  const collector = at('feec')
  const [free, taxed] = [false, true].map((hasFee) => {
    const chain = buildSmallChain({}, [
      called(owner, log(usdc, 'transfer', [owner, some], [9_000_000n]), log(token, 'transfer', [owner, some], [E18])),
      called(some, log(usdc, 'transfer', [some, other], [1_000_000n])),
    ])
    const fee = (from: string) => [
      log(usdc, 'transfer', [from, collector], [3_000n]),
      log(usdc, 'transfer', [collector, from], [1_000n]),
    ]
    const blocks = chain.blocks.map((block, number) => ({
      ...block,
      txs:
        block.txs?.map((tx) => (hasFee && number > 3 ? { ...tx, logs: [...(tx.logs ?? []), ...fee(tx.from)] } : tx)) ??
        [],
    }))
    return { ...chain, blocks }
  }) as [SmallChain, SmallChain]
  const config = { wrappedNative: null, feeCollectors: [collector] }
  const [before, after] = [await index(free, config), await index(taxed, config)]
  for (const what of ['events', 'links'] as const)
    expect(await read(after, what), what).toEqual(await read(before, what))
  expect(await readBalance(after, usdc, some)).toBe('7998000')
  expect(await readBalance(after, usdc, collector)).toBe('4000')
  expect(await readFunder(after, collector)).toBeNull()
  expect(await readTokens(after)).toEqual(await readTokens(before))
})
