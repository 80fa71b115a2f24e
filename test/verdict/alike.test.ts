// What became of tokens like one, and its sentence.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeLevels } from '../../research/calibrate/merge-levels.ts'
import { RISK_LEVELS } from '../../src/base/vocabulary.ts'
import counted from '../../src/verdict/alike.json' with { type: 'json' }
import { type AlikeCounts, findAlike, intervalOf, toAlike, WIDEST_PROVEN } from '../../src/verdict/alike.ts'
import { tellAlike } from '../../src/verdict/tell-alike.ts'

const counts = fc.nat(2_000).chain((tokens) => fc.record({ tokens: fc.constant(tokens), pulled: fc.nat(tokens) }))

describe('the interval of a share', () => {
  // From tables of the score interval: 0 of 10, 5 of 10, 1 of 22.
  test.each([
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [1, 22, 0.008, 0.218],
  ])('of %i hits among %i is %f to %f', (hits, of, from, to) => {
    const interval = intervalOf(hits, of)
    expect([interval.from, interval.to].map((share) => Number(share.toFixed(3)))).toEqual([from, to])
  })

  test('contains the share, lies within 0 and 1, and narrows with more of the same', () => {
    fc.assert(
      fc.property(counts, ({ tokens, pulled }) => {
        const { from, to } = intervalOf(pulled, tokens)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(1)
        if (tokens === 0) return void expect([from, to]).toEqual([0, 1])
        expect(from).toBeLessThanOrEqual(pulled / tokens + 1e-12)
        expect(to).toBeGreaterThanOrEqual(pulled / tokens - 1e-12)
        const more = intervalOf(4 * pulled, 4 * tokens)
        expect(more.to - more.from).toBeLessThan(to - from)
      }),
    )
  })
})

test('a share whose interval is wider than 15 points is called unproven, and never a promise', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const alike = toAlike({ ...count, ageHours: 24 })
      expect(alike.proven).toBe(alike.to - alike.from <= WIDEST_PROVEN)
      expect(tellAlike(alike).startsWith('Unproven: ')).toBe(!alike.proven)
      // A share is in the sentence only with its interval beside it.
      expect(tellAlike(alike).replace('fell by 90 %', '').includes('%')).toBe(alike.proven)
    }),
  )
})

test.each([
  [
    { tokens: 412, pulled: 25, ageHours: 24 },
    'Of 412 tokens of this level at an age of 1 day, 6 % were pulled or fell by 90 % within 30 days (4 to 9 %)',
  ],
  [
    { tokens: 200, pulled: 0, ageHours: 72 },
    'Of 200 tokens of this level at an age of 3 days, none were pulled or fell by 90 % within 30 days (0 to 2 %)',
  ],
  [
    { tokens: 5, pulled: 1, ageHours: 1 },
    'Unproven: of only 5 tokens of this level at an age of 1 hour, 1 was pulled or fell by 90 % within 30 days',
  ],
  [
    { tokens: 1, pulled: 0, ageHours: 1 },
    'Unproven: of only 1 token of this level at an age of 1 hour, none was pulled or fell by 90 % within 30 days',
  ],
])('%j is told as: %s', (count, sentence) => {
  expect(tellAlike(toAlike(count))).toBe(sentence)
})

describe('tokens like one', () => {
  const all: AlikeCounts = {
    chains: { 137: [1, 24, 72].map((ageHours) => ({ ageHours, level: 'high', tokens: ageHours, pulled: 1 })) },
    others: [{ ageHours: 24, level: 'low', tokens: 0, pulled: 0 }],
  }

  test.each([
    [0, 1],
    [4, 1],
    [6, 24],
    [40, 24],
    [48, 72],
    [5_000, 72],
  ])('at %i hours are those that were judged at %i', (hours, judged) => {
    expect(findAlike(137, 'high', hours, all)?.ageHours).toBe(judged)
  })

  test('are nobody where no token of the level was labelled', () => {
    expect(findAlike(137, 'low', 24, all)).toBeNull()
    expect(findAlike(10, 'low', 24, all)).toBeNull()
  })

  test('of a chain without labels are those of all markets together', () => {
    const known = Object.values((counted as AlikeCounts).chains)
    expect(known.length).toBeGreaterThan(1)
    for (const level of RISK_LEVELS)
      expect(findAlike(31_337, level, 24)?.tokens ?? 0).toBeGreaterThanOrEqual(findAlike(1, level, 24)?.tokens ?? 0)
  })
})

test("folders of one market count once, and a chain has its newest market's counts", () => {
  const of = (source: string, market: string, chainId: number, tokens: number) => ({
    ...{ source, market, chainId },
    counts: [{ ageHours: 1, level: 'low', tokens, pulled: 1 }],
  })
  const { chains, others } = mergeLevels([
    of('new', 'new', 1, 5),
    of('old', 'old', 1, 7),
    of('p', 'p', 137, 11),
    of('strict', 'p', 137, 3),
  ])
  expect([chains['1']?.[0]?.tokens, chains['137']?.[0]?.tokens]).toEqual([5, 11])
  expect(others.find(({ level }) => level === 'low')).toEqual({ ageHours: 1, level: 'low', tokens: 23, pulled: 3 })
})
