// The demo chain as labelled data: how well scores, flags and classes separate its frauds from its honest users. The
// minimums are the values measured when they were written, rounded down, so that a regression is noticed. If a change
// improves the held-out real pools, those decide.
import { beforeAll, describe, expect, test } from 'vitest'
import { areaUnderCurve, judgeFlag } from '../../research/statistics/metrics.ts'
import { RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { WALLET_SCORE_COLUMNS } from '../../src/ledger/read/wallet.ts'
import { REPUTATION_CUTS } from '../../src/scoring/weights.ts'
import type { TestDatabase } from '../support/database.ts'
import { createStoppedDemo, readDaysBefore, readDemoTruth } from '../support/demo.ts'
import type { Role } from '../support/market/cast.ts'
import type { Story } from '../support/market/plan.ts'
import { TRAPS } from '../support/market/traps.ts'

interface TokenRow {
  address: string
  risk_score: number
  risk_flags: string[]
}
interface WalletRow {
  address: string
  reputation_score: number
  classification: string
  exit_count: number
}

const truth = readDemoTruth()
const HONEST: readonly Story[] = ['grower', 'steady']
/** Their contracts are traps, and they trade like honest tokens. */
const TRAP_SYMBOLS: ReadonlySet<string> = new Set(TRAPS.map(({ plan }) => plan.symbol))
const addressesOf = (stories: readonly Story[]): Set<string> =>
  new Set(truth.tokens.filter(({ story }) => stories.includes(story)).map(({ address }) => address))
/** A reputation is judged from this many exits on. */
const MIN_EXITS = 5

describe('the evaluation on the demo chain does not regress:', () => {
  let database: TestDatabase
  /** The tokens as they were 24 h before liquidity first left each rug. */
  const dayBefore = new Map<string, TokenRow[]>()
  let tokens: TokenRow[]
  let wallets: WalletRow[]

  beforeAll(async () => {
    database = await createStoppedDemo()
    for (const [rug, head] of readDaysBefore()) {
      const { rows } = await database.pool.query<TokenRow>('SELECT * FROM stood WHERE head = $1', [head])
      dayBefore.set(rug, rows)
    }
    const told = await database.pool.query<TokenRow>('SELECT address, risk_score, risk_flags FROM token WHERE indexed')
    tokens = told.rows
    const { rows } = await database.pool.query<WalletRow>(
      `SELECT w.address, s.reputation_score, w.exit_count, ${WALLET_SCORE_COLUMNS} FROM wallet w
       JOIN wallet_score s ON s.wallet_id = w.id WHERE w.kind = 'account'`,
    )
    wallets = rows
  })

  /** The AUC of the risk, bad tokens against honest ones. */
  const riskArea = (rows: readonly TokenRow[], bad: ReadonlySet<string>): number => {
    const honest = new Set(
      truth.tokens
        .filter((one) => HONEST.includes(one.story) && !TRAP_SYMBOLS.has(one.symbol))
        .map(({ address }) => address),
    )
    const cases = rows
      .filter(({ address }) => bad.has(address) || honest.has(address))
      .map(({ address, risk_score }) => ({ positive: bad.has(address), score: risk_score }))
    return areaUnderCurve(cases) ?? 0
  }

  test('24 h before their liquidity leaves, rugs have a higher risk than the honest tokens', () => {
    const areas = [...dayBefore].map(([rug, rows]) => riskArea(rows, new Set([rug])))
    expect(areas).toHaveLength(5)
    expect(areas.reduce((sum, area) => sum + area, 0) / areas.length).toBeGreaterThanOrEqual(0.93)
  })

  test.each<[readonly Story[], number]>([
    [['rug'], 1],
    // A slow dump has its liquidity burned: nobody can pull it, and the risk is mainly about that.
    [['rug', 'slow_dump'], 0.85],
    [['rug', 'slow_dump', 'sybil', 'concentrated', 'wash', 'smart_exit'], 0.9],
  ])('at the end, tokens of the kinds %j have a higher risk than honest ones (AUC >= %d)', (stories, floor) => {
    expect(riskArea(tokens, addressesOf(stories))).toBeGreaterThanOrEqual(floor)
  })

  test('a token that fell for a month is not of low risk at the end, though nobody can take its liquidity', () => {
    const fallen = tokens.filter(({ address }) => addressesOf(['slow_dump']).has(address))
    expect(fallen).toHaveLength(2)
    for (const { risk_score } of fallen) expect(risk_score).toBeGreaterThanOrEqual(30)
  })

  test.each(RISK_FLAGS)('the flag %s is on every token that deserves it, and on no other', (flag) => {
    const deserving = new Set(truth.tokens.filter(({ flags }) => flags.includes(flag)).map(({ address }) => address))
    const known = new Set(truth.tokens.map(({ address }) => address))
    const cases = tokens
      .filter(({ address }) => known.has(address))
      .map(({ address, risk_flags }) => ({ positive: deserving.has(address), flagged: risk_flags.includes(flag) }))
    expect(judgeFlag(cases)).toMatchObject({ precision: 1, recall: 1 })
  })

  test('skilled traders have a higher reputation than the crowd', () => {
    const smart = new Set(truth.wallets.smart_money)
    const others = new Set(Object.values(truth.wallets).flat())
    const cases = wallets
      .filter(({ address, exit_count }) => exit_count >= MIN_EXITS && (smart.has(address) || !others.has(address)))
      .map(({ address, reputation_score }) => ({ positive: smart.has(address), score: reputation_score }))
    expect(cases.length).toBeGreaterThan(90)
    expect(areaUnderCurve(cases)).toBeGreaterThanOrEqual(1)
  })

  test('whoever washes a token has a low reputation, whatever the trades with itself earned', () => {
    const washers = new Set(truth.wallets.washer)
    const found = wallets.filter(({ address }) => washers.has(address))
    expect(found).toHaveLength(4)
    for (const { reputation_score } of found) expect(reputation_score).toBeLessThan(REPUTATION_CUTS.low)
  })

  test.each<[Role, number, number]>([
    ['smart_money', 1, 1],
    ['sniper', 1, 1],
    ['bot', 1, 1],
    ['sybil', 1, 0.7],
  ])('the class %s keeps its precision (%d) and recall (%d)', (role, precision, recall) => {
    const members = new Set(truth.wallets[role])
    const cases = wallets.map(({ address, classification }) => ({
      positive: members.has(address),
      flagged: classification === role,
    }))
    const judged = judgeFlag(cases)
    expect(judged.precision).toBeGreaterThanOrEqual(precision)
    expect(judged.recall).toBeGreaterThanOrEqual(recall)
  })
})
