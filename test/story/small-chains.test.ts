// Whole chains of a few blocks whose logs say less or more than happened, through the program's own parts. The right
// values were computed by hand from what each chain did.
import { expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { dumpLedger, indexToHead, rescoreAll } from '../support/live.ts'
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

const E18 = 10n ** 18n
const { weth, usdc, token, factory, pair, owner, router, zero } = PLACES

async function index(chain: SmallChain, startBlock = 0): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await indexToHead(database, readSmall(chain, createSmallNode(chain), startBlock))
  return database
}

/** Indexes the chain block by block, as it grows. */
async function follow(chain: SmallChain): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const node = createSmallNode(chain)
  const { head } = node
  for (node.head = 0; node.head <= head; node.head += 1) await indexToHead(database, readSmall(chain, node))
  return database
}

const readToken = async ({ pool }: TestDatabase, address: string) => {
  const { rows } = await pool.query<{
    name: string
    decimals: number
    supply: string
    unlogged: string | null
    price: number
    cap: number
    buyers: number
    swaps: number
    volume: number
    holders: number
    partial: boolean
  }>(
    `SELECT name, decimals, supply::text, unlogged::text, price_usd AS price, market_cap_usd AS cap, buyer_count AS buyers,
       swap_count AS swaps, holder_count AS holders, partial, volume_24h_micro_usd::float8 / 1e6 AS volume
     FROM token WHERE address = $1`,
    [address],
  )
  return rows[0]
}

const readBalance = async ({ pool }: TestDatabase, of: string, holder: string) => {
  const { rows } = await pool.query<{ balance: string }>(
    `SELECT p.balance::text FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
     WHERE t.address = $1 AND w.address = $2`,
    [of, holder],
  )
  return rows[0] ? BigInt(rows[0].balance) : null
}

/** The dollars of the token's newest event. */
const readNewestUsd = async ({ pool }: TestDatabase) =>
  (await pool.query<{ usd: number }>('SELECT amount_usd AS usd FROM event ORDER BY n DESC LIMIT 1')).rows[0]?.usd

const some = at('20001')
const other = at('20002')
const whole = (amount: bigint) => String(amount * E18)

/** The account pays coins to a router, which buys tokens of the pair for it. The pair had so many coins before. */
const bought = (who: string, coins: bigint, tokens: bigint, before = 100n * E18) => ({
  ...called(
    who,
    log(weth, 'deposit', [router], [coins]),
    log(weth, 'transfer', [router, pair], [coins]),
    log(token, 'transfer', [pair, who], [tokens]),
    log(pair, 'sync', [], [500_000n * E18 - tokens, before + coins]),
    log(pair, 'swap', [router, who], [0n, coins, tokens, 0n]),
  ),
  value: String(coins),
})

test('a wrapped coin that logs each movement twice is counted once', async () => {
  const twice = (event: 'deposit' | 'withdrawal', who: string, amount: bigint) => [
    log(weth, 'transfer', event === 'deposit' ? [zero, who] : [who, zero], [amount]),
    log(weth, event, [who], [amount]),
  ]
  const chain = buildSmallChain(
    {},
    [{ ...called(some, ...twice('deposit', some, 5n * E18)), to: weth, value: whole(5n) }],
    [{ ...called(some, ...twice('withdrawal', some, 2n * E18)), to: weth }],
  )
  Object.assign(chain.blocks[1]?.txs?.[0] ?? {}, { logs: twice('deposit', owner, 100_000n * E18) })
  const database = await index(chain)
  expect(await readBalance(database, weth, some)).toBe(3n * E18)
  expect((await readToken(database, weth))?.supply).toBe(whole(100_003n))
})

test('a flash loan in one token is no trade, and its fee no volume', async () => {
  const [borrower, returned] = [at('20022'), 10_030_100_000_000_000_000n]
  const database = await index(
    buildSmallChain(
      {},
      [
        {
          ...called(
            at('20021'),
            log(weth, 'transfer', [pair, borrower], [10n * E18]),
            log(weth, 'transfer', [borrower, pair], [returned]),
            log(pair, 'sync', [], [500_000n * E18, 90n * E18 + returned]),
            log(pair, 'swap', [borrower, borrower], [0n, returned, 0n, 10n * E18]),
          ),
          to: borrower,
        },
      ],
      [bought(some, E18, 4930n * E18, 90n * E18 + returned)],
    ),
  )
  const found = await readToken(database, token)
  expect(found).toMatchObject({ buyers: 1, swaps: 1 })
  expect(found?.volume).toBeCloseTo(3000, 6)
})

