// An answer is a function of the request and its block. The demo chain is indexed in one go, and with stops and contract
// checks on the way. Both give the same rows and the same answers, byte for byte. `docs/rest.md` names the exceptions:
// the values of a token's last scoring, and the words of its newest contract check.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  EVENTS,
  TOKEN_PROFILE,
  TOKEN_SCORE,
  TOKENS,
  WALLET_EVENTS,
  WALLET_PROFILE,
  WALLET_SCORE,
} from '../../src/rest/contract/documents.ts'
import type { TestDatabase } from '../support/database.ts'
import { checkDemo, createDemoDatabase, createStoppedDemo } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { WRITTEN_TABLES } from '../support/writing.ts'

/** A token's row has values of its last scoring, so it is compared by itself. */
const TABLES = [...WRITTEN_TABLES.filter((table) => table !== 'token'), 'wallet_score']
/** The demo chain has no rows of these. */
const EMPTY = ['stake']
/** What of a token is as of its last scoring, which time alone or another wallet's score does not bring about. */
const OF_SCORING = ['updated_at', 'block_number', 'explanation', 'avg_reputation_top10']
/** The age counts on in the risk of a token that is not traded, without a new score. */
const OF_IDLE = ['risk_score', 'summary']
/** The reasons have a part of the holders' reputation as of the last scoring. */
const OF_IDLE_ANSWER = ['risk_score', 'ai_summary', 'reasons', 'contributions', 'verdict']
const IDLE_DAYS = 7
/** The contract checks of the two runs are of other blocks. */
const OF_CHECK_ANSWER = ['sell_check']
/** The verdict, without when its check was. */
const atAnyCheck = ({ checked_at: _, findings, ...verdict }: Row): Row => ({
  ...verdict,
  findings: (findings as Row[]).map(({ since: _since, block: _block, ...finding }) => finding),
})
/** Questions that are asked together. */
const GROUP = 25

let runs: TestDatabase[] = []

beforeAll(async () => {
  const [straight, stopped] = [await createDemoDatabase(), await createStoppedDemo()]
  await checkDemo(straight)
  runs = [straight, stopped]
})

type Row = Record<string, unknown>
const readRows = async ({ pool }: TestDatabase, text: string) =>
  (await pool.query<{ row: Row }>(text)).rows.map(({ row }) => row)

/** For each run after the first: what differs from the first, as the names of fields by key. */
const differencesOf = (runs: readonly Row[][], keyOf: (row: Row) => string) =>
  runs.slice(1).flatMap((rows) => {
    expect(rows.map(keyOf)).toEqual((runs[0] ?? []).map(keyOf))
    return rows.flatMap((row, at) => {
      const first = runs[0]?.[at] ?? {}
      const names = Object.keys(first).filter((name) => JSON.stringify(first[name]) !== JSON.stringify(row[name]))
      return names.map((name) => ({ key: keyOf(row), name }))
    })
  })

/** Tokens without a swap for seven days. */
const readIdle = async () => {
  const rows = await readRows(
    runs[0] as TestDatabase,
    `SELECT jsonb_build_object('address', t.address) AS row FROM token t WHERE t.indexed AND NOT EXISTS (SELECT FROM event e
      WHERE e.token_id = t.id AND e.type = 1 AND e.time > (SELECT max(time) FROM block) - interval '${IDLE_DAYS} days')`,
  )
  return new Set(rows.map(({ address }) => address))
}

/** What a score reads of a check. */
const FOUND = `SELECT jsonb_build_object('address', t.address, 'found', s.report::jsonb - '{checkedAt,logs,calls,sellCheck}'::text[],
  'sale', (s.report::jsonb -> 'sellCheck') - '{checkedBlock,call}'::text[]) AS row
  FROM token t JOIN token_safety s ON s.token_id = t.id ORDER BY t.id`

/** Tokens whose checks found something else, or that one run alone checked: a check has its own schedule. */
const readCheckedOtherwise = async () => {
  const [first, ...others] = await Promise.all(
    runs.map(async (run) => new Map((await readRows(run, FOUND)).map((row) => [row.address, JSON.stringify(row)]))),
  )
  const addresses = new Set([...(first?.keys() ?? []), ...others.flatMap((each) => [...each.keys()])])
  return new Set([...addresses].filter((address) => others.some((each) => each.get(address) !== first?.get(address))))
}

/** Tokens whose risk may differ. */
const readExcused = async () => new Set([...(await readIdle()), ...(await readCheckedOtherwise())])

test('the rows do not depend on where the index stopped', async () => {
  for (const table of TABLES) {
    const [first, ...others] = await Promise.all(
      runs.map((run) => readRows(run, `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`)),
    )
    for (const other of others) expect([table, other]).toEqual([table, first])
    expect([table, (first ?? []).length > 0 || EMPTY.includes(table)]).toEqual([table, true])
  }
})

