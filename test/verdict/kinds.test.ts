// A danger or a caution: what may happen is decided by how many labelled tokens with it were pulled.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NOT_JUDGED } from '../../src/verdict/finding.ts'
import { ROOT } from '../docs/pages.ts'
import { contractFacts, holder, NOW, pool, token } from '../support/facts.ts'
import { judge } from '../support/verdict-facts.ts'

/** More points of a hundred than this, and the fact is a danger by itself. */
const DANGER_FROM = 0.15

const kindOf = ({ findings }: ReturnType<typeof judge>, name: string) => findings.find((one) => one.name === name)?.kind

const exits = (share: number) => [
  { id: 1, kind: 'account' as const, share, since: NOW - 9e6, locks: [], hasAdded: true },
  { id: 2, kind: 'burned' as const, share: 1 - share, since: NOW - 9e6, locks: [], hasAdded: false },
]

test('a wallet that can withdraw most is a caution, for tokens with one are hardly pulled more often', () => {
  const page = readFileSync(`${ROOT}/docs/accuracy.md`, 'utf8')
  const [, table = ''] = page.split('| Tokens | Facts at | One wallet can | Nobody alone can |\n|---|---|---|---|\n')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
  const gaps = rows.map((row) => {
    const [, one = Number.NaN, none = Number.NaN] = [.../ (\.\d{3}) .* (\.\d{3}) /.exec(row)!].map(Number)
    return one - none
  })
  expect(gaps).toHaveLength(9)
  expect(Math.max(...gaps)).toBeLessThan(DANGER_FROM)
  const verdict = judge(token({ pools: [pool({ providers: exits(0.97) })], contract: contractFacts([]) }))
  expect(verdict.level).toBe('medium')
  expect(kindOf(verdict, 'one_wallet_can_withdraw')).toBe('caution')
  expect(verdict.headline).toBe('One wallet can take 97 % of the liquidity at any time.')
})

test('a power to mint that nobody used is a caution, and a mint after the launch is a danger', () => {
  const may = judge(token({ contract: contractFacts([{ name: 'open_power', strength: 30 }]) }))
  expect([may.level, kindOf(may, 'open_power')]).toEqual(['medium', 'caution'])
  const did = judge(token({ contract: contractFacts([{ name: 'late_mint', strength: 70 }]) }))
  expect([did.level, kindOf(did, 'late_mint')]).toEqual(['critical', 'danger'])
})

test('taken balances stand before every power, and no power is called absent beside them', () => {
  const contract = contractFacts([
    { name: 'balances_gone', strength: 95 },
    { name: 'open_power', strength: 30 },
  ])
  const verdict = judge(token({ contract }))
  expect(verdict.findings[0]?.name).toBe('balances_gone')
  expect(verdict.headline).toBe('Do not buy: what holders had was taken from them.')
  expect(verdict.findings.map(({ text }) => text).join(' ')).not.toMatch(/nobody was found|no power/i)
})

test('refused holders who bought within the hour are named with their block, as a danger', () => {
  const contract = contractFacts([{ name: 'new_buyers_refused', strength: 64 }])
  const [found] = contract.findings
  const numbers = { tried: 3, blocked: 3 }
  const verdict = judge(token({ contract: { ...contract, findings: [{ ...found!, numbers }] } }))
  expect(verdict.findings[0]).toMatchObject({
    ...{ kind: 'danger', name: 'new_buyers_refused' },
    text: '3 of 3 holders were refused at block 1,000; all bought within the hour',
  })
})

test('money of the chain has no level in words, and no danger', () => {
  const verdict = judge(token({ isQuote: true, pools: [pool({ providers: exits(1) })] }))
  expect(verdict.headline).toBe(NOT_JUDGED)
  expect(verdict.findings.filter(({ kind }) => kind === 'danger')).toEqual([])
})

test('the ten largest holders are told once, without the pool', () => {
  const holders = [
    { ...holder(90, 0.5), kind: 'pool' as const },
    ...Array.from({ length: 12 }, (_, at) => holder(at + 1, 0.03)),
  ]
  const { findings } = judge(token({ holders }))
  const told = findings.filter(({ text }) => /top \d+|largest/i.test(text))
  expect(told.map(({ text }) => text)).toEqual(['Top 10 holders (without pools): 30 %'])
})
