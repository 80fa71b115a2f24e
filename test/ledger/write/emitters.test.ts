// Addresses with logs are contracts, also those unknown to presets and factories.
import { expect, test } from 'vitest'
import { addressOf, createQuotedMarket, ROUTER, USDC, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const database = await createTestDatabase()

const TOKEN = addressOf('token', 1)
/** A pair of a factory that no preset names. */
const PAIR = addressOf('stranger', 1)
const E18 = 10n ** 18n
const [alice, bob] = [wallet(1), wallet(2)]

test('a pair of an unknown factory is a contract once it logs, and so is a token that holds itself', async () => {
  const { market } = createQuotedMarket(alice)
  market.token(TOKEN)
  market.mint(TOKEN, alice, 1_000n * E18)
  market.transfer(TOKEN, alice, PAIR, 500n * E18)
  market.transfer(TOKEN, alice, bob, E18)
  market.mine()
  const writer = await openWriter(database, market.reader)
  await appendFinal(writer, market.blocks)
  const kinds = async () => {
    const { rows } = await database.pool.query<{ address: string; kind: string }>('SELECT address, kind FROM wallet')
    return new Map(rows.map(({ address, kind }) => [address, kind]))
  }
  expect((await kinds()).get(PAIR)).toBe('account')

  market.transfer(TOKEN, alice, TOKEN, E18)
  market.tx(alice, ROUTER, (emit) => {
    market.move(emit, USDC, alice, PAIR, 10n ** 6n)
    market.move(emit, TOKEN, PAIR, alice, E18)
    emit(PAIR, { kind: 'v2_sync', reserve0: E18, reserve1: 10n ** 6n })
    emit(PAIR, { kind: 'v2_swap', to: alice, amount0In: 0n, amount1In: 10n ** 6n, amount0Out: E18, amount1Out: 0n })
  })
  market.mine()
  await appendFinal(writer, market.blocks.slice(1))
  const after = await kinds()
  expect([PAIR, TOKEN, alice, bob].map((address) => after.get(address))).toEqual([
    'contract',
    'contract',
    'account',
    'account',
  ])
})
