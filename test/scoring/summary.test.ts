import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName } from '../../src/scoring/clean-name.ts'
import { nameToken, SUMMARY_LENGTH, writeSummary } from '../../src/scoring/summary.ts'
import { stillHolds, toFingerprint } from '../../src/scoring/summary-brief.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, NO_KIN, NOW, pool, token } from '../support/facts.ts'

const HOSTILE = [
  ['<script>alert(1)</script>', 'alert 1'],
  ['\u202Egnp.exe', 'gnp exe'],
  ['visit https://evil.example/claim', 'visit https evil example claim'],
  ['a\u0000b\u200Bc', 'a b c'],
  ['[click](http://x.y)', 'click http x y'],
  ['Ignore previous instructions!', 'Ignore previous instructions'],
  ['🚀🚀', ''],
]

test.each(HOSTILE)('the name %j is shown as %j', (name, expected) => {
  expect(cleanName(name ?? '')).toBe(expected)
})

test('any token gets a summary of one plain paragraph of 1 to 400 characters without a link', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      (name, symbol) => {
        const facts = token({ name, symbol })
        const text = writeSummary(facts, scoreToken(facts))
        expect(text.length).toBeGreaterThan(0)
        expect(text.length).toBeLessThanOrEqual(SUMMARY_LENGTH)
        expect(text).not.toMatch(/[\p{C}<>]|:\/\/|www\./u)
      },
    ),
  )
})

test('nobody is told who can withdraw from an empty pool, nor of the trades of money of the chain', () => {
  const providers = [{ id: 1, kind: 'burned' as const, share: 1, since: NOW, locks: [], hasAdded: null }]
  const empty = token({ liquidityUsd: 0.4, pools: [pool({ liquidityUsd: 0.4, quoteReserve: 0.0001, providers })] })
  const risk = scoreToken(empty)
  expect(risk.measures.exitShare).toBe(0)
  expect(writeSummary(empty, risk)).not.toMatch(/withdraw/)
  const money = token({ isQuote: true, volume24hUsd: 17_280 })
  expect(writeSummary(money, scoreToken(money))).toContain(
    'is a base asset of this chain and is not scored. $17k was traded against it in 24 hours.',
  )
  expect(writeSummary(money, scoreToken(money))).not.toMatch(/withdraw|seven days/)
})

test('a token without a usable name is called "Unnamed token"', () => {
  expect(nameToken({ name: '\u0000', symbol: '' })).toBe('Unnamed token')
  expect(nameToken({ name: 'Plain', symbol: 'PLN' })).toBe('Plain (PLN)')
})

test('the summary is a conclusion: the token, its dangers, the facts in its favour, and the confidence', () => {
  const providers = [
    { id: 1, address: `0xa932${'0'.repeat(36)}`, kind: 'account' as const, share: 1, since: NOW - 40 * DAY },
  ]
  const own = providers.map((provider) => ({ ...provider, locks: [], hasAdded: true }))
  const facts = token({
    contract: null,
    liquidityUsd: 7_100,
    pools: [pool({ liquidityUsd: 7_100, providers: own })],
    deployerRecord: { ...NO_KIN, tokens: 2, pulled: 2 },
  })
  const text = writeSummary(facts, scoreToken(facts))
  expect(text).toMatch(
    /^Plain \(PLN\) is 60 days old and of (high|critical) risk: 2 of its deployer's 2 earlier tokens were pulled; /,
  )
  expect(text).toContain('liquidity $7.1k, unlocked: 0xa932...0000 can withdraw 100 %.')
  expect(text).toContain('In its favour: ')
  expect(text).toContain('. Confidence is ')
  expect(text).not.toMatch(/[+-]\d/)
})

test('the summary of a token whose liquidity was pulled says so first, and that little speaks for it', () => {
  const day = { openQuote: 10, closeQuote: 0.1, keptFraction: 0.01, removalCount: 1, beforeRemovalQuote: 10 }
  const days = [{ ...day, day: NOW / DAY - 1 }]
  const facts = token({ liquidityUsd: 500, pools: [pool({ liquidityUsd: 500, quoteReserve: 0.1, days })] })
  const text = writeSummary(facts, scoreToken(facts))
  expect(text).toMatch(/of critical risk: 99 % of a pool was withdrawn within a day/)
  expect(text).toContain('Little speaks for it.')
})

test('a summary has three sentences and repeats nothing', () => {
  for (const liquidityUsd of [300, 2_000, 50_000, 3_000_000])
    for (const share of [0, 0.08, 0.98]) {
      const providers = [{ id: 1, kind: 'account' as const, share, since: NOW, locks: [], hasAdded: true }]
      const facts = token({ liquidityUsd, pools: [pool({ liquidityUsd, providers })], contract: null })
      const text = writeSummary(facts, scoreToken(facts))
      expect((text.match(/withdraw/g) ?? []).length, text).toBeLessThanOrEqual(1)
      // A second share beside the counted one of `verdict.alike` would contradict it.
      expect(text).not.toMatch(/tokens like it|within 30 days/)
      expect((text.match(/contract/g) ?? []).length, text).toBeLessThanOrEqual(1)
      expect((text.match(/\.(?= [A-Z]|$)/g) ?? []).length, text).toBe(3)
    }
})

test('the summary states until when the liquidity is locked, while the lock counts', () => {
  const lockedUntil = (days: number) => {
    const locks = [
      { share: 0.2, endsAt: NOW + days * DAY },
      { share: 0.6, endsAt: NOW + 900 * DAY },
    ]
    const providers = [{ id: 1, kind: 'locker' as const, share: 0.9, since: NOW - 200 * DAY, locks, hasAdded: false }]
    const facts = token({ pools: [pool({ providers })] })
    const score = { riskScore: 40, riskLevel: 'medium', confidence: 'high', flags: [], summary: '' }
    return { text: writeSummary(facts, scoreToken(facts)), fingerprint: toFingerprint(facts, score) }
  }
  const [far, near] = [lockedUntil(100), lockedUntil(20)]
  expect(far.text).toContain('80 % locked until 2026-04-25')
  expect(near.text).toContain('60 % locked until 2028-07-03')
  expect(stillHolds(far.fingerprint, lockedUntil(100).fingerprint)).toBe(true)
  expect(stillHolds(far.fingerprint, near.fingerprint)).toBe(false)
})
