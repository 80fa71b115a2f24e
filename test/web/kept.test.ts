// Choices that the browser keeps: what a stranger or an older page stored does no harm.
import { expect, test } from 'vitest'
import { needTrades, readColumns } from '../../web/src/kept/columns.ts'
import { keep, MOST_STORED, type Shelf } from '../../web/src/kept/keep.ts'
import { toFile, withFile } from '../../web/src/kept/lists-file.ts'
import { MOST_SCREENS, readScreens } from '../../web/src/kept/screens.ts'
import { MOST_WATCHED, readWatchlist, toggled } from '../../web/src/kept/watchlist.ts'

/** A storage of one browser, in memory. */
function createShelf(stored: Record<string, string> = {}): Shelf & { texts: Map<string, string> } {
  const texts = new Map(Object.entries(stored))
  return {
    texts,
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  }
}

const readWord = (stored: unknown): string => (stored === 'red' || stored === 'blue' ? stored : 'none')

test('a choice is stored as JSON and read again, and the default is not stored', () => {
  const shelf = createShelf()
  keep('colour', readWord, shelf).set('red')
  expect(shelf.texts.get('colour')).toBe('"red"')
  const again = keep('colour', readWord, shelf)
  expect(again.now.value).toBe('red')
  again.set('none')
  expect([again.now.value, shelf.texts.size]).toEqual(['none', 0])
})

test.each(['', '{', '"green"', 'null', '{"__proto__":1}', `"${'a'.repeat(MOST_STORED)}"`])(
  'the stored text %.20s is no choice',
  (text) => {
    expect(keep('colour', readWord, createShelf({ colour: text })).now.value).toBe('none')
  },
)

test('a choice lasts as long as the page where the browser forbids the storage', () => {
  const refuse = () => {
    throw new Error('forbidden')
  }
  for (const shelf of [null, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
    const colour = keep('colour', readWord, shelf)
    expect(colour.now.value).toBe('none')
    colour.set('blue')
    expect(colour.now.value).toBe('blue')
  }
})

test('columns are known names in the order of the page, and none is the default', () => {
  expect(readColumns(['age', 'price', '<img>', 5, 'age'])).toEqual(['price', 'age'])
  for (const stored of [undefined, null, 'price', {}, [], ['toString']]) expect(readColumns(stored)).toBeNull()
  expect([needTrades(null), needTrades(['price']), needTrades(['price', 'buys'])]).toEqual([false, false, true])
})

const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`

test('a watchlist has addresses alone, each once, and at most a hundred', () => {
  expect(readWatchlist([address(10).toUpperCase().replace('0X', '0x'), address(10), 'javascript:1', 7, null])).toEqual([
    address(10),
  ])
  for (const stored of [undefined, {}, 'x', { length: 5 }]) expect(readWatchlist(stored)).toEqual([])
  const full = readWatchlist(Array.from({ length: 200 }, (_, n) => address(n)))
  expect(full).toHaveLength(MOST_WATCHED)
  expect(toggled(full, address(500))).toEqual(full)
  expect(toggled(full, address(0))).toHaveLength(MOST_WATCHED - 1)
  expect(toggled([address(1)], address(2))).toEqual([address(2), address(1)])
})

test('a saved list keeps the words that the page knows, and leads nowhere else', () => {
  const stored = [
    { name: ' Quiet\u202e ', address: '/?sort=liquidity&max_risk_score=29&page=4&window=h1&evil=1&exclude_flags=x' },
    { name: 'Elsewhere', address: 'https://example.com/?sort=age' },
    { name: 'Script', address: 'javascript:alert(1)' },
    { name: 'Other page', address: '/wallets?sort=swaps' },
    { name: '', address: '/' },
    { name: 'Long', address: `/?q=${'a'.repeat(2_000)}` },
    { name: 'Quiet\ufffd', address: '/' },
    ...[null, 5, 'x', [], { name: 7, address: '/' }],
  ]
  expect(readScreens(stored)).toEqual([
    { name: 'Quiet\ufffd', address: '/?sort=liquidity&window=h1&max_risk_score=29' },
  ])
  const many = Array.from({ length: 99 }, (_, n) => ({ name: `n${n}`, address: '/' }))
  expect(readScreens(many)).toHaveLength(MOST_SCREENS)
  expect(readScreens('no')).toEqual([])
})

test('lists go to a file and come back, behind those that are there', () => {
  const own = { watchlist: [address(1)], screens: [{ name: 'Mine', address: '/?sort=age' }] }
  const file = toFile({ watchlist: [address(2), address(1)], screens: [{ name: 'Mine', address: '/' }] })
  expect(withFile(own, file)).toEqual({ ...own, watchlist: [address(1), address(2)] })
  expect(withFile({ watchlist: [], screens: [] }, toFile(own))).toEqual(own)
  for (const text of ['', 'null', '[]', '{}', '{"watchlist":"0x"}', '"x"', 'a'.repeat(MOST_STORED + 1)])
    expect(withFile(own, text)).toBeNull()
})
