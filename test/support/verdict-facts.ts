// Random facts of tokens, as far as the verdict's laws depend on them, and the verdict on them.
import fc from 'fast-check'
import { CONTRACT_FINDINGS, type ContractFinding } from '../../src/base/vocabulary.ts'
import type { ContractFacts, TokenFacts } from '../../src/ledger/facts/facts.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { contractFacts, DAY, holder, NO_KIN, NOW, pool, swap, token } from './facts.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })

const STRENGTHS: Readonly<Partial<Record<ContractFinding, readonly number[]>>> = {
  cannot_sell: [50, 75, 95],
  balances_gone: [75, 95],
  new_buyers_refused: [0, 30, 64],
  few_buyers_sold: [0],
  run_of_buys: [0],
  open_power: [15, 30],
  high_tax: [50],
}

const power = (kind: 'pause' | 'mint' | 'take') => ({
  ...{ kind, function: 'f()', contract: '0x01', holder: null, holderKind: 'account' as const, renounced: false },
  ...{ delaySeconds: 0, hidden: false, proven: true, call: null },
})

const finding = fc
  .constantFrom(...CONTRACT_FINDINGS)
  .chain((name) => fc.constantFrom(...(STRENGTHS[name] ?? [55, 70, 85])).map((strength) => ({ name, strength })))

const contract: fc.Arbitrary<ContractFacts | null> = fc.option(
  fc
    .record({
      found: fc.uniqueArray(finding, { maxLength: 4, selector: ({ name }) => name }),
      status: fc.constantFrom('checked' as const, 'not_checked' as const),
      complete: fc.boolean(),
      method: fc.constantFrom('simulation' as const, 'transfer' as const),
      tried: fc.integer({ min: 0, max: 8 }),
      kind: fc.constantFrom('pause' as const, 'mint' as const, 'take' as const),
    })
    .map(({ found, status, complete, method, tried, kind }) => {
      const made = contractFacts(found.toSorted((a, b) => b.strength - a.strength))
      const isStuck = found.some(({ name }) => name === 'cannot_sell')
      const sellable = status === 'checked' ? !isStuck : null
      const numbers = {
        tried,
        blocked: isStuck ? tried : 0,
        pct: 60,
        asked: 10,
        differ: 9,
        buyers: 50,
        sold: 1,
        buys: 30,
      }
      return {
        ...made,
        complete: complete && status === 'checked',
        sellCheck: {
          ...made.sellCheck,
          status,
          sellable,
          method,
          holdersTried: tried,
          holdersBlocked: numbers.blocked,
        },
        findings: made.findings.map((one) => ({
          ...one,
          numbers,
          power: one.name.endsWith('_power') ? (power(kind) as never) : null,
        })),
      }
    }),
)

export const anyFacts: fc.Arbitrary<TokenFacts> = fc
  .record({
    liquidityUsd: fc.constantFrom(0, 0.4, 300, 5_000, 80_000, 3e6),
    free: share,
    isKnown: fc.boolean(),
    kept: fc.constantFrom(1, 0.5, 0.02),
    contract,
    previous: fc.option(
      fc.record({
        riskScore: fc.double({ min: 0, max: 100, noNaN: true }),
        heldUntil: fc.constantFrom(null, NOW + 300),
      }),
    ),
    record: fc.option(fc.record({ tokens: fc.constantFrom(0, 1, 7), pulled: fc.constantFrom(0, 1) })),
    ageDays: fc.constantFrom(0.1, 0.9, 3, 40, 300),
    trades: fc.constantFrom(0, 4, 60),
    isWashed: fc.boolean(),
    owner: share,
    isQuote: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
    isPriced: fc.boolean(),
  })
  .map((given) => {
    const since = NOW - 60 * DAY
    const { free, liquidityUsd, kept } = given
    const providers = [
      { id: 1, kind: 'account' as const, share: free, since, locks: [], hasAdded: true },
      { id: 2, kind: 'burned' as const, share: 1 - free, since, locks: [], hasAdded: false },
    ]
    const day = {
      ...{ day: NOW / DAY - 1, openQuote: 10, closeQuote: 10 * kept, keptFraction: kept },
      ...{ removalCount: kept < 1 ? 1 : 0, beforeRemovalQuote: 10 },
    }
    return token({
      liquidityUsd,
      isQuote: given.isQuote,
      createdAt: NOW - given.ageDays * DAY,
      firstLiquidityAt: NOW - given.ageDays * DAY,
      pools: [
        pool({ liquidityUsd, quoteReserve: 10 * kept, providers: given.isKnown ? providers : null, days: [day] }),
      ],
      holders: [holder(1, 0.7 * given.owner), holder(2, 0.1), holder(3, 0.05)],
      contract: given.contract,
      deployerRecord: given.record && {
        ...NO_KIN,
        ...given.record,
        pulled: Math.min(given.record.tokens, given.record.pulled),
      },
      previous: given.previous && { ...given.previous, time: NOW - 12 },
      swaps: Array.from({ length: given.trades }, (_, at) =>
        swap({
          walletId: given.isWashed ? 901 + (at % 2) : 901 + at,
          direction: at % 2 === 0 ? 'buy' : 'sell',
          time: NOW - 3 * 3_600 + at * 40,
          amountUsd: 500,
        }),
      ),
      swapCount: given.trades,
      ...(given.isPriced ? {} : { priceUsd: null }),
    })
  })

export const judge = (given: TokenFacts) => {
  const { riskScore, level, explanation } = scoreToken(given)
  const { headline, reasons, confidenceReasons } = explanation
  return { riskScore, level, headline, findings: reasons, gaps: confidenceReasons }
}

export const tellVerdict = ({ riskScore, headline, findings, gaps }: ReturnType<typeof judge>): string =>
  [
    riskScore,
    headline,
    ...findings.map(({ kind, name, severity, text }) => `${kind} ${name} ${severity} ${text}`),
    gaps,
  ].join(' | ')
