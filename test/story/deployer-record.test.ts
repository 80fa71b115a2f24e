// The earlier tokens of a deployer, compared one by one with the demo's rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { readDeployerRecords } from '../../src/ledger/facts/deployers.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { NO_KIN } from '../support/facts.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { rescoreAll } from '../support/live.ts'

const database = await createDemoDatabase()
let graph: Awaited<ReturnType<typeof openGraph>>
beforeAll(async () => {
  graph = await openGraph(database)
})
afterAll(() => graph.head.stop())

interface Deployed {
  id: number
  address: string
  deployerId: number | null
}

test("a token's record counts and lists the earlier tokens of its deployer, and those that were pulled", async () => {
  // One wallet deployed everything, and whoever opened the first pool of a token pulled it.
  await database.pool.query(`WITH first AS (
      SELECT p.base_id, p.opener_id FROM pool p JOIN position b ON b.token_id = p.base_id AND b.wallet_id = p.opener_id
      JOIN token t ON t.id = p.base_id WHERE t.indexed AND t.kind = 'erc20' ORDER BY p.base_id, p.id LIMIT 1),
    pulled AS (UPDATE position b SET pulled_usd = 500 FROM first f WHERE b.token_id = f.base_id AND b.wallet_id = f.opener_id)
    UPDATE token SET deployer_id = (SELECT min(id) FROM wallet)`)
  const { rows: tokens } = await database.pool.query<Deployed>(
    `SELECT id, address, deployer_id AS "deployerId" FROM token WHERE kind = 'erc20' AND indexed ORDER BY id`,
  )
  const { rows: pulls } = await database.pool.query<{ tokenId: number; walletId: number }>(
    'SELECT token_id AS "tokenId", wallet_id AS "walletId" FROM position WHERE pulled_usd > 0',
  )
  const { rows: pools } = await database.pool.query<{ baseId: number; openerId: number | null }>(
    'SELECT base_id AS "baseId", opener_id AS "openerId" FROM pool WHERE base_id IS NOT NULL ORDER BY id',
  )
  const isPulled = ({ id, deployerId }: Deployed) => {
    const openers = pools.filter(({ baseId }) => baseId === id).slice(0, 4)
    const makers = [deployerId, ...openers.map(({ openerId }) => openerId)]
    return pulls.some(({ tokenId, walletId }) => tokenId === id && makers.includes(walletId))
  }
  const recordOf = await readDeployerRecords(
    database.pool,
    tokens.map(({ id }) => id),
  )
  for (const { id, deployerId } of tokens) {
    const earlier = tokens.filter((one) => one.deployerId === deployerId && one.id < id).slice(-50)
    const expected = deployerId && { ...NO_KIN, tokens: earlier.length, pulled: earlier.filter(isPulled).length }
    expect(recordOf(id)).toEqual(expected ?? null)
  }
  const worst = tokens.toSorted((a, b) => (recordOf(b.id)?.pulled ?? 0) - (recordOf(a.id)?.pulled ?? 0))[0]
  expect(recordOf(worst?.id ?? 0)?.pulled).toBeGreaterThan(0)
  const { data } = await graph.execute(
    `{ token(address: "${worst?.address}") { deployerRecord {
      tokens pulled funderTokens funderPulled earlier(limit: 3) { pulled token { address } } } } }`,
    {},
    SOMEBODY,
  )
  const before = tokens.filter((one) => one.deployerId === worst?.deployerId && one.id < (worst?.id ?? 0))
  const earlier = before
    .slice(-50)
    .map((one) => ({ pulled: isPulled(one), token: { address: one.address } }))
    .reverse()
    .sort((a, b) => Number(b.pulled) - Number(a.pulled))
    .slice(0, 3)
  expect(data).toEqual({ token: { deployerRecord: { ...recordOf(worst?.id ?? 0), earlier } } })
})

interface Scored {
  id: number
  risk: number
  explanation: string
}

