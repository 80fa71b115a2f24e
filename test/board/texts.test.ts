// Finding tokens by their texts costs no more than its bound, however many names share a part.
import { describe, expect, it } from 'vitest'
import { ADDRESS_BYTES, createColumns } from '../../src/board/columns.ts'
import { searchTokens } from '../../src/board/search.ts'
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
    expect(rowsOf((found) => alike().match('moon', 'part', found))).toHaveLength(MOST_CANDIDATES)
  })

  it('report every row to a filter, whose total must be exact', () => {
    expect(rowsOf((found) => alike().find('moon', found))).toHaveLength(COUNT)
    expect(rowsOf((found) => alike().find('', found))).toHaveLength(COUNT)
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
    texts.match('net', 'part', (row, match) => matches.push([row, match]))
    texts.match('ion', 'whole', (row, match) => matches.push([row, match]))
    texts.match('ott', 'start', (row, match) => matches.push([row, match]))
    texts.match('net', 'whole', (row, match) => matches.push([row, match]))
    texts.matchAmong(Int32Array.of(4, 3, 9), 'ion', (row, match) => matches.push([row, match]))
    expect(matches).toEqual([
      [3, MATCH.word],
      [4, MATCH.symbol],
      [3, MATCH.symbolStart],
      [4, MATCH.symbol],
    ])
  })
})

describe('a search', () => {
  const columns = createColumns(COUNT + 2)
  for (let row = 0; row < COUNT + 2; row += 1) {
    columns.id[row] = row + 1
    columns.address[row * ADDRESS_BYTES + 19] = row & 0xff
    columns.address[row * ADDRESS_BYTES + 18] = row >>> 8
  }
  const search = (texts: ReturnType<typeof createTexts>, text: string, most = 3) => {
    const rows = Int32Array.from({ length: COUNT + 2 }, (_, row) => row)
    const byLiquidity = () =>
      rows.toSorted((a, b) => (columns.liquidityUsd[b] as number) - (columns.liquidityUsd[a] as number))
    return searchTokens({ columns, texts, startingWith: () => new Int32Array(0), byLiquidity }, text, most)
  }

  it('finds a whole symbol first, then a name, then a start, behind any number of older names with that part', () => {
    const texts = createTexts()
    for (let row = 0; row < COUNT - 1; row += 1) texts.set(row, 'x', `blue moon ${row}`)
    texts.set(COUNT - 1, 'moonlight', 'x')
    texts.set(COUNT, 'y', 'moon')
    texts.set(COUNT + 1, 'moon', 'y')
    expect(search(texts, 'MOON')).toEqual([COUNT + 2, COUNT + 1, COUNT])
    expect(search(texts, '$moon', 4)).toHaveLength(4)
  })

  it('finds the most liquid token of a symbol behind any number of older copies', () => {
    const texts = createTexts()
    for (let row = 0; row < COUNT + 2; row += 1) texts.set(row, 'moon', 'moon')
    columns.liquidityUsd[COUNT + 1] = 5
    columns.liquidityUsd[7] = 2
    expect(search(texts, 'moon', 2)).toEqual([COUNT + 2, 8])
  })
})
