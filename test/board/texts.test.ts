// Finding tokens by their texts costs no more than its bound, however many names share a part.
import { describe, expect, it } from 'vitest'
import { createTexts, MATCH, MOST_CANDIDATES } from '../../src/board/texts.ts'

const COUNT = MOST_CANDIDATES + 500

function alike() {
  const texts = createTexts()
  for (let row = 0; row < COUNT; row += 1) texts.set(row, 'moon', `moon ${row}`)
  return texts
}

function rowsOf(ask: (found: (row: number) => void) => void): number[] {
  const rows: number[] = []
  ask((row) => rows.push(row))
  return rows
}

describe('the texts of the tokens', () => {
  it('report at most so many rows for a part that all share', () => {
    expect(rowsOf((found) => alike().find('moon', found))).toHaveLength(MOST_CANDIDATES)
  })

  it('compare at most so many texts letter by letter for a mistyped word', () => {
    expect(rowsOf((found) => alike().resemble('moom', 1, found))).toHaveLength(MOST_CANDIDATES)
  })

  it('look at most so many symbols up that share a skeleton', () => {
    const rows = rowsOf((found) => alike().lookalikes(new Set(['moon', 'rnoon']), found))
    expect(rows.length).toBeLessThanOrEqual(MOST_CANDIDATES)
    expect(rows.length).toBeGreaterThan(0)
  })

  it('find the one row that has a part, and how well it matches', () => {
    const texts = createTexts()
    texts.set(3, 'otter', 'otter network')
    texts.set(4, 'ion', 'the ion')
    const matches: [number, number][] = []
    texts.find('net', (row, match) => matches.push([row, match]))
    texts.find('ion', (row, match) => matches.push([row, match]))
    expect(matches).toEqual([
      [3, MATCH.word],
      [4, MATCH.symbol],
    ])
  })
})
