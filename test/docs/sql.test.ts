// docs/sql.md names the views, the types of their columns, and the bounds.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COLUMN_TYPES, type ExportColumnType } from '../../src/export/column.ts'
import { TABLE_NAMES } from '../../src/export/table.ts'
import { SQL_LIMITS } from '../../src/sql/limits.ts'
import { SNAPSHOT_LIMITS } from '../../src/sql/snapshot.ts'
import { SQL_TYPES } from '../../src/sql/views.ts'
import { ROOT } from './pages.ts'

const text = readFileSync(`${ROOT}/docs/sql.md`, 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('| '))
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

test('docs/sql.md lists every view, and the type of every kind of column', () => {
  for (const name of TABLE_NAMES) expect(rows.some((row) => row.startsWith(`| \`${name}\` |`))).toBe(true)
  for (const [kind, type] of Object.entries(SQL_TYPES)) {
    const row = rows.find((line) => cellsOf(line)[1] === COLUMN_TYPES[kind as ExportColumnType])
    expect(cellsOf(row ?? '')[2]?.split(',')[0]).toBe(`\`${type}\``)
  }
})

test('docs/sql.md has the bounds of the code', () => {
  const of = (name: string) =>
    cellsOf(rows.find((row) => new RegExp(`^${name}\\b`).test(cellsOf(row)[1] ?? '')) ?? '')[2]
  const n = (value: number) => value.toLocaleString('en')
  expect(of('characters')).toBe(n(SQL_LIMITS.text))
  expect(of('time of a query')).toBe(`${SQL_LIMITS.withinMs / 1_000} s, then \`400\``)
  expect(of('time to wait')).toBe(`${SQL_LIMITS.waitWithinMs / 1_000} s, then \`503\``)
  expect(of('columns')).toBe(n(SQL_LIMITS.columns))
  expect(of('memory')).toMatch(`${n(SQL_LIMITS.memoryMb)} MB`)
  expect(of('disk')).toBe(`${n(SQL_LIMITS.spillMb)} MB`)
  expect(of('rows')).toBe(n(SQL_LIMITS.rows))
  expect(of('bytes')).toMatch(`${SQL_LIMITS.bytes / 2 ** 20} MiB`)
  expect(of('queries at a time')).toMatch(String(SQL_LIMITS.running))
  expect(of('queries of an account')).toBe(String(SQL_LIMITS.ofAccount))
  expect(of('queries of all')).toBe(String(SQL_LIMITS.ofAll))
  expect(text).toContain(`the newest ${n(SNAPSHOT_LIMITS.mostRows)} rows`)
})
