// A policy's conditions: one fails alone, and a fact that nobody knows is told apart from one that fails.
import { describe, expect, test } from 'vitest'
import { type MatchFacts, readMatchFact } from '../../src/alerts/match.ts'
import { toFlagBits } from '../../src/base/vocabulary.ts'
import { packMarks } from '../../src/fields/contract-marks.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { createJudge } from '../../src/gate/conditions.ts'

const CHECKED = { isChecked: true, sellable: true, sellTaxPct: 3, powers: ['mint'] as const, ownerChanged: false }
const facts: MatchFacts = {
  ...{ address: '0xa', liquidityUsd: 500, marketCapUsd: Number.NaN, riskScore: 40, ageHours: 2, holderGrowth1hPct: 0 },
  flagBits: toFlagBits(['wash_trading']),
  contractMarks: packMarks(CHECKED),
}
const judge = (filter: TokenFilter, marks = facts.contractMarks) =>
  createJudge(filter, readMatchFact)({ ...facts, contractMarks: marks }).map(({ name, isUnknown }) => [name, isUnknown])

describe('the conditions of a policy', () => {
  test('that hold are not told, and those that fail are, each alone', () => {
    expect(judge({ minLiquidityUsd: 500, maxRiskScore: 40, excludeFlags: ['sybil_cluster'], sellable: true })).toEqual(
      [],
    )
    expect(judge({ minLiquidityUsd: 501, maxRiskScore: 39, excludeFlags: ['wash_trading'], tokens: ['0xb'] })).toEqual(
      expect.arrayContaining(
        ['min_liquidity_usd', 'max_risk_score', 'exclude_flags', 'tokens'].map((of) => [of, false]),
      ),
    )
    expect(judge({ sellable: false, excludePowers: ['mint'], maxSellTaxPct: 2 })).toEqual(
      expect.arrayContaining(['sellable', 'exclude_powers', 'max_sell_tax_pct'].map((of) => [of, false])),
    )
  })

  test('on a fact that nobody knows are unknown, in either direction', () => {
    expect(judge({ maxMarketCapUsd: 1e9 })).toEqual([['max_market_cap_usd', true]])
    expect(judge({ minMarketCapUsd: 0 })).toEqual([['min_market_cap_usd', true]])
    for (const filter of [{ sellable: true }, { sellable: false }, { excludePowers: ['mint'] }, { maxSellTaxPct: 100 }])
      expect(judge(filter as TokenFilter, 0).map(([, isUnknown]) => isUnknown)).toEqual([true])
    expect(judge({ contractChecked: true }, 0)).toEqual([['contract_checked', false]])
  })
})
