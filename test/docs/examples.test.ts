// Every command and snippet of the pages but README.md runs, and every block of all pages is well formed.
// `npm run -s docs` puts today's answers into the pages.
import { expect, test } from 'vitest'
import { answersOf, holdExamples, strayRefusals } from './hold.ts'
import { readPages } from './pages.ts'
import { isMarked, runBlocks, strayBlocks } from './script.ts'
import { layOut, UNSEEN } from './shape.ts'

/** Blocks that cannot run in a test: they install, need a network, a proxy or labelled data, or measure for minutes. */
const MOST_MARKED = 30

const pages = readPages()
holdExamples(pages.filter((page) => page.path !== 'README.md' && runBlocks(page).length > 0))

test('a block runs, or names the reason why it does not run here', () => {
  expect(pages.flatMap((page) => strayBlocks(page).map(({ line }) => `${page.path}:${line}`))).toEqual([])
  const marked = pages.flatMap(({ blocks }) => blocks.filter(isMarked))
  expect(marked.length).toBeLessThanOrEqual(MOST_MARKED)
})

test('no answer on a page is an error, but where the page shows a refusal', () => {
  expect(pages.flatMap(strayRefusals)).toEqual([])
})

test('every JSON block of the pages is valid JSON', () => {
  for (const { path, blocks } of pages) {
    for (const { language, text, line } of blocks) {
      if (language === 'json') expect(() => JSON.parse(text), `${path}:${line}`).not.toThrow()
    }
  }
})

test('no page holds a character that cannot be seen, and answers are laid out with such escaped', () => {
  for (const { path, text } of pages) expect([path, text.replaceAll('\n', '').match(UNSEEN)]).toEqual([path, null])
  const symbol = 'a\u202e\u007f\u2028\u{e0041}"'
  expect(layOut({ symbol })).toBe('{ "symbol": "a\\u202e\\u007f\\u2028\\udb40\\udc41\\"" }')
  expect(JSON.parse(layOut({ symbol }))).toEqual({ symbol })
})

test('an answer stands right after the block that asks for it', () => {
  const wrong = pages.flatMap((page) =>
    answersOf(page).flatMap(({ shown, asked }) =>
      runBlocks(page).includes(asked) ? [] : [`${page.path}:${shown.line}`],
    ),
  )
  expect(wrong).toEqual([])
})
