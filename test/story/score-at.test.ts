// Scores as of earlier blocks: those that can still be rolled back, older ones, and such as are not indexed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { indexDemo } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const [FIRST, SECOND, LAST] = [1_400, 1_412, 1_420]

interface Point {
  blockNumber: number
  score: number
}
type Scores = Map<string, [score: number, block: number] | null>

let database: TestDatabase
let graph: Awaited<ReturnType<typeof openGraph>>
const stood = new Map<number, { tokens: Scores; wallets: Scores }>()

async function readNow() {
  const read = async (text: string) => {
    const { rows } = await database.pool.query<{ address: string; score: number; block: number }>(text)
    return new Map(rows.map(({ address, score, block }) => [address, [score, block]] as const)) as Scores
  }
  return {
    tokens: await read(
      `SELECT t.address, s.risk_score AS score, s.block_number AS block FROM token_score s JOIN token t ON t.id = s.token_id`,
    ),
    wallets: await read(
      `SELECT w.address, s.reputation_score AS score, s.block_number AS block FROM wallet_score s JOIN wallet w ON w.id = s.wallet_id`,
    ),
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  for (const head of [FIRST, SECOND, LAST]) {
    await indexDemo(database, head)
    stood.set(head, await readNow())
  }
  graph = await openGraph(database)
})
afterAll(() => graph.head.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data

async function askAt(block: number) {
  const { tokens } = await ask(`{ tokens(first: 100) { nodes { address riskAt(block: ${block}) { score level blockNumber
    time liquidityStabilityScore } } } }`)
  const { wallets } = await ask(
    `{ wallets(first: 200) { nodes { address reputationAt(block: ${block}) { score level blockNumber } } } }`,
  )
  const toScores = (items: { address: string }[], field: string): Scores =>
    new Map(
      items.map((item) => {
        const at = (item as unknown as Record<string, { score: number; blockNumber: number } | null>)[field]
        return [item.address, at ? [at.score, at.blockNumber] : null]
      }),
    )
  return { tokens: toScores(tokens.nodes, 'riskAt'), wallets: toScores(wallets.nodes, 'reputationAt') }
}

test('scores at a block that can still be rolled back are the former ones, to the last digit', async () => {
  const { rows } = await database.pool.query<{ finalized: number }>('SELECT finalized FROM chain')
  expect(rows[0]?.finalized).toBeLessThanOrEqual(FIRST)
  for (const block of [FIRST, SECOND, LAST]) {
    const then = stood.get(block)
    const { tokens, wallets } = await askAt(block)
    for (const [address, score] of tokens)
      expect([address, score]).toEqual([address, then?.tokens.get(address) ?? null])
    for (const [address, score] of wallets)
      expect([address, score]).toEqual([address, then?.wallets.get(address) ?? null])
    expect([...tokens.values()].filter((score) => score !== null).length).toBeGreaterThan(5)
  }
  const [first, last] = [stood.get(FIRST), stood.get(LAST)].map((all) => JSON.stringify([...(all?.tokens ?? [])]))
  expect(first).not.toBe(last)
})

test('scores of a block before the first score are null, if that is recorded', async () => {
  const { wallets } = await askAt(SECOND)
  const [address] = [...wallets].find(([, score]) => score !== null) ?? []
  const ids = `SELECT id FROM wallet WHERE address = '${address}'`
  await database.pool.query(`DELETE FROM undo WHERE entity = 'wallet_score' AND key1 = (${ids})`)
  await database.pool.query(
    `INSERT INTO undo (block_number, entity, key1, key2, key3, before) SELECT ${LAST}, 'wallet_score', id, 0, 0, NULL FROM (${ids}) w`,
  )
  expect((await askAt(SECOND)).wallets.get(`${address}`)).toBeNull()
  expect((await askAt(LAST)).wallets.get(`${address}`)).not.toBeNull()
})

test('scores of an older block are the newest of the history up to it, and null before the first', async () => {
  await indexDemo(database, LAST + 400)
  await graph.head.refresh()
  const { rows: points } = await database.pool.query<{ address: string; block: number; score: number }>(
    `SELECT t.address, p.block_number AS block, p.score FROM score_point p JOIN token t ON t.id = p.id AND p.kind = 1 ORDER BY p.block_number`,
  )
  for (const block of [0, 700, FIRST, LAST]) {
    const { tokens } = await askAt(block)
    for (const [address, score] of tokens) {
      const kept = points.filter((point) => point.address === address && point.block <= block).at(-1)
      expect([address, score]).toEqual([address, kept ? [kept.score, kept.block] : null])
    }
  }
})

test('a block that is not indexed is refused with the blocks that are', async () => {
  const [token] = stood.get(LAST)?.tokens.keys() ?? []
  for (const block of [-1, 1_000_000]) {
    const { errors } = await graph
      .execute(`{ token(address: "${token}") { riskAt(block: ${block}) { score } } }`, {}, SOMEBODY)
      .then(
        (answer) => ({ errors: [{ message: JSON.stringify(answer) }] }),
        (error) => ({ errors: [{ message: JSON.stringify(error.details ?? error.message) }] }),
      )
    expect(errors[0]?.message).toContain(`block must be from 0 to ${LAST + 400}: only indexed blocks have scores`)
  }
})

test('a rollback takes the history of scores back to the block that it goes back to', async () => {
  const [before, to] = [LAST + 400, LAST + 390]
  const readHistory = async () => {
    const { tokens } = await ask('{ tokens(first: 100) { nodes { address score { history { blockNumber score } } } } }')
    return new Map<string, Point[]>(
      tokens.nodes.map((item: { address: string; score: { history: Point[] } | null }) => [
        item.address,
        item.score?.history ?? [],
      ]),
    )
  }
  await indexDemo(database, before)
  await graph.head.refresh()
  const stood = [...(await readHistory())]
  expect(stood.flatMap(([, points]) => points).some(({ blockNumber }) => blockNumber > to)).toBe(true)
  await indexDemo(database, to)
  await graph.head.refresh()
  const stands = await readHistory()
  for (const [address, points] of stood) {
    const left = stands.get(address) ?? []
    expect(left.filter(({ blockNumber }) => blockNumber > to)).toEqual([])
    // Scores that were computed at the block itself, after the rollback, may come before the rest.
    const earlier = (all: Point[]) => all.filter(({ blockNumber }) => blockNumber < to)
    expect([address, earlier(left)]).toEqual([address, earlier(points)])
  }
})

test('at the last block of a final day a wallet has the reputation published then, also without evidence', async () => {
  const dayEnd = 6_685
  const then = await createTestDatabase()
  await indexDemo(then, dayEnd)
  const { rows: published } = await then.pool.query<{ address: string; score: number }>(
    `SELECT w.address, s.reputation_score AS score FROM wallet_score s JOIN wallet w ON w.id = s.wallet_id WHERE w.indexed`,
  )
  await indexDemo(then)
  const now = await openGraph(then)
  let judged = 0
  for (let at = 0; at < published.length; at += 10) {
    const some = published.slice(at, at + 10)
    const fields = some.map(
      ({ address }, n) => `w${n}: wallet(address: "${address}") { reputationAt(block: ${dayEnd}) { score } }`,
    )
    const { data } = await now.execute(`{ ${fields.join(' ')} }`, {}, SOMEBODY)
    for (const [n, { address, score }] of some.entries()) {
      const told = (data as Record<string, { reputationAt: { score: number } | null }>)[`w${n}`]?.reputationAt
      // Of whom nothing was known the history is silent.
      expect([address, told?.score ?? 50]).toEqual([address, score])
      if (score !== 50) judged += 1
    }
  }
  expect(judged).toBeGreaterThan(300)
  await now.head.stop()
})