const readScores = async (): Promise<Map<number, Scored>> => {
  const { rows } = await database.pool.query<Scored>(
    `SELECT t.id, s.risk_score AS risk, s.explanation::text AS explanation FROM token t
     JOIN token_score s ON s.token_id = t.id WHERE t.kind = 'erc20' AND t.indexed`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Sets who deployed each token, and who funded whom first, and scores all of them. */
async function arrange(deployers: ReadonlyMap<number, number>, funded: ReadonlyMap<number, number> = new Map()) {
  await database.pool.query('UPDATE token SET deployer_id = NULL')
  await database.pool.query('UPDATE wallet SET first_funder_id = NULL')
  for (const [token, wallet] of deployers)
    await database.pool.query('UPDATE token SET deployer_id = $2 WHERE id = $1', [token, wallet])
  for (const [wallet, funder] of funded)
    await database.pool.query('UPDATE wallet SET first_funder_id = $2 WHERE id = $1', [wallet, funder])
  await rescoreAll(database, loadPreset(DEMO_CHAIN_ID))
  return readScores()
}

/** A pulled token, later tokens of good standing, and accounts without a name. */
async function readCast() {
  const { rows: pulls } = await database.pool.query<{ token: number; wallet: number }>(
    'SELECT token_id AS token, wallet_id AS wallet FROM position WHERE pulled_usd > 0 ORDER BY token_id LIMIT 1',
  )
  const [pull] = pulls
  if (!pull) throw new Error('the demo has no pulled token')
  const { rows: later } = await database.pool.query<{ id: number }>(
    `SELECT id FROM token WHERE kind = 'erc20' AND indexed AND id > $1 AND risk_score < 50 ORDER BY id LIMIT 2`,
    [pull.token],
  )
  const { rows: wallets } = await database.pool.query<{ id: number }>(
    `SELECT id FROM wallet WHERE kind = 'account' AND id <> $1 ORDER BY id LIMIT 24`,
    [pull.wallet],
  )
  return { pull, later: later.map(({ id }) => id), accounts: wallets.map(({ id }) => id) }
}

const floorOf = (scored: Scored | undefined) =>
  unpackExplanation(JSON.parse(scored?.explanation ?? '[]')).floors.find(({ reason }) => reason === 'deployer_pulled')

test('a pulled token of the deployer, or of a wallet with the same funder, raises the score of the next one', async () => {
  const { pull, later, accounts } = await readCast()
  const [token = 0] = later
  const [funder = 0, other = 0, third = 0] = accounts
  const alone = await arrange(new Map([[token, pull.wallet]]))
  expect(floorOf(alone.get(token))).toBeUndefined()
  const serial = await arrange(new Map([pull.token, token].map((id) => [id, pull.wallet])))
  expect(floorOf(serial.get(token))).toEqual({ reason: 'deployer_pulled', atLeast: 50 })
  expect(serial.get(token)?.risk).toBeGreaterThan(alone.get(token)?.risk ?? 100)
  const kin = await arrange(
    new Map([
      [pull.token, pull.wallet],
      [token, other],
    ]),
    new Map([pull.wallet, other, third].map((wallet) => [wallet, funder])),
  )
  expect(floorOf(kin.get(token))).toEqual({ reason: 'deployer_pulled', atLeast: 50 })
  expect(kin.get(token)?.risk).toBe(serial.get(token)?.risk)
  const { reasons } = unpackExplanation(JSON.parse(kin.get(token)?.explanation ?? '[]'))
  expect(reasons[0]).toMatchObject({ kind: 'danger', text: 'A token of a wallet with the same funder was pulled' })
})

test('a service, and whoever funded more than 20 wallets, ties no deployers together', async () => {
  const { pull, later, accounts } = await readCast()
  const [token = 0] = later
  const [funder = 0, other = 0, ...crowd] = accounts
  const deployers = new Map([
    [pull.token, pull.wallet],
    [token, other],
  ])
  const fundedBy = (wallets: readonly number[]) => new Map([pull.wallet, ...wallets].map((wallet) => [wallet, funder]))
  await arrange(deployers, fundedBy([other, ...crowd.slice(0, 18)]))
  const recordOf = async () => (await readDeployerRecords(database.pool, [token]))(token)
  expect(await recordOf()).toEqual({ tokens: 0, pulled: 0, funderTokens: 1, funderPulled: 1 })
  await arrange(deployers, fundedBy([other, ...crowd.slice(0, 19)]))
  expect(await recordOf()).toEqual({ tokens: 0, pulled: 0, ...NO_KIN })
  await arrange(deployers, fundedBy([other]))
  await database.pool.query("UPDATE wallet SET kind = 'exchange' WHERE id = $1", [funder])
  expect(await recordOf()).toEqual({ tokens: 0, pulled: 0, ...NO_KIN })
})
