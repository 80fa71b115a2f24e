// The scores of the demo's tokens, one by one: a trader's rules for each kind of token, and the table of docs/scores.md.
// `npm run -s docs` writes the table anew.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReasonKind, RISK_FLAGS, type RiskFlag, type RiskLevel } from '../../src/base/vocabulary.ts'
import type { ArtifactName } from '../support/contracts/artifacts.ts'
import { checkDemo, createDemoDatabase, readDemoTruth } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import type { Story } from '../support/market/plan.ts'
import { TRAPS } from '../support/market/traps.ts'
import { holdPage, ROOT } from './pages.ts'

interface Row {
  address: string
  symbol: string
  ageHours: number
  riskScore: number
  riskLevel: RiskLevel
  riskFlags: RiskFlag[]
  aiSummary: string
  powers: { renounced: boolean }[] | null
  score: {
    confidence: string
    explanation: {
      base: number
      pullChance30dPct: number | null
      dimensions: { inputs: { name: string; value: number | null }[] }[]
      floors: { finding: string }[]
      reasons: { kind: ReasonKind; text: string; points: number }[]
    }
  }
}

const PAGE = 'docs/scores.md'
const HEAD = '| Token | What it is | Score | First reason | In its favour |\n|---|---|---|---|---|\n'

/** What the makers of the demo did, in the words of the table, and the levels that a trader signs. */
const KINDS: Readonly<Record<Story, readonly [words: string, levels: readonly RiskLevel[]]>> = {
  grower: ['grew for weeks', ['low']],
  steady: ['trades steadily', ['low', 'medium', 'high']],
  slow_dump: ['its holders sold for weeks', ['medium']],
  wash: ['wallets trade it with themselves', ['critical']],
  concentrated: ['few own most of it', ['high', 'critical']],
  sybil: ['linked wallets bought it', ['medium', 'high']],
  smart_exit: ['wallets with a good record sold it', ['medium', 'high']],
  thin: ['its pool is tiny', ['high', 'critical']],
  rug: ['its liquidity was pulled', ['critical']],
  unconfirmed: ['its pool is of an unknown factory', []],
  spam: ['was sent to strangers', []],
}
const CONTRACTS: Partial<Readonly<Record<ArtifactName, readonly [words: string, levels: readonly RiskLevel[]]>>> = {
  gateToken: ['its owner stopped sales', ['critical']],
  risingFeeToken: ['its owner raised the tax to 99 %', ['critical']],
  graspingToken: ['its owner took tokens of holders', ['critical']],
  emptiedToken: ['its owner emptied balances', ['critical']],
  pausableToken: ['its owner can pause transfers', ['medium']],
  mintableToken: ['its owner can mint', ['medium']],
}
const BASE_ASSET = ['pays for others', ['low']] as const

const truth = new Map(readDemoTruth().tokens.map((token) => [token.address, token]))
function kindOf({ address, symbol }: Row): readonly [words: string, levels: readonly RiskLevel[]] {
  const known = truth.get(address)
  if (!known) return BASE_ASSET
  const trap = TRAPS.find(({ plan }) => plan.symbol === symbol)
  return (trap && CONTRACTS[trap.contract]) || KINDS[known.story]
}

const inputOf = ({ score }: Row, name: string) =>
  score.explanation.dimensions.flatMap(({ inputs }) => inputs).find((input) => input.name === name)?.value

const QUERY = `{ tokens(orderBy: [{ field: risk_score, direction: asc }, { field: liquidity_usd }], first: 100) { total nodes {
  address symbol ageHours riskScore riskLevel riskFlags aiSummary powers { renounced }
  score { confidence explanation { base pullChance30dPct dimensions { inputs { name value } } floors { finding }
    reasons { kind text points } } } } } }`

