// The walks of docs/architecture.md: each function that a row names is declared in the row's file.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TITLE = '\n## From a due row to its end\n'

test('each function that a walk from a due row names is declared in the file of its row', () => {
  const [, section = ''] = readFileSync(`${ROOT}/docs/architecture.md`, 'utf8').split(TITLE)
  const [walks = ''] = section.split('\n## ')
  const rows = [...walks.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| `(src\/[^`]+)` \|/gm)]
  expect(rows.length).toBeGreaterThan(20)
  const missing = rows.flatMap(([, names = '', file = '']) => {
    const code = readFileSync(`${ROOT}/${file}`, 'utf8')
    return [...names.matchAll(/\w+/g)]
      .map(([name]) => name)
      .filter((name) => !new RegExp(`^(export )?(async )?(function|const) ${name}\\b`, 'm').test(code))
      .map((name) => `${file} has no ${name}`)
  })
  expect(missing).toEqual([])
})
