// The doctor on a live chain: it finds nothing after reorganisations, and finds each planted error.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { type Diagnosis, diagnose } from '../../src/ledger/doctor/doctor.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createContext } from '../support/context.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { createRounds } from '../support/rounds.ts'
import { createReport, storeReport } from '../support/safety-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const title = `the doctor${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const rounds = await createRounds(live, 5)
    await rounds.play(40)
    await indexToHead(database, live)
    for (const depth of [1, 7, 20, 3]) {
      await live.rollBack(depth)
      await rounds.play(depth + 2)
      await indexToHead(database, live)
    }
  })
  afterAll(() => live?.anvil.stop())

  const look = (reader = live.reader): Promise<Diagnosis> => {
    const readHash = async (block: number) => (await live.source.readLinks([block]))[0]?.hash ?? ''
    return diagnose({ database, reader, readHash, sample: 1_000, wrappedNative: live.preset.wrappedNative })
  }

  /** Changes the ledger, runs the doctor, and undoes the change. */
  async function plant(statement: string, undo: string): Promise<Diagnosis> {
    await database.pool.query(statement)
    return look().finally(() => database.pool.query(undo))
  }

  test('finds no difference after many reorganisations', async () => {
    const { compared, differences, unanswered } = await look()
    expect(differences).toEqual([])
    expect(unanswered).toBe(0)
    expect(compared.balances).toBeGreaterThan(50)
    for (const count of [compared.supplies, compared.reserves, compared.prices]) expect(count).toBeGreaterThan(4)
  })

  test('finds a balance that is one unit off, and names token, holder and both values', async () => {
    const { rows } = await database.pool.query<{
      token: string
      holder: string
      balance: string
      t: number
      w: number
    }>(
      `SELECT t.address AS token, w.address AS holder, p.balance, t.id AS t, w.id AS w FROM position p
       JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
       WHERE t.indexed AND p.balance > 10 ORDER BY t.id DESC, w.id LIMIT 1`,
    )
    const [{ token, holder, balance, t, w }] = rows as [(typeof rows)[0]]
    const where = `WHERE token_id = ${t} AND wallet_id = ${w}`
    const { differences } = await plant(
      `UPDATE position SET balance = balance + 1 ${where}`,
      `UPDATE position SET balance = balance - 1 ${where}`,
    )
    const ledger = `${BigInt(balance) + 1n}`
    expect(differences).toEqual([{ what: 'balance', address: token, holder, ledger, chain: balance }])
  })

  test.each([
    [
      'supply',
      'UPDATE token SET supply = supply + 1 WHERE indexed',
      'UPDATE token SET supply = supply - 1 WHERE indexed',
    ],
    ['reserve0', 'UPDATE pool SET reserve0 = reserve0 + 1', 'UPDATE pool SET reserve0 = reserve0 - 1'],
    ['price', 'UPDATE pool SET price = price * 2', 'UPDATE pool SET price = price / 2'],
  ])('finds a wrong %s', async (what, statement, undo) => {
    const { differences } = await plant(statement, undo)
    expect(new Set(differences.map((difference) => difference.what))).toEqual(new Set([what]))
  })

  test('does not count balances of a token whose check found that it changes them without a Transfer', async () => {
    const [{ id }] = (await database.pool.query<{ id: number }>('SELECT max(id) AS id FROM token WHERE indexed'))
      .rows as [{ id: number }]
    const report = createReport({ block: 1, at: 1, balancesDiffer: { asked: 10, differ: 10, moved: 0 } })
    await storeReport(database.pool, id, report)
    const { differences, unexplained } = await plant(
      `UPDATE position SET balance = balance + 1 WHERE token_id = ${id} AND balance > 10`,
      `UPDATE position SET balance = balance - 1 WHERE token_id = ${id} AND balance > 10`,
    )
    expect(differences).toEqual([])
    expect(unexplained.length).toBeGreaterThan(1)
    const { differences: supplies } = await plant(
      `UPDATE token SET supply = supply + 1 WHERE id = ${id}`,
      `UPDATE token SET supply = supply - 1 WHERE id = ${id}`,
    )
    expect(supplies.map(({ what }) => what)).toEqual(['supply'])
    await database.pool.query('DELETE FROM token_safety WHERE token_id = $1', [id])
  })

  /** Runs `assay doctor` as the shell does. */
  async function runDoctor(): Promise<{ code: number; said: string[] }> {
    const said: string[] = []
    const preset = join(folder, 'preset.json')
    writeFileSync(preset, JSON.stringify(live.preset))
    const code = await runProgram(
      ['doctor', '--sample', '1000'],
      createContext({ DATABASE_URL: database.url, RPC_URL: live.anvil.url, CHAIN_CONFIG: preset }, said),
      (line) => said.push(line),
    )
    return { code, said }
  }

  test('exits with 0, or with 1 and one line per wrong value', async () => {
    expect(await runDoctor()).toEqual({
      code: 0,
      said: expect.arrayContaining([expect.stringMatching(/^block \d+: compared/), 'no differences']),
    })
    await database.pool.query('UPDATE token SET supply = supply + 1 WHERE indexed')
    await database.pool.query('UPDATE pool SET reserve1 = reserve1 * 2, price = price * 2')
    const { code, said } = await runDoctor()
    await database.pool.query('UPDATE token SET supply = supply - 1 WHERE indexed')
    await database.pool.query('UPDATE pool SET reserve1 = reserve1 / 2, price = price / 2')
    expect(code).toBe(1)
    for (const what of ['supply', 'reserve1', 'price']) expect(said.join('\n')).toMatch(new RegExp(`^${what} +0x`, 'm'))
    expect(said.at(-1)).toMatch(/^\d+ values differ from the chain\.$/)
    expect((await runDoctor()).code).toBe(0)
  })

  test('refuses with one sentence when the source has pruned the state', async () => {
    const pruned = {
      ...live.reader,
      readBalances: async (questions: readonly unknown[]) => questions.map(() => null),
      readTokens: async () => new Map(),
    }
    await expect(look(pruned)).rejects.toThrow(/no longer has the state of block \d+.*archive node/)
  })

  test('refuses while the source is on another fork', async () => {
    await database.pool.query(`UPDATE block SET hash = hash || 'x'`)
    await expect(look()).rejects.toThrow(/another block/)
    await database.pool.query(`UPDATE block SET hash = left(hash, -1)`)
  })
})

test('assay doctor exits with 1 on an index without blocks and says so', async () => {
  const { url } = await createTestDatabase()
  const complaints: string[] = []
  const context = createContext({ DATABASE_URL: url }, [])
  expect(await runProgram(['doctor'], context, (text) => complaints.push(text))).toBe(1)
  expect(complaints).toEqual([expect.stringMatching(/Nothing is indexed yet/)])
})
