// docs/rest.md has a row for each number of src/fields that tokens of REST have, and for each of its filters.
// `UPDATE_DOCS=1 npx vitest run --mode rest test/docs/fields.test.ts` writes missing rows.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toSnake } from '../../src/fields/field.ts'
import { CONDITION_ROWS, type ConditionRow, SHOWN_NUMBERS } from '../../src/fields/token.ts'
import { ROOT, sectionOf } from './pages.ts'

const PATH = `${ROOT}/docs/rest.md`
const FIELDS = '### Token fields'
const FILTERS = '### GET /v1/tokens'

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')

const typeOf = (row: ConditionRow): string => {
  if (row.is !== 'least' && row.is !== 'most') return row.is === 'yes' ? 'true or false' : 'words'
  const kind = row.whole ? 'integer' : 'number'
  if (row.max !== undefined) return `${kind}, ${row.min ?? 0}-${row.max}`
  return row.min === undefined ? kind : `${kind} >= ${row.min}`
}

/** The row of each name, the section that has it, and the row that it precedes. */
const WANTED = [
  ...SHOWN_NUMBERS.filter(([, { rest }]) => rest).map(([name, { type, unit, text }]) => ({
    name: toSnake(name),
    section: FIELDS,
    before: '| `unknown` |',
    row: `| \`${toSnake(name)}\` | ${type === 'Int' ? 'integer' : 'number'}, ${unit} | ${lower(text)} |`,
  })),
  ...CONDITION_ROWS.filter(([, row]) => row.for === 'all').map(([name, row]) => ({
    name: toSnake(name),
    section: FILTERS,
    before: '| `addresses` |',
    row: `| \`${toSnake(name)}\` | ${typeOf(row)} | ${lower(row.text)} |`,
  })),
]

test('docs/rest.md has a row for each number and filter of tokens', () => {
  const text = readFileSync(PATH, 'utf8')
  const missing = WANTED.filter(({ name, section }) => !sectionOf(text, section).includes(`\`${name}\``))
  const wanted = missing.reduce((page, { section, before, row }) => {
    const start = page.indexOf(`\n${section}\n`)
    const at = page.indexOf(before, start)
    return `${page.slice(0, at)}${row}\n${page.slice(at)}`
  }, text)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PATH, wanted)
  else expect(missing.map(({ name }) => name)).toEqual([])
})