test('a loan is no trade in whichever tokens of the pair it came back, and a flash swap is its net amounts', async () => {
  const swap = (in0: bigint, in1: bigint, out0: bigint, out1: bigint) =>
    log(pair, 'swap', [router, some], [in0, in1, out0, out1])
  const database = await index(
    buildSmallChain(
      {},
      [called(some, swap(1003n * E18, 0n, 1000n * E18, 0n))],
      [called(some, swap(1003n * E18, 11n * E18, 1000n * E18, 10n * E18))],
      [called(some, swap(0n, 10n * E18, 0n, 10n * E18))],
      [called(some, swap(0n, E18 / 1000n, 0n, 0n))],
      [called(other, swap(0n, 11n * E18, 4930n * E18, 10n * E18))],
    ),
  )
  const found = await readToken(database, token)
  expect(found).toMatchObject({ buyers: 1, swaps: 1 })
  expect(found?.volume).toBeCloseTo(3000, 6)
})

/** A chain whose token a constructor makes without a log: just before the pair opens, or in the block before. */
function silentMint(isEarlier: boolean): SmallChain {
  const half = whole(500_000n)
  const opens = isEarlier ? 4 : 3
  const balances: Record<string, [number, string][]> = {
    [owner]: [
      [0, whole(1_000_000n)],
      [opens, half],
    ],
    [pair]: [[opens, half]],
  }
  const chain = buildSmallChain({ supply: whole(1_000_000n), balances })
  const last = chain.blocks.pop()
  const created = { from: owner, to: null, input: '0x60806040' }
  const opened = last?.txs?.slice(1) ?? []
  const blocks = isEarlier ? [[created], opened] : [[created, ...opened]]
  const time = last?.time ?? 0
  return { ...chain, blocks: [...chain.blocks, ...blocks.map((txs, more) => ({ time: time + 12 * more, txs }))] }
}

test.each([
  ['just before its pair opens', false, 0],
  ['just before its pair opens', false, 1],
  ['in an earlier block', true, 0],
  ['in an earlier block', true, 1],
])('tokens that a constructor made without a log %s are part of the supply', async (_, isEarlier, start) => {
  const database = await index(silentMint(isEarlier), start)
  const found = await readToken(database, token)
  expect(found).toMatchObject({ supply: whole(1_000_000n), unlogged: whole(1_000_000n), partial: true })
  expect(found?.cap).toBeCloseTo(600_000, 2)
  expect(await readBalance(database, token, pair)).toBe(500_000n * E18)
  expect(await readBalance(database, token, owner)).toBe(500_000n * E18)
})

const trade = (amount: bigint) =>
  called(some, log(weth, 'deposit', [some], [amount]), log(weth, 'transfer', [some, other], [amount]))
const idle = () => [trade(E18)]
const send = (from: string, to: string, amount: bigint) => [called(from, log(token, 'transfer', [from, to], [amount]))]

test('what the contract tells later, other names and another supply, is read when the token moves again', async () => {
  const chain = buildSmallChain(
    {
      name: [
        [0, 'TOKEN'],
        [4, 'SCAM'],
      ],
      supply: [
        [0, whole(1_000_000n)],
        [5, whole(400_000n)],
      ],
    },
    ...[idle(), idle(), send(owner, some, E18), idle(), send(some, other, E18)],
  )
  const database = await index(chain)
  expect(await readToken(database, token)).toMatchObject({
    ...{ name: 'SCAM', supply: whole(400_000n), unlogged: String(-600_000n * E18), cap: 240_000 },
  })
})

test('a mint without a Transfer shows when its tokens move', async () => {
  const chain = buildSmallChain(
    {
      supply: [
        [0, whole(1_000_000n)],
        [5, whole(3_000_000n)],
      ],
    },
    ...[idle(), idle(), send(at('20009'), some, 100_000n * E18)],
  )
  const database = await index(chain)
  expect(await readToken(database, token)).toMatchObject({ supply: whole(3_000_000n), unlogged: whole(2_000_000n) })
})

