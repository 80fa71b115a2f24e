// docs/networks.md answers what an engineer guesses of these networks. Each answer names its test, and that test exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT, readPage } from './pages.ts'

const SECTION = /## Guesses and answers\n(.*?)\n## /s

/** The rows of the table: the guess, the answer, the file of the test, and the beginning of its title. */
function readRows() {
  const [, section = ''] = SECTION.exec(readPage('docs/networks.md').text) ?? []
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Guess'))
    .map((line) => {
      const [guess = '', answer = '', named = ''] = line
        .split(' | ')
        .map((cell, at) => (at === 0 ? cell.slice(2) : cell))
      const [, file = '', title = ''] = /^`(test\/[\w./-]+\.test\.ts)`: (.*?) \|$/.exec(named) ?? []
      return { guess, answer, file, title }
    })
}

test('thirty guesses have an answer, and a test that holds the program to it', () => {
  const rows = readRows()
  expect(rows.length).toBeGreaterThanOrEqual(30)
  expect(new Set(rows.map(({ guess }) => guess)).size).toBe(rows.length)
  const missing = rows.filter(({ file, title }) => {
    if (file === '' || title === '' || !existsSync(`${ROOT}/${file}`)) return true
    // The title of a test stands in quotes and goes on, or ends, after these words.
    return !new RegExp(`['"\`]${quoted(title)}`).test(readFileSync(`${ROOT}/${file}`, 'utf8'))
  })
  expect(missing).toEqual([])
})

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
