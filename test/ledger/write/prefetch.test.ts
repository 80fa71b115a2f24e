// Prefetching ends in the same tables, with fewer questions that the writer waits for.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Address } from '../../../src/base/address.ts'
import { toKnown } from '../../../src/book/rows/known.ts'
import { createStore } from '../../../src/book/rows/row-store.ts'
import type { ChainReader } from '../../../src/chain/contracts/reader.ts'
import { createPrefetch } from '../../../src/ledger/write/prefetch/prefetch.ts'
import type { Writer } from '../../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../../src/scoring/weights.ts'
import { addressOf, createMarket, type Market, marketPreset, USDC, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { dumpTables, openWriter } from '../../support/writing.ts'

const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const usdc = (n: number) => BigInt(n) * 10n ** 6n
const eth = (n: number) => BigInt(n) * 10n ** 18n
const tokenAt = (n: number) => addressOf('token', n)

const database = await createTestDatabase()

function list(market: Market, token: Address, kind: 'v2' | 'v3' = 'v2') {
  market.token(token)
  market.mint(token, alice, eth(1_000_000))
  const pool = market.createPool(alice, token, USDC, kind)
  const isZero = market.pool(pool).token0 === token
  market.add(pool, alice, isZero ? eth(20_000) : usdc(20_000), isZero ? usdc(20_000) : eth(20_000))
  return pool
}

/** Old tokens and pools, one of them V3, that the index finds on its way, and new ones that the next block already trades. */
function busyMarket(): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  for (const who of [alice, bob, carol]) market.mint(USDC, who, usdc(1_000_000))
  market.mine()
  const pools = [list(market, tokenAt(1)), list(market, tokenAt(2), 'v3')]
  for (const pool of pools) market.swap(pool, bob, USDC, usdc(500))
  market.mine()
  for (let n = 3; n < 9; n += 1) {
    pools.push(list(market, tokenAt(n), n % 2 === 0 ? 'v2' : 'v3'))
    market.mine()
    for (const pool of pools) market.swap(pool, wallet(n % 4), USDC, 0n)
    for (const pool of pools.slice(-1)) market.swap(pool, bob, USDC, usdc(100 + n))
    for (const pool of pools.slice(n % 2, (n % 2) + 1)) market.swap(pool, carol, USDC, usdc(50))
    market.transfer(tokenAt(1), bob, wallet(10 + n), eth(1))
    market.transfer(tokenAt(n), bob, wallet(20 + n), eth(1))
    market.mine()
  }
  fillSilently(market)
  return market
}

/** A V3 pool of a known token is created in one block, and gets its tokens in the next only by transfers. */
function fillSilently(market: Market): void {
  market.token(tokenAt(9))
  market.mint(tokenAt(9), alice, eth(1_000_000))
  for (let blocks = 0; blocks < 5; blocks += 1) market.mine()
  const pool = market.createPool(alice, tokenAt(9), USDC, 'v3')
  market.mine()
  market.transfer(tokenAt(9), alice, pool, eth(20_000))
  market.transfer(USDC, alice, pool, usdc(20_000))
  market.mine()
}

/** Appends final blocks one by one. Each is prefetched so many appends earlier, while that append is applied. */
async function append(writer: Writer, { blocks: all }: Market, start: number, before: number): Promise<void> {
  const blocks = all.slice(start)
  const head = all.length - 1
  for (const block of blocks.slice(0, before)) writer.prefetch([block])
  for (const [i, block] of blocks.entries()) {
    const appended = writer.append({ blocks: [block], head, finalized: head })
    await setImmediate()
    const next = blocks[i + before]
    if (before > 0 && next) writer.prefetch([next])
    await appended
  }
  await writer.settle()
}

// For an index that begins with block 2, whatever blocks 0 and 1 made is older than the start block.
test.each([
  [1, 0],
  [1, 2],
  [3, 0],
  [3, 2],
])(
  'blocks prefetched %i appends earlier, from block %i on, end in the same rows as without prefetching',
  async (before, start) => {
    const market = busyMarket()
    await append(await openWriter(database, market.reader, { startBlock: start }), market, start, 0)
    const straight = await dumpTables(database.pool)
    expect(straight.event?.length).toBeGreaterThan(30)
    expect(straight.position?.length).toBeGreaterThan(30)
    const other = await createTestDatabase()
    await append(await openWriter(other, market.reader, { startBlock: start }), market, start, before)
    expect(await dumpTables(other.pool)).toEqual(straight)
  },
)