test('decimals that change behind a proxy change what a whole token is, and no cap', async () => {
  const chain = buildSmallChain(
    {
      decimals: [
        [0, 18],
        [5, 6],
      ],
    },
    ...[idle(), idle(), send(owner, some, E18), idle()],
  )
  const found = await readToken(await index(chain), token)
  expect(found).toMatchObject({ decimals: 6 })
  expect(found?.price).toBeCloseTo(0.6e-12, 18)
  expect(found?.cap).toBeCloseTo(600_000, 2)
})

const MOST = 2n ** 256n - 1n

test.each([
  ['a Transfer from the zero address', zero],
  ['a Transfer from anybody', at('20009')],
])('%s of the largest amount makes neither a cap nor dollars beyond what the pools can pay', async (_, from) => {
  const chain = buildSmallChain({ supply: whole(1_000_000n) }, [
    called(some, log(token, 'transfer', [from, some], [MOST])),
  ])
  const database = await index(chain)
  expect(await readToken(database, token)).toMatchObject({ supply: whole(1_000_000n), cap: 600_000 })
  expect(await readNewestUsd(database)).toBeCloseTo(300_000, 2)
})

test('a mint of the largest amount is bounded also where the contract tells no supply', async () => {
  const chain = buildSmallChain({}, [called(some, log(token, 'transfer', [zero, some], [MOST]))])
  const found = await readToken(await index(chain), token)
  expect(found?.cap).toBeLessThanOrEqual(10_000 * 300_000)
})

test('a backfill and a follow give the same rows, whatever the contract tells at each block', async () => {
  const balances = {
    [owner]: [
      [0, whole(500_000n)],
      [6, whole(800_000n)],
    ] as [number, string][],
    [at('20009')]: whole(7n),
  }
  const chain = buildSmallChain(
    {
      ...{
        balances,
        name: [
          [0, 'A'],
          [4, 'B'],
          [7, 'C'],
        ],
        symbol: [
          [0, 'A'],
          [6, 'B'],
        ],
      },
      ...{
        decimals: [
          [0, 18],
          [5, 9],
          [8, 0],
        ],
        supply: [
          [0, whole(1_000_003n)],
          [6, whole(1_300_003n)],
          [7, '0'],
        ],
      },
    },
    ...[send(owner, some, E18), send(some, other, E18), send(at('20009'), other, 3n * E18)],
    ...[
      idle(),
      send(owner, at('20009'), E18),
      send(some, other, 1n),
      [called(some, log(token, 'transfer', [zero, some], [MOST]))],
    ],
    ...[send(other, some, E18), idle(), send(owner, some, 1n)],
  )
  const [backfill, followed] = [await index(chain), await follow(chain)]
  const { preset } = readSmall(chain, createSmallNode(chain))
  for (const database of [backfill, followed]) await rescoreAll(database, preset)
  expect(await dumpLedger(followed.pool)).toEqual(await dumpLedger(backfill.pool))
})

test('a pool announced twice is one pool, and logs of other contracts do not change it', async () => {
  const forger = at('6666')
  const database = await index(
    buildSmallChain(
      {},
      [
        called(
          owner,
          log(factory, 'pair', [token, weth], [pair, 2n]),
          log(factory, 'pair', [token, weth], [at('bb03'), 3n]),
        ),
        called(
          some,
          log(forger, 'sync', [], [E18, 1_000_000n * E18]),
          log(forger, 'swap', [router, some], [0n, E18, E18, 0n]),
        ),
      ],
      // The Transfer of a collectible has four topics.
      [called(some, { ...log(token, 'transfer', [owner, some, '0x07'], []), data: '0x' })],
      [called(owner, log(token, 'transfer', [owner, owner], [E18]))],
    ),
  )
  expect(await readToken(database, token)).toMatchObject({
    swaps: 0,
    holders: 2,
    supply: whole(1_000_000n),
    cap: 600_000,
  })
  expect(await readBalance(database, token, owner)).toBe(500_000n * E18)
  const { rows } = await database.pool.query('SELECT address, reserve0::text FROM pool ORDER BY id')
  expect(rows.map(({ reserve0 }) => reserve0)).toEqual([whole(10_000n), whole(500_000n), '0'])
})

test('a supply of the largest number and 77 decimals stay finite', async () => {
  const chain = buildSmallChain({ supply: String(MOST), decimals: 77 }, send(owner, some, E18))
  const found = await readToken(await index(chain), token)
  expect(found).toMatchObject({ supply: String(MOST) })
  expect(Number.isFinite(found?.cap)).toBe(true)
})

