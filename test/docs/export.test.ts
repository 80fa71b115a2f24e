// docs/export.md lists the columns of every exported table, and its query runs.
// `npm run -s docs` writes the lists.
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { COLUMN_TYPES } from '../../src/export/column.ts'
import { TABLE_NAMES } from '../../src/export/table.ts'
import { TABLES } from '../../src/export/tables.ts'
import { holdPage, ROOT } from './pages.ts'

const PATH = 'docs/export.md'
const START = '## Columns\n'

const LISTS = TABLE_NAMES.map((name) => {
  const rows = TABLES[name].columns.map(
    ({ name, type, unit, meaning }) => `| \`${name}\` | ${COLUMN_TYPES[type]} | ${unit} | ${meaning} |`,
  )
  return [`### ${name}`, '', '| Column | Type | Unit | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}).join('\n\n')

test('docs/export.md lists every column with its type, its unit and its meaning', () => {
  const text = readFileSync(`${ROOT}/${PATH}`, 'utf8')
  const [before = '', section = ''] = text.split(START)
  const [intro = ''] = section.split('\n### ')
  holdPage(PATH, `${before}${START}${intro.trimEnd()}\n\n${LISTS}\n`)
})
