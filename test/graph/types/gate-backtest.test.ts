import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { createSweep } from '../../../src/alerts/sweep.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { packMarks } from '../../../src/fields/contract-marks.ts'
import { createAlertWorld } from '../../support/alerts.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { createServed } from '../../support/served.ts'

const SAVED = new URL('../../../examples/bot/saved.mjs', import.meta.url)

const database = await createTestDatabase()
const world = createAlertWorld(database)
const sweep = createSweep({ database, clock: systemClock, maxLag: 10 })
const HOUR = 3_600
const BEGIN = 489_000 * HOUR
const CHECKED = { isChecked: true, sellable: true, sellTaxPct: 0, powers: [], ownerChanged: false }
const fine = { contractMarks: packMarks(CHECKED), riskScore: 20, liquidityUsd: 100_000 }
const madeAt = (time: number) => ({ createdAt: time })

// Token 9 is older than the facts that are kept. The others are made within the first minute.
await world.block(1, BEGIN, { 9: { ...fine, ...madeAt(BEGIN - 2 * HOUR) } })
await sweep.run()
const made = madeAt(BEGIN + 60)
await world.block(2, BEGIN + 60, {
  1: { ...fine, ...made },
  2: { ...fine, ...made, riskScore: 80 },
  3: { ...fine, ...made, contractMarks: packMarks({ ...CHECKED, sellable: false }) },
  4: { ...fine, ...made, contractMarks: 0 },
  5: { ...fine, ...made },
  6: { ...fine, ...made },
})
await sweep.run()
// Before the hour is over token 5 is washed and token 6 pulled; after it token 1 becomes a risk.
await world.block(3, BEGIN + 1_800, {
  5: { ...fine, ...made, riskFlags: ['wash_trading'] },
  6: { ...fine, ...made, riskFlags: ['liquidity_pulled'] },
})
await sweep.run()
await world.block(4, BEGIN + 3 * HOUR, {
  1: { ...fine, ...made, riskScore: 99 },
  7: { ...fine, ...madeAt(BEGIN + 3 * HOUR) },
})
await sweep.run()
await world.query(`UPDATE token SET risk_flags = '{liquidity_pulled}' WHERE id IN (2, 3)`)

const graph = await openGraph(database)
const served = await createServed({ filled: database })
afterAll(() => graph.head.stop())
const COUNTS = '{ tokens blocked reviewed undecided }'
const ask = async (given = '') => {
  const query = `{ gateBacktest${given} { summary pulled ${COUNTS} others ${COUNTS} pulledBeforeCount tooYoungCount untested } }`
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
  return ((await graph.execute(query, {}, SOMEBODY)).data as any).gateBacktest
}

describe('the example that tells what the gate saved', () => {
  test('prints how many pulled tokens a policy would have blocked, and how many others', async () => {
    const { key } = await served.knock({ plan: 'api' })
    const run = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, [SAVED.pathname], {
        env: { ...process.env, ASSAY_URL: served.url, ASSAY_KEY: key, AGE_HOURS: '1', ...env },
      })
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return { said, code }
    }
    const { said, code } = await run({ RULES: 'risk_score@70:block' })
    expect(said.split('\n').slice(0, 2)).toEqual([
      'Asked at an age of 1 h, this policy would have blocked 2 of 2 (and held 0 for review) that were pulled,',
      'and 0 of 3 (and held 1 for review) that were not.',
    ])
    expect(said).toContain('Not tested: What nobody knew of the token')
    expect([code, (await run({ POLICY: 'none' })).code]).toEqual([0, 1])
  })
})

describe('a backtest of the gate', () => {
  test('asks about each new token at its age, and never calls one allowed', async () => {
    expect(await ask()).toMatchObject({
      pulled: { tokens: 2, blocked: 1, reviewed: 1, undecided: 0 },
      others: { tokens: 3, blocked: 0, reviewed: 1, undecided: 2 },
      pulledBeforeCount: 1,
      tooYoungCount: 1,
      summary:
        'Asked at an age of 1 h: of 2 that were pulled since, it blocks 1, reviews 1 and leaves 0 undecided; of 3 that were not, it blocks 0, reviews 1 and leaves 2 undecided.',
    })
  })

  test('holds rules on flags and on the score, and names the rules that it cannot test', async () => {
    const { pulled, others, untested } = await ask(
      '(rules: "risk_score@70:block,wash_trading:block,topic.owner@30:block,open_power:review")',
    )
    expect([pulled.blocked, others.blocked, others.reviewed, others.undecided]).toEqual([2, 1, 1, 1])
    expect(untested.slice(-2)).toEqual(['The rule topic.owner@30', 'The rule open_power'])
    expect(untested.length).toBeGreaterThan(3)
  })

  test('blocks past tokens outside of the conditions of a saved policy, unless a rule names the condition', async () => {
    const { accountId } = SOMEBODY
    await database.pool.query(`INSERT INTO account (id, email, mailbox, plan) OVERRIDING SYSTEM VALUE
      VALUES (${accountId}, 'a@b.example', 'a@b.example', 'api') ON CONFLICT DO NOTHING`)
    const save = (name: string, rules: string, conditions: string) =>
      graph.execute(
        `mutation { gatePolicyCreate(input: { name: "${name}", rules: "${rules}", conditions: ${conditions} }) { gatePolicy { name } } }`,
        {},
        SOMEBODY,
      )
    await save('deep', '', '{ minLiquidityUsd: 100001 }')
    await save('deep-review', 'min_liquidity_usd:review', '{ minLiquidityUsd: 100001 }')
    expect((await ask('(policy: "deep")')).others).toMatchObject({ tokens: 3, blocked: 3 })
    expect((await ask('(policy: "deep-review")')).others).toMatchObject({ blocked: 0, reviewed: 3 })
    await save('named', '', `{ tokens: ["0x${'77'.repeat(20)}"] }`)
    expect((await ask('(policy: "named")')).others).toMatchObject({ blocked: 3 })
    await expect(ask('(policy: "other")')).rejects.toThrow('saved policy: deep, deep-review, named')
  })

  test('takes an order into account, and another age', async () => {
    expect((await ask('(amountUsd: 5000)')).others).toMatchObject({ reviewed: 3, undecided: 0 })
    expect(await ask('(ageHours: 3)')).toMatchObject({ others: { tokens: 1 }, tooYoungCount: 7 })
    await expect(ask('(ageHours: 25)')).rejects.toThrow('ageHours must be an integer from 1 to 24')
    await expect(ask('(rules: "topic.nothing:block")')).rejects.toThrow('topic.WORD')
  })
})
