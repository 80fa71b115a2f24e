// An answer is a function of the request and its block. The demo chain indexed in one go and with stops on the way
// gives the same rows and the same answers, byte for byte. `docs/rest.md` names the exceptions, the values of a token's
// last scoring.
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
const OF_IDLE_ANSWER = ['risk_score', 'ai_summary', 'reasons', 'contributions']
const IDLE_DAYS = 7
/** Questions that are asked together. */
const GROUP = 25

/**
 * Each of the runs indexes the whole chain, and answers a thousand requests; a busy machine takes three times as long
 * as a quiet one.
 */
const INDEX_MS = 180_000

let runs: TestDatabase[] = []

beforeAll(async () => {
  const [straight, stopped] = [await createDemoDatabase(), await createStoppedDemo()]
  await checkDemo(straight)
  runs = [straight, stopped]
}, INDEX_MS)

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

test('the rows do not depend on where the index stopped', async () => {
  for (const table of TABLES) {
    const [first, ...others] = await Promise.all(
      runs.map((run) => readRows(run, `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`)),
    )
    for (const other of others) expect([table, other]).toEqual([table, first])
    expect([table, (first ?? []).length > 0 || EMPTY.includes(table)]).toEqual([table, true])
  }
})

test('a token is the same wherever the index stopped, except for the named values of its last scoring', async () => {
  const idle = await readIdle()
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
    ({ key, name }) => !OF_SCORING.includes(name) && !(OF_IDLE.includes(name) && idle.has(key)),
  )
  expect(unexpected).toEqual([])
})

test(
  'answers are the same, byte for byte, except for the named values of the last scoring',
  async () => {
    const idle = await readIdle()
    const addresses = async (table: string) =>
      (
        await readRows(runs[0] as TestDatabase, `SELECT to_jsonb(t) AS row FROM ${table} t WHERE indexed ORDER BY id`)
      ).map(({ address }) => address as string)
    const [tokens, wallets] = await Promise.all([addresses('token'), addresses('wallet')])
    const questions: [document: string, variables: Row][] = [
      ...wallets.flatMap((address) =>
        [WALLET_PROFILE, WALLET_SCORE].map((each) => [each, { address }] as [string, Row]),
      ),
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
          for (const item of [answer, ...((answer.data ?? []) as Row[])])
            if (idle.has(item.address ?? variables.address)) for (const name of OF_IDLE_ANSWER) delete item[name]
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
  },
  INDEX_MS,
)
