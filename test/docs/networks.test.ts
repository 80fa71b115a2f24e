// docs/networks.md says what the program does at each difference, at each fork, and at each guess of an engineer. Each row
// names its test, and that test exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT, readPage, sectionOf } from './pages.ts'

/** The rows of a table: the first cell, the file of the test, and the beginning of its title. */
function readRows(section: string) {
  return sectionOf(readPage('docs/networks.md').text, section)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => {
      const cells = line.slice(2).split(' | ')
      const [, file = '', title = ''] = /^`(test\/[\w./-]+\.test\.ts)`: (.*?) \|$/.exec(cells.at(-1) ?? '') ?? []
      return { about: cells[0], file, title }
    })
}

test.each([
  ['## Guesses and answers', 30],
  ['## By difference', 20],
  ['## Forks to come', 5],
])('each row of "%s" names a test that holds the program to it', (section, least) => {
  const rows = readRows(section)
  expect(rows.length).toBeGreaterThanOrEqual(least)
  expect(new Set(rows.map(({ about }) => about)).size).toBe(rows.length)
  const missing = rows.filter(({ file, title }) => {
    if (file === '' || title === '' || !existsSync(`${ROOT}/${file}`)) return true
    // The title of a test stands in quotes and goes on, or ends, after these words.
    return !new RegExp(`['"\`]${quoted(title)}`).test(readFileSync(`${ROOT}/${file}`, 'utf8'))
  })
  expect(missing).toEqual([])
})

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
