// Who deployed a token: the account that acted in its first mint, or nobody.
import { expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { ChainReader } from '../../../src/chain/contracts/reader.ts'
import { readDeployerRecords } from '../../../src/ledger/facts/deployers.ts'
import { addressOf, createMarket, createQuotedMarket, type Market, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const [relayer, victim] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const LIAR = addressOf('liar', 1)

const database = await createTestDatabase()

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

test('a contract that says that it forwards another account is the deployer itself, funded by whoever called it', async () => {
  expect(await readDeployer(true)).toBe(LIAR)
  const { rows } = await database.pool.query<{ address: Address; funder: Address | null; deployed: number }>(
    `SELECT w.address, f.address AS funder, w.deployed_count AS deployed FROM wallet w LEFT JOIN wallet f ON f.id = w.first_funder_id
     WHERE w.address = ANY($1)`,
    [[relayer, victim, LIAR]],
  )
  expect(Object.fromEntries(rows.map(({ address, funder }) => [address, funder]))).toEqual({
    [relayer]: null,
    [victim]: null,
    [LIAR]: relayer,
  })
})

test('a token that logged before its first mint has no deployer, whoever mints it next', async () => {
  const market = createMarket()
  market.token(TOKEN)
  market.tx(relayer, LIAR, (emit) => emit(TOKEN, { kind: 'transfer', from: LIAR, to: victim, amount: 0n }))
  market.mine()
  market.tx(relayer, LIAR, (emit) => market.move(emit, TOKEN, ZERO_ADDRESS, LIAR, 1_000n))
  market.tx(relayer, LIAR, (emit) => market.move(emit, TOKEN, LIAR, ZERO_ADDRESS, 1_000n))
  market.mine()
  market.tx(victim, TOKEN, (emit) => market.move(emit, TOKEN, ZERO_ADDRESS, victim, 5n))
  market.mine()
  expect(await deployerOf(market)).toBeNull()
})

/** A token that `by` pulls, and another that it launches by a call of `called`, which logs more. */
function launchTwice(
  through: Address,
  claim: (market: Market, emit: Parameters<Parameters<Market['tx']>[2]>[0]) => void,
) {
  const { market } = createQuotedMarket(victim)
  market.transfer(WETH, victim, relayer, 10n * E18)
  const first = addressOf('token', 2)
  market.token(first)
  market.token(TOKEN)
  market.mine()
  market.mint(first, relayer, 1_000n * E18)
  const pair = market.createPool(relayer, first, WETH)
  market.add(pair, relayer, 10n * E18, 10n * E18)
  market.mine()
  market.remove(pair, relayer, 100n)
  market.mine()
  market.tx(relayer, through, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, through, 1_000n * E18)
    claim(market, emit)
  })
  market.mine()
  return market
}

const E18 = 10n ** 18n

test.each<[string, Parameters<typeof launchTwice>[1], boolean]>([
  ['logs that it forwards another account', (_, emit) => emit(LIAR, { kind: 'forwarded', signer: victim }), false],
  ['answers that it is an account', () => {}, true],
])('who pulled a token is not hidden by a contract that %s', async (_, claim, isAccount) => {
  const market = launchTwice(LIAR, claim)
  const reader: ChainReader = {
    ...market.reader,
    readAccounts: async (addresses) => new Map(addresses.map((address) => [address, isAccount && address === LIAR])),
  }
  await appendFinal(await openWriter(database, reader), market.blocks)
  await database.pool.query('UPDATE token SET indexed = true')
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [TOKEN])
  const recordOf = await readDeployerRecords(database.pool, [rows[0]?.id ?? 0])
  expect(recordOf(rows[0]?.id ?? 0)).toEqual({ tokens: 0, pulled: 0, funderTokens: 1, funderPulled: 1 })
})
