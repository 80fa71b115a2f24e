// The questions of examples/analytics over the demo, and the dashboard that asks them.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createSql } from '../../src/sql/sql.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { makeFolder } from '../support/folder.ts'
import { PATIENT_LIMITS } from '../support/sql.ts'

const FOLDER = new URL('../../examples/analytics/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8')
const questions = readdirSync(new URL('questions', FOLDER)).map((name) => ({ name, text: read(`questions/${name}`) }))
/** Without its title, which is a comment. */
const statementOf = (text: string) => text.replace(/^--.*\n/, '').trim()

interface Panel {
  title: string
  targets: { url_options: { data: string }; columns: { selector: string }[] }[]
}
const { panels } = JSON.parse(read('grafana/dashboard.json')) as { panels: Panel[] }

const deps = { database: await createStoppedDemo(), folder: makeFolder('sql'), clock: systemClock }
const sql = createSql(deps, PATIENT_LIMITS)
afterAll(() => sql.stop())

test.each(questions)('the question $name has an answer, with the columns of its panel', async ({ text }) => {
  const title = /^-- (.+)\n/.exec(text)?.[1]
  const panel = panels.find((each) => each.title === title)
  expect(panel, title).toBeDefined()
  const [target] = panel?.targets ?? []
  expect(JSON.parse(target?.url_options.data ?? '{}')).toEqual({ query: statementOf(text) })
  const { columns, rows } = await sql.run(1, statementOf(text))
  expect(rows.length).toBeGreaterThan(0)
  expect(target?.columns.map(({ selector }) => selector)).toEqual(columns.map(({ name }) => name))
})

test('each panel asks one of the questions', () => {
  const titles = questions.map(({ text }) => /^-- (.+)\n/.exec(text)?.[1])
  expect(panels.map(({ title }) => title).sort()).toEqual(titles.sort())
})