test('a stablecoin or wrapped coin moves its logged amounts, whatever its contract tells', async () => {
  const chain = buildSmallChain({}, idle())
  const { [usdc]: dollar } = chain.tokens
  if (dollar)
    dollar.name = [
      [0, 'USDC'],
      [4, 'FAKE'],
    ]
  const database = await index(chain)
  expect(await readToken(database, usdc)).toMatchObject({ name: 'USDC' })
})

/** The events, links and kinds of the wallets of a chain. */
async function readDoings({ pool }: TestDatabase) {
  const read = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows
  return {
    events:
      await read(`SELECT e.type, e.direction, e.quantity, e.amount_usd, e.attribution, w.address AS wallet, c.address AS counterparty
      FROM event e JOIN wallet w ON w.id = e.wallet_id LEFT JOIN wallet c ON c.id = e.counterparty_id ORDER BY e.n`),
    links:
      await read(`SELECT f.address AS giver, t.address AS taker, l.kind FROM link l JOIN wallet f ON f.id = l.from_id
      JOIN wallet t ON t.id = l.to_id ORDER BY l.block_number, f.id, t.id`),
    wallets: await read(`SELECT address, kind, event_count, bought_usd, realised_usd, deployed_count FROM wallet
      WHERE indexed ORDER BY id`),
    tokens: await read(
      'SELECT holder_count, funded_holder_count, buyer_count, event_count FROM token WHERE indexed ORDER BY id',
    ),
  }
}

test('an account whose own address a relayer calls has done what it would have signed', async () => {
  const sent = log(token, 'transfer', [some, other], [10_000n * E18])
  const read = async (sending: ReturnType<typeof called>) => {
    const chain = buildSmallChain({}, [bought(some, 10n * E18, 45_330n * E18)], [sending])
    return readDoings(await index(chain))
  }
  const found = await read({ ...called(at('20093'), sent), to: some, type: '0x4' })
  expect(found).toEqual(await read({ ...called(some, sent), to: token }))
  expect(found.links).toContainEqual({ giver: some, taker: other, kind: expect.any(Number) })
  expect(found.wallets).toContainEqual(expect.objectContaining({ address: some, kind: 'account' }))
})

/** Calls of an account's own address by a relayer: the account, which never signs, buys and sends its tokens on. */
function relayedOnly(account: string, relayer: string): SmallChain {
  const act = (...logs: ReturnType<typeof log>[]) => ({ ...called(relayer, ...logs), to: account, type: '0x4' })
  return buildSmallChain(
    { supply: whole(1_000_000n) },
    [
      act(
        log(weth, 'deposit', [router], [E18]),
        log(weth, 'transfer', [router, pair], [E18]),
        log(token, 'transfer', [pair, account], [4900n * E18]),
        log(pair, 'sync', [], [495_100n * E18, 101n * E18]),
        log(pair, 'swap', [router, account], [0n, E18, 4900n * E18, 0n]),
      ),
    ],
    [act(log(token, 'transfer', [account, other], [100n * E18]))],
  )
}

const DELEGATION = `0xef0100${'12'.repeat(20)}`

test('an account that never signed a transaction is one by its code, and a contract is not', async () => {
  const [account, relayer] = [some, at('20009')]
  const chain = relayedOnly(account, relayer)
  const delegated = await index({ ...chain, codes: { [account]: DELEGATION } })
  const read = async (database: TestDatabase) => {
    const { wallets, links, tokens } = await readDoings(database)
    return { kind: wallets.find(({ address }) => address === account)?.kind, links, tokens }
  }
  const found = await read(delegated)
  expect(found.kind).toBe('account')
  expect(found.links).toContainEqual(expect.objectContaining({ giver: account, taker: other }))
  const contract = await read(await index({ ...chain, codes: { [account]: '0x6000' } }))
  expect(contract.kind).toBe('contract')
  expect(contract.links).toEqual([])
  // The delegation may be gone later: the code at the block of the call counts.
  const revoked: [number, string][] = [
    [0, DELEGATION],
    [5, '0x'],
  ]
  expect(await read(await index({ ...chain, codes: { [account]: revoked } }))).toEqual(found)
  expect(await dumpLedger((await follow({ ...chain, codes: { [account]: revoked } })).pool)).toEqual(
    await dumpLedger((await index({ ...chain, codes: { [account]: revoked } })).pool),
  )
})