/** A reader that records its questions, and holds answers back until `gate` resolves. */
function watch(reader: ChainReader, gate: () => Promise<void>) {
  const asked: string[] = []
  const watched: ChainReader = {
    ...reader,
    readTokens: async (addresses, block) => {
      asked.push(...addresses.map((address) => `${address} at ${block}`))
      await gate()
      return reader.readTokens(addresses, block)
    },
  }
  return { asked, watched }
}

function twoBlocks(): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.mint(USDC, alice, usdc(1_000_000))
  market.mine()
  market.token(tokenAt(1))
  market.mint(tokenAt(1), alice, eth(5))
  market.mine()
  return market
}

const addresses = async () =>
  (await database.pool.query('SELECT address FROM token ORDER BY id')).rows.map(({ address }) => address)

test('a prefetched token is asked for once, and not again at its turn', async () => {
  const market = twoBlocks()
  const [first, second] = market.blocks.map((block) => [block])
  const { asked, watched } = watch(market.reader, async () => {})
  const writer = await openWriter(database, watched)
  writer.prefetch(second ?? [])
  await expect.poll(() => asked).toEqual([`${tokenAt(1)} at 1`])
  await writer.append({ blocks: first ?? [], head: 1, finalized: 1 })
  await writer.append({ blocks: second ?? [], head: 1, finalized: 1 })
  await writer.settle()
  expect(asked).toEqual([`${tokenAt(1)} at 1`, `${USDC} at 0`])
  expect(await addresses()).toEqual([USDC, tokenAt(1)])
})

test('a question that failed during a prefetch is asked again at its turn', async () => {
  const market = twoBlocks()
  const [first, second] = market.blocks.map((block) => [block])
  let isAway = true
  const { asked, watched } = watch(market.reader, async () => {
    if (isAway) throw new Error('nobody there')
  })
  const writer = await openWriter(database, watched)
  writer.prefetch(second ?? [])
  await expect.poll(() => asked.length).toBe(1)
  isAway = false
  await writer.append({ blocks: first ?? [], head: 1, finalized: 1 })
  await writer.append({ blocks: second ?? [], head: 1, finalized: 1 })
  await writer.settle()
  expect(asked).toEqual([`${tokenAt(1)} at 1`, `${USDC} at 0`, `${tokenAt(1)} at 1`])
  expect(await addresses()).toHaveLength(2)
})

test('a prefetch that is still running when the writer fails is not used afterwards', async () => {
  const market = twoBlocks()
  const [first, second] = market.blocks.map((block) => [block])
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const { watched } = watch(market.reader, () => opened)
  const writer = await openWriter(database, watched)
  writer.prefetch(second ?? [])
  // A log whose transaction is not in its block.
  const broken = (first ?? []).map((block) => ({ ...block, transactions: [] }))
  await expect(writer.append({ blocks: broken, head: 1, finalized: 1 })).rejects.toThrow('transaction of block 0')
  open()
  await writer.append({ blocks: [...(first ?? []), ...(second ?? [])], head: 1, finalized: 1 })
  await writer.settle()
  expect(await addresses()).toHaveLength(2)
})

test.each([
  [1, true],
  [2, false],
])('after %i rotations of the store, prefetched rows can still be used: %s', async (rotations, isAtHand) => {
  const market = twoBlocks()
  const store = createStore()
  const client = await database.writePool.connect()
  const sources = { client, store, known: toKnown(marketPreset, FIRST_BUYS), reader: market.reader, startBlock: 0 }
  const [prefetch, sourcesOfChain] = [createPrefetch(), { ...sources, isTheirs: () => false }]
  prefetch.start(sourcesOfChain, market.blocks)
  store.rotations += rotations
  const { prefetched } = await prefetch.take(sourcesOfChain, market.blocks)
  client.release()
  expect(prefetched !== null).toBe(isAtHand)
})
