// The pages read in one go: short lines, paragraphs, cells and sentences, and no phrase without a noun.
import { describe, expect, test } from 'vitest'
import { findFaults, sentencesOf } from '../support/sentences.ts'
import { type Page, readPages } from './pages.ts'

const LONGEST_LINE = 120
const LONGEST_PARAGRAPH = 5
const MOST_WORDS_OF_CELL = 25

interface Line {
  text: string
  /** From 1. */
  number: number
}

const isTable = ({ text }: Line) => text.trimStart().startsWith('|')
const isProse = (line: Line) => line.text.trim() !== '' && !isTable(line) && !/^\s*(#|<|>)/.test(line.text)
const startsItem = ({ text }: Line) => /^\s*([-*]|\d+\.)\s/.test(text)

describe.each(readPages().map((page) => [page.path, page] as const))('%s', (_, page) => {
  const lines = linesOf(page)

  test('has lines of prose of at most 120 characters', () => {
    const long = lines.filter((line) => isProse(line) && line.text.length > LONGEST_LINE)
    expect(long.map(({ number }) => number)).toEqual([])
  })

  test('has paragraphs of at most five lines', () => {
    const long = paragraphsOf(lines).filter((paragraph) => paragraph.length > LONGEST_PARAGRAPH)
    expect(long.map(([first]) => first?.number)).toEqual([])
  })

  test('has table cells of at most 25 words, code not counted', () => {
    const wordsOf = (cell: string) => cell.replace(/`[^`]*`/g, 'code').split(/\s+/).length
    const long = lines.filter(
      (line) => isTable(line) && line.text.split('|').some((cell) => wordsOf(cell.trim()) > MOST_WORDS_OF_CELL),
    )
    expect(long.map(({ number }) => number)).toEqual([])
  })

  test('has sentences that read in one go', () => {
    const sentences = paragraphsOf(lines).flatMap(([first, ...rest]) =>
      first
        ? [
            ...sentencesOf(
              [first, ...rest].map(({ text }) => text.replace(/^\s*([-*]|\d+\.)\s/, '')).join(' '),
              first.number,
            ),
          ]
        : [],
    )
    expect(findFaults(sentences)).toEqual([])
  })
})

/** The lines outside of fenced blocks, with empty ones in their place. */
function linesOf({ text }: Page): Line[] {
  let fenced = false
  return text.split('\n').map((line, index) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) fenced = !fenced
    return { text: fenced || isFence ? '' : line, number: index + 1 }
  })
}

function paragraphsOf(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = []
  let open = false
  for (const line of lines) {
    if (!isProse(line)) open = false
    else if (!open || startsItem(line)) {
      paragraphs.push([line])
      open = true
    } else paragraphs.at(-1)?.push(line)
  }
  return paragraphs
}