test.each([
  [
    'a Safe, which names its owners and how many must sign',
    { '0xe75235b8': [1n], '0xa0e67e2b': [32n, 2n, BigInt(at('a1')), BigInt(at('a2'))] },
  ],
  [
    'a modular account (ERC-7579), which names itself',
    { '0x9cfd7cff': [32n, 5n, BigInt(`0x${Buffer.from('acc.1').toString('hex')}`) << 216n] },
  ],
])('an account contract trades, links and holds as its owner would: %s', async (_, words) => {
  const [account, relayer] = [some, at('20009')]
  const chain = relayedOnly(account, relayer)
  const answers = Object.fromEntries(
    Object.entries(words as Record<string, bigint[]>).map(([selector, list]) => [
      selector,
      `0x${list.map((value) => value.toString(16).padStart(64, '0')).join('')}`,
    ]),
  )
  const read = async (more: Partial<SmallChain>) => readDoings(await index({ ...chain, ...more }))
  const found = await read({ codes: { [account]: '0x6000' }, answers: { [account]: answers } })
  expect(found).toEqual(await read({ codes: { [account]: DELEGATION } }))
  expect(found.wallets).toContainEqual(expect.objectContaining({ address: account, kind: 'account' }))
})

test('in a batch for several accounts, each trade belongs to the account that paid, received and signed before', async () => {
  const [relayer, dispatcher] = [at('20009'), at('d15b')]
  const buy = (buyer: string, n: bigint) => [
    log(weth, 'transfer', [buyer, pair], [E18]),
    log(token, 'transfer', [pair, buyer], [4900n * E18]),
    log(pair, 'sync', [], [500_000n * E18 - n * 4900n * E18, (100n + n) * E18]),
    log(pair, 'swap', [router, buyer], [0n, E18, 4900n * E18, 0n]),
  ]
  const batch = { ...called(relayer, ...buy(some, 1n), ...buy(other, 2n)), to: dispatcher, type: '0x4' }
  const signed = [some, other].map((from) => ({ from, to: owner, value: '1' }))
  const chain = { ...buildSmallChain({}, signed, [batch]), codes: { [some]: DELEGATION, [other]: DELEGATION } }
  const { events } = await readDoings(await index(chain))
  expect(events.filter(({ type }) => type === 1).map(({ wallet }) => wallet)).toEqual([some, other])
})

test.each([
  ['in a later transaction', false],
  ['in the same transaction', true],
])('shares that a protocol took as its fee are no pulled liquidity, whoever burns them %s', async (_, isAtOnce) => {
  const jar = at('7a12')
  const [fee, share] = [E18, 10n]
  const [tokens, coins] = [45_000n * E18, 9n * E18]
  const burn = [
    log(pair, 'transfer', [pair, zero], [fee]),
    log(token, 'transfer', [pair, some], [tokens]),
    log(weth, 'transfer', [pair, some], [coins]),
    log(pair, 'sync', [], [500_000n * E18 - tokens, 100n * E18 - coins]),
    log(pair, 'burn', [router, some], [tokens, coins]),
  ]
  const released = isAtOnce
    ? [[called(some, log(pair, 'transfer', [jar, pair], [fee]), ...burn)]]
    : [
        [called(some, log(pair, 'transfer', [jar, some], [fee]))],
        [called(some, log(pair, 'transfer', [some, pair], [fee]), ...burn)],
      ]
  const database = await index(
    buildSmallChain(
      { supply: whole(1_000_000n) },
      [called(owner, log(pair, 'transfer', [zero, jar], [fee]), log(pair, 'transfer', [owner, owner], [share]))],
      ...released,
    ),
  )
  const { rows: wallets } = await database.pool.query('SELECT address FROM wallet WHERE pulled_count > 0')
  expect(wallets).toEqual([])
  const { rows: events } = await database.pool.query(
    'SELECT w.address FROM event e JOIN wallet w ON w.id = e.wallet_id WHERE e.type = 3',
  )
  expect(events).toEqual([{ address: isAtOnce ? jar : some }])
  const { rows: flags } = await database.pool.query('SELECT risk_flags FROM token WHERE address = $1', [token])
  expect(JSON.stringify(flags)).not.toContain('liquidity_pulled')
})