describe('of the demo', () => {
  let rows: Row[]
  let stop = () => {}
  beforeAll(async () => {
    const database = await createDemoDatabase()
    await checkDemo(database)
    const graph = await openGraph(database)
    stop = graph.head.stop
    const { data } = await graph.execute(QUERY, {}, SOMEBODY)
    const { tokens } = data as { tokens: { total: number; nodes: Row[] } }
    expect(tokens.nodes).toHaveLength(tokens.total)
    rows = tokens.nodes
  })
  afterAll(() => stop())

  test('each token has a level that a trader signs for what its makers did', () => {
    expect(rows.length).toBeGreaterThan(50)
    const wrong = rows.filter((row) => !kindOf(row)[1].includes(row.riskLevel))
    expect(wrong.map((row) => [row.symbol, kindOf(row)[0], row.riskLevel, row.riskScore])).toEqual([])
  })

  test('no token of low risk is young, of low confidence, in one hand, in the power of an owner or likely to be pulled', () => {
    const low = rows.filter(({ address, riskLevel }) => truth.has(address) && riskLevel === 'low')
    expect(low.length).toBeGreaterThan(20)
    for (const row of low) {
      const { confidence, explanation } = row.score
      expect(row.ageHours, row.symbol).toBeGreaterThanOrEqual(24)
      expect(['medium', 'high'], row.symbol).toContain(confidence)
      expect(inputOf(row, 'exitShare'), row.symbol).toBeLessThanOrEqual(0.5)
      expect(row.powers?.filter(({ renounced }) => !renounced) ?? [], row.symbol).toEqual([])
      expect(explanation.pullChance30dPct, row.symbol).toBeLessThan(10)
      expect([...row.riskFlags, ...explanation.floors], row.symbol).toEqual([])
    }
  })

  test('reasons add up to the score, dangers come first and none of them lowers it, and no fact is told twice', () => {
    for (const { symbol, riskScore, score } of rows) {
      const { base, reasons } = score.explanation
      const cents = reasons.reduce((sum, { points }) => sum + Math.round(100 * points), Math.round(100 * base))
      expect(cents, symbol).toBe(Math.round(100 * riskScore))
      const kinds = reasons.map(({ kind }) => kind)
      expect(kinds.lastIndexOf('danger'), symbol).toBe(kinds.filter((kind) => kind === 'danger').length - 1)
      for (const { kind, points, text } of reasons)
        if (kind === 'danger') expect(points, `${symbol}: ${text}`).toBeGreaterThanOrEqual(0)
      const texts = reasons.map(({ text }) => text)
      expect(new Set(texts).size, symbol).toBe(texts.length)
      for (const word of ['can withdraw', 'wash', 'pulled within', 'supply', 'trades by'])
        expect(texts.filter((text) => text.includes(word)).length, `${symbol}: ${word}`).toBeLessThanOrEqual(1)
    }
  })

  test('a summary has at most three sentences, no points, and nothing twice', () => {
    for (const { symbol, aiSummary } of rows) {
      expect((aiSummary.match(/\.(?= [A-Z]|$)/g) ?? []).length, aiSummary).toBeLessThanOrEqual(3)
      expect(aiSummary, symbol).not.toMatch(/(^|[ (])[+-]\d/)
      for (const word of ['can withdraw', ' wash ', 'pulled', 'contract', 'trades by'])
        expect(aiSummary.split(word).length - 1, aiSummary).toBeLessThanOrEqual(1)
    }
  })

  test('the table of docs/scores.md has the scores and first reasons of today', () => {
    const text = readFileSync(`${ROOT}/${PAGE}`, 'utf8')
    const at = text.indexOf(HEAD)
    expect(at).toBeGreaterThan(0)
    const end = text.indexOf('\n\n', at)
    const table = HEAD + rows.map(tellRow).join('\n')
    holdPage(PAGE, text.slice(0, at) + table + text.slice(end))
  })
})

/** Symbols are written by strangers. */
const cleanCell = (text: string): string => text.replace(/[^\w ]/g, '') || 'no name'

function tellReason({ kind, text, points }: Row['score']['explanation']['reasons'][number]): string {
  const said = `${text} (${points > 0 ? '+' : ''}${points})`
  return kind === 'danger' ? `**${said}**` : said
}

function tellRow(row: Row): string {
  const { confidence, explanation } = row.score
  const flags = RISK_FLAGS.filter((flag) => row.riskFlags.includes(flag)).map((flag) => `\`${flag}\``)
  const [first] = explanation.reasons
  const comfort = explanation.reasons.find(({ kind, text }) => kind === 'comfort' && text !== first?.text)
  const reasons = [first, comfort].map((reason) => (reason ? tellReason(reason) : ''))
  const score = `${row.riskScore} ${row.riskLevel}, ${confidence} confidence`
  return `| ${cleanCell(row.symbol)} | ${[kindOf(row)[0], ...flags].join(', ')} | ${score} | ${reasons.join(' | ')} |`
}