test('wallets have the same classes, and tokens the same top holders, though contracts were checked on the way', async () => {
  const { rows } = await (runs[1] as TestDatabase).pool.query<{ traps: number; early: number }>(
    `SELECT count(*) FILTER (WHERE NOT sellable)::int AS traps,
      count(*) FILTER (WHERE checked_block < (SELECT max(number) FROM block))::int AS early FROM token_safety`,
  )
  expect(rows[0]).toEqual({
    traps: expect.toSatisfy((count) => count > 0),
    early: expect.toSatisfy((count) => count > 10),
  })
  const shown = await Promise.all(
    runs.map(async (database) => {
      const graph = await openGraph(database)
      afterAll(() => graph.head.stop())
      const addresses = (
        await readRows(database, 'SELECT to_jsonb(t) AS row FROM token t WHERE indexed ORDER BY id')
      ).map(({ address }) => address)
      const { rows: classes } = await database.pool.query(
        'SELECT w.address, s.classification, s.classifications FROM wallet w JOIN wallet_score s ON s.wallet_id = w.id ORDER BY w.id',
      )
      const holders: unknown[] = []
      for (const address of addresses) {
        const { data } = await graph.execute(TOKEN_PROFILE, { address }, SOMEBODY)
        holders.push((data as { answer: Row }).answer.top_holders)
      }
      return { classes, holders }
    }),
  )
  expect(shown[0]?.classes.length).toBeGreaterThan(700)
  expect(shown[1]).toEqual(shown[0])
})

test('a token is the same wherever the index stopped, except for the named values of its last scoring', async () => {
  const excused = await readExcused()
  const tokens = await Promise.all(
    runs.map((run) => readRows(run, `SELECT to_jsonb(t) - 'updated_block' AS row FROM token t ORDER BY id`)),
  )
  const scores = await Promise.all(
    runs.map((run) =>
      readRows(
        run,
        `SELECT to_jsonb(s) || jsonb_build_object('address', t.address) AS row FROM token_score s JOIN token t ON t.id = s.token_id ORDER BY s.token_id`,
      ),
    ),
  )
  const keyOf = (row: Row) => String(row.address)
  const found = [...differencesOf(tokens, keyOf), ...differencesOf(scores, keyOf)]
  const unexpected = found.filter(
    ({ key, name }) => !OF_SCORING.includes(name) && !(OF_IDLE.includes(name) && excused.has(key)),
  )
  expect(unexpected).toEqual([])
})

test('answers are the same, byte for byte, except for the named values of the last scoring', async () => {
  const excused = await readExcused()
  const addresses = async (table: string) =>
    (
      await readRows(runs[0] as TestDatabase, `SELECT to_jsonb(t) AS row FROM ${table} t WHERE indexed ORDER BY id`)
    ).map(({ address }) => address as string)
  const [tokens, wallets] = await Promise.all([addresses('token'), addresses('wallet')])
  const questions: [document: string, variables: Row][] = [
    ...wallets.flatMap((address) => [WALLET_PROFILE, WALLET_SCORE].map((each) => [each, { address }] as [string, Row])),
    ...tokens.flatMap((address) => [TOKEN_PROFILE, TOKEN_SCORE].map((each) => [each, { address }] as [string, Row])),
    ...['trending', 'newest', 'liquidity', 'volume'].map((sort) => [TOKENS, { sort, limit: 200 }] as [string, Row]),
    ...[1, 2, 27].map((page) => [EVENTS, { page, limit: 200 }] as [string, Row]),
    ...wallets.slice(0, 40).map((address) => [WALLET_EVENTS, { address, limit: 200 }] as [string, Row]),
  ]
  const answers = await Promise.all(
    runs.map(async (database) => {
      const graph = await openGraph(database)
      afterAll(() => graph.head.stop())
      const ask = async (document: string, variables: Row): Promise<string> => {
        const { data } = await graph.execute(document, variables, SOMEBODY)
        const { answer } = data as { answer: Row }
        if ('avg_reputation_top10' in ((answer.top_holder_summary ?? {}) as Row)) {
          delete answer.updated_at
          delete (answer.top_holder_summary as Row).avg_reputation_top10
        }
        for (const item of [answer, ...((answer.data ?? []) as Row[])]) {
          for (const name of OF_CHECK_ANSWER) delete item[name]
          if (item.verdict) item.verdict = atAnyCheck(item.verdict as Row)
          if (excused.has(item.address ?? variables.address)) for (const name of OF_IDLE_ANSWER) delete item[name]
        }
        return JSON.stringify([variables, answer])
      }
      const texts: string[] = []
      // Answers of a group share their statements.
      for (let at = 0; at < questions.length; at += GROUP)
        texts.push(...(await Promise.all(questions.slice(at, at + GROUP).map((question) => ask(...question)))))
      return texts
    }),
  )
  const [first, ...others] = answers
  expect(first?.length).toBeGreaterThan(900)
  for (const other of others) expect(other.filter((text, at) => text !== first?.[at])).toEqual([])
})
