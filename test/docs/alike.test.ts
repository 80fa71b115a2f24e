// The table that opens docs/accuracy.md has what the API says of tokens like one. `npm run -s docs` writes it anew.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RISK_LEVELS } from '../../src/base/vocabulary.ts'
import counted from '../../src/verdict/alike.json' with { type: 'json' }
import { type AlikeCount, type AlikeCounts, toAlike } from '../../src/verdict/alike.ts'
import { toPercent } from '../../src/words/numbers.ts'
import { holdPage, ROOT } from './pages.ts'

const PATH = 'docs/accuracy.md'
const HEAD = '| Chain | Judged at | low | medium | high | critical |\n|---|---|---|---|---|---|\n'
const { chains, others }: AlikeCounts = counted
const MARKETS: [string, readonly AlikeCount[]][] = [
  ['Ethereum', chains['1'] ?? []],
  ['Polygon', chains['137'] ?? []],
  ['any other: all markets', others],
]

function toCell(count: AlikeCount | undefined): string {
  if (!count || count.tokens === 0) return '-'
  const { tokens, share, from, to, proven } = toAlike(count)
  const interval = `${Math.floor(100 * from)}-${Math.ceil(100 * to)}`
  return proven ? `**${toPercent(share)}** (${interval}; ${tokens})` : `unproven (${interval}; ${tokens})`
}

const rows = MARKETS.flatMap(([name, counts]) =>
  [...new Set(counts.map(({ ageHours }) => ageHours))].map((age) => {
    const cells = RISK_LEVELS.map((level) => toCell(counts.find((it) => it.ageHours === age && it.level === level)))
    return `| ${[name, `${age} h`, ...cells].join(' | ')} |\n`
  }),
)

test('docs/accuracy.md opens with the share of each level, age and market that was pulled', () => {
  const text = readFileSync(`${ROOT}/${PATH}`, 'utf8')
  const start = text.indexOf(HEAD)
  const end = text.indexOf('\n\n', start) + 1
  expect(rows.length).toBe(9)
  const wanted = text.slice(0, start) + HEAD + rows.join('') + text.slice(end)
  holdPage(PATH, wanted)
  expect(text.indexOf('\n## ')).toBeGreaterThan(start)
})
