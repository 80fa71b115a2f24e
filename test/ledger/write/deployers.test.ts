// Who deployed a token: the account that acted in its first mint, or nobody.
import { beforeAll, expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { addressOf, createMarket, wallet } from '../../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const [relayer, victim] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const LIAR = addressOf('liar', 1)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})

/** The deployer after a first mint through a contract, and a later one by another account. */
async function readDeployer(isForwarded: boolean): Promise<Address | null> {
  const market = createMarket()
  market.token(TOKEN)
  market.tx(relayer, LIAR, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, LIAR, 1_000n)
    if (isForwarded) emit(LIAR, { kind: 'forwarded', signer: victim })
  })
  market.mine()
  market.tx(victim, TOKEN, (emit) => market.move(emit, TOKEN, ZERO_ADDRESS, victim, 5n))
  market.mine()
  return deployerOf(market)
}

async function deployerOf(market: ReturnType<typeof createMarket>): Promise<Address | null> {
  await appendFinal(await openWriter(database, market.reader), market.blocks)
  const { rows } = await database.pool.query<{ address: Address | null }>(
    'SELECT w.address FROM token t LEFT JOIN wallet w ON w.id = t.deployer_id WHERE t.address = $1',
    [TOKEN],
  )
  return rows[0]?.address ?? null
}

test('the first mint makes its signer the deployer, and a later mint nobody', async () => {
  expect(await readDeployer(false)).toBe(relayer)
})

test('a contract that says that it forwards another account makes neither that one nor the next minter a deployer', async () => {
  expect(await readDeployer(true)).toBeNull()
})

test('a token that was minted and burned whole before has no deployer in who mints it next', async () => {
  const market = createMarket()
  market.token(TOKEN)
  market.tx(relayer, LIAR, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, LIAR, 1_000n)
    emit(LIAR, { kind: 'forwarded', signer: victim })
  })
  market.mine()
  market.tx(relayer, LIAR, (emit) => market.move(emit, TOKEN, LIAR, ZERO_ADDRESS, 1_000n))
  market.mine()
  market.tx(victim, TOKEN, (emit) => market.move(emit, TOKEN, ZERO_ADDRESS, victim, 5n))
  market.mine()
  expect(await deployerOf(market)).toBeNull()
})
