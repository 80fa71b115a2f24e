// Airdrops on a small ledger of tokens that have nothing to do with each other: whoever was sent the same airdrop is no ring.
import { beforeAll, expect, test } from 'vitest'
import type { Address } from '../../../src/base/address.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { toFactsBlock } from '../../../src/ledger/facts/facts.ts'
import { createMemory } from '../../../src/ledger/facts/memory.ts'
import { loadTokenFacts } from '../../../src/ledger/facts/token.ts'
import { scoreToken } from '../../../src/scoring/token-risk.ts'
import { FACT_RULES } from '../../../src/scoring/weights.ts'
import { addressOf, addSides, createQuotedMarket, type Market, USDC, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, startAnew } from '../../support/writing.ts'

const database = await createTestDatabase()

const E18 = 10n ** 18n
const owner = wallet(1)
const sender = wallet(2)
const DROP = addressOf('drop', 1)
const BUYERS = 12
const tokenOf = (n: number) => addressOf('token', n)
/** Buyers of the nth token. */
const buyersOf = (n: number) => Array.from({ length: BUYERS }, (_, at) => wallet(100 * n + at))

/** The sender's transfers to the buyers of each token, before any other log of these. */
const SENT: Record<number, (market: Market, to: Address) => void> = {
  1: (market, to) => market.transfer(DROP, sender, to, E18),
  2: (market, to) => market.transfer(DROP, sender, to, 50n * E18),
  3: (market, to) => market.native(sender, to, E18),
}
const other = wallet(3)
const DUSTED = 4
const FEW = 5

const flags = new Map<Address, string[]>()

/** Every buyer buys for a different amount, two days after the buyer before. */
function trade(market: Market, pool: Address, n: number): void {
  for (const [at, buyer] of buyersOf(n).entries()) {
    market.transfer(USDC, owner, buyer, 1_000_000n)
    market.swap(pool, buyer, USDC, BigInt(400 + 60 * at) * 1_000n)
    market.mine(7_200)
  }
}

beforeAll(async () => {
  const { market } = createQuotedMarket(owner)
  for (const token of [DROP, ...[1, 2, 3, DUSTED, FEW].map(tokenOf)]) {
    market.token(token)
    market.mint(token, token === DROP ? sender : owner, 1_000_000n * E18)
  }
  const pools = [1, 2, 3, DUSTED, FEW].map((n) => {
    const pool = market.createPool(owner, tokenOf(n), USDC)
    addSides(market, pool, owner, tokenOf(n), 1_000n * E18, 5n * 10n ** 6n)
    return [n, pool] as const
  })
  market.transfer(USDC, owner, other, 10n ** 7n)
  market.transfer(DROP, sender, wallet(4), 1_000n * E18)
  market.mine()
  for (const [n, send] of Object.entries(SENT)) for (const buyer of buyersOf(Number(n))) send(market, buyer)
  for (const buyer of buyersOf(DUSTED)) market.transfer(USDC, other, buyer, 10_000n)
  for (const buyer of buyersOf(FEW)) market.transfer(DROP, wallet(4), buyer, E18)
  market.mine()
  for (const [n, pool] of pools) trade(market, pool, n)
  const lock = await acquireWriter({ database })
  await appendFinal(await startAnew(lock, market.reader), market.blocks)
  await lock.release()
  const { rows } = await database.pool.query<{ id: number; address: Address }>('SELECT id, address FROM token')
  const last = market.blocks.at(-1)
  const facts = await loadTokenFacts(
    database.pool,
    rows.map(({ id }) => id),
    toFactsBlock(last?.number ?? 0, last?.time ?? 0),
    createMemory(FACT_RULES),
  )
  for (const each of facts) {
    const address = rows.find(({ id }) => id === each.id)?.address
    if (address) flags.set(address, scoreToken(each).flags)
  }
})

test('tokens whose holders got one airdrop are not flagged, and neither is the wrapped coin', () => {
  for (const token of [tokenOf(1), tokenOf(2), WETH]) expect(flags.get(token) ?? []).not.toContain('sybil_cluster')
})

test('a sender of an airdrop still joins the wallets to which it sent native coin', () => {
  expect(flags.get(tokenOf(3))).toContain('sybil_cluster')
})

test('a cent of a priced token to a few wallets joins nobody', () => {
  expect(flags.get(tokenOf(DUSTED))).not.toContain('sybil_cluster')
})

test('a sender of tokens to a few wallets only joins them', () => {
  expect(flags.get(tokenOf(FEW))).toContain('sybil_cluster')
})
