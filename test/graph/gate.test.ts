// The gate over REST, on the demo chain with whole contract checks. It decides by the newest facts, asks for a check where
// the newest one is too old, and signs.
import { beforeEach, describe, expect, test } from 'vitest'
import { KEYS_PATH, readSigned } from '../../src/gate/sign.ts'
import { SECONDS_A_BLOCK } from '../../src/ledger/lag.ts'
import { createDemoDatabase, readDemoTruth } from '../support/demo.ts'
import { untilThere } from '../support/patience.ts'
import { storeReport } from '../support/safety-report.ts'
import { createServed } from '../support/served.ts'
import { checkWhole, settleScores, type WholeCheck } from '../support/whole-checks.ts'

const database = await createDemoDatabase()
const { pool } = database
const checked = await checkWhole(database)
const served = await createServed({ filled: database })
/** Servers that have not read the state of the index yet, which each keeps for some seconds. */
const unasked = [await served.another(), await served.another(), await served.another()]
const settle = () => settleScores(database)

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (token: string, query = ''): Promise<any> => (await served.ask(`/gate?token=${token}${query}`)).json

const symbolOf = (wanted: string): WholeCheck => {
  const found = checked.find(({ symbol }) => symbol === wanted)
  if (!found) throw new Error(`the demo has no ${wanted}`)
  return found
}
const LARK = symbolOf('LARK')
const headTime = async (): Promise<number> =>
  (await pool.query<{ time: number }>(`SELECT date_part('epoch', max(time)) AS time FROM block`)).rows[0]?.time ?? 0

beforeEach(async () => {
  await pool.query('TRUNCATE safety_due')
  await pool.query('UPDATE chain SET checks_off = NULL')
  await storeReport(pool, LARK.id, LARK.report)
  await settle()
})

describe('the gate', () => {
  test('allows no trap and no rug of the demo, and allows most of the others', async () => {
    const decisions = new Map<string, string>()
    for (const { address, symbol } of checked) decisions.set(symbol, (await ask(address, '&amount_usd=50')).decision)
    const bad = ['LURE', 'MAW', 'GHOST', 'GRASP', 'RUGD']
    expect(bad.map((symbol) => decisions.get(symbol))).toEqual(bad.map(() => 'block'))
    const rugs = new Set(readDemoTruth().tokens.flatMap(({ story, address }) => (story === 'rug' ? [address] : [])))
    for (const { address, symbol } of checked)
      if (rugs.has(address)) expect([symbol, decisions.get(symbol)]).not.toEqual([symbol, 'allow'])
    const allowed = [...decisions.values()].filter((decision) => decision === 'allow')
    expect(allowed.length).toBeGreaterThan(checked.length / 2)
  })

  test('signs what it answers, with the block, and nobody else can', async () => {
    const answer = await ask(symbolOf('LURE').address)
    const { keys } = await (await fetch(`${served.url}${KEYS_PATH}`)).json()
    const { time, calls, reasons, block, ...signed } = readSigned(answer.signed, keys) as Record<string, unknown>
    expect(signed).toMatchObject({ decision: 'block', token: answer.token, action: 'buy', amountUsd: null, rules: {} })
    expect({ time, block, calls, reasons }).toEqual({
      time: answer.timestamp,
      block: answer.block_number,
      calls: answer.calls,
      reasons: answer.reasons,
    })
    expect(answer.calls).not.toEqual([])
    const { rows } = await pool.query('SELECT hash FROM block WHERE number = $1', [answer.block_number])
    expect(signed.blockHash).toBe(rows[0]?.hash)
  })

  test('has a stale check made anew, and reviews where there is none', async () => {
    const now = await headTime()
    const age = async () => {
      await storeReport(pool, LARK.id, { ...LARK.report, checkedAt: now - 7_200 })
      await settle()
    }
    await age()
    await pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
    expect(await ask(LARK.address)).toMatchObject({
      decision: 'review',
      missing: ['A recent check of its contract'],
      ages: [{ fact: 'index' }, { fact: 'score' }, { fact: 'check', seconds: 7_200 }],
    })
    await pool.query('UPDATE chain SET checks_off = NULL')
    const asked = ask(LARK.address)
    await untilThere(
      async () => (await pool.query('SELECT FROM safety_due WHERE asked_at IS NOT NULL')).rows.length === 1,
      () => 'nobody asked for a check',
    )
    await storeReport(pool, LARK.id, LARK.report)
    await settle()
    expect(await asked).toMatchObject({ decision: 'allow', missing: [] })
  })

  test.each([
    [
      'waits',
      `UPDATE chain SET waits = '{"kind":"provider_fails","sentence":"it waits","since":"2026-01-01T00:00:00Z","block":null}'`,
    ],
    ['has heard nothing', `UPDATE chain SET updated_at = '2020-01-01'`],
    [
      'is more than a minute behind',
      `UPDATE chain SET source_head = source_head + greatest(11, ceil(70 / ${SECONDS_A_BLOCK}))`,
    ],
  ])('allows nothing while the index %s', async (_, statement) => {
    await pool.query(statement)
    const { json } = (await unasked.pop()?.ask(`/gate?token=${LARK.address}`)) ?? { json: {} }
    const { decision, missing } = json
    await pool.query('UPDATE chain SET source_head = (SELECT max(number) FROM block)')
    expect([decision, missing.length]).toEqual(['review', 1])
  })

  test('follows the policy, the size of the order and rules of the caller', async () => {
    const { address } = symbolOf('BREW')
    const decide = async (query: string) => (await ask(address, query)).decision
    expect([
      await decide(''),
      await decide('&rules=open_power:allow'),
      await decide('&rules=open_power:block'),
    ]).toEqual([...['review', 'allow', 'block']])
    expect([await decide('&rules=open_power:allow&amount_usd=1e9')]).toEqual(['review'])
    expect((await ask(symbolOf('LURE').address, '&rules=cannot_sell:allow,sellable:allow')).decision).toBe('block')
  })

  test.each([
    ['&amount_usd=0', 'amount_usd', 'must be a number above 0'],
    ['&amount_usd=many', 'amount_usd', 'must be a number >= 0'],
    ['&policy=mild', 'policy', 'must be standard, strict or the name of a saved policy; you have saved none'],
    ['&action=sell', 'action', 'must be one of buy'],
    [
      '&rules=open_power',
      'rules',
      'must each be a finding, topic.WORD or kind.WORD, from a severity as @30, and one of allow',
    ],
  ])('refuses %s with the field and what would be right', async (query, field, problem) => {
    const { status, json } = await served.ask(`/gate?token=${LARK.address}${query}`)
    expect([status, json.error.details[0].field]).toEqual([400, field])
    expect(json.error.details[0].message).toContain(problem)
  })

  test('knows nothing of a token that is not indexed', async () => {
    const { status, json } = await served.ask(`/gate?token=0x${'77'.repeat(20)}`)
    expect([status, json.error.message]).toEqual([404, 'This token is not indexed.'])
  })
})
