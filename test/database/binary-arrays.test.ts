import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cell, type Column, type ColumnType, rowsOf, toArrays } from '../../src/database/binary-arrays.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

/** Sends the cells and reads them back as text. */
async function read(type: ColumnType, cells: readonly Cell[], cast = ''): Promise<(string | null)[]> {
  const columns: Column<Cell>[] = [['cell', type, (cell) => cell]]
  const text = `SELECT v.cell${cast}::text AS cell FROM ${rowsOf(columns)} v`
  return (await database.pool.query<{ cell: string | null }>(text, toArrays(columns, cells))).rows.map(
    ({ cell }) => cell,
  )
}

/** The text that the cells should read back as. */
const texts = (cells: readonly Cell[]) => cells.map((cell) => (cell === null ? null : String(cell)))

const cells: { [type in 'integer' | 'bigint' | 'smallint' | 'boolean' | 'numeric']: fc.Arbitrary<Cell> } = {
  integer: fc.integer(),
  bigint: fc.maxSafeInteger(),
  smallint: fc.integer({ min: -32_768, max: 32_767 }),
  boolean: fc.boolean(),
  numeric: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
}

test.each(Object.entries(cells))('a column of %s arrives as it was sent', async (type, cell) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(cell)), async (list) => {
      expect(await read(type as ColumnType, list)).toEqual(texts(list))
    }),
    { numRuns: 50 },
  )
})

test('doubles arrive exactly, except for the sign of zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.double())), async (list) => {
      const back = (await read('double', list)).map((text) => (text === null ? null : Number(text)))
      expect(back).toEqual(list.map((value) => (value === null ? null : value + 0)))
    }),
    { numRuns: 50 },
  )
})

test('texts arrive as they were sent, whatever they contain', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (list) => {
      expect(await read('text', list)).toEqual(list)
    }),
    { numRuns: 50 },
  )
})

test('times are sent as seconds since 1970, before and after the year 2000', async () => {
  const times = [0, 1, 946_684_799, 946_684_800, 1_700_000_000, 4_102_444_800, null]
  expect(await read('time', times)).toEqual([
    '1970-01-01 00:00:00+00',
    '1970-01-01 00:00:01+00',
    '1999-12-31 23:59:59+00',
    '2000-01-01 00:00:00+00',
    '2023-11-14 22:13:20+00',
    '2100-01-01 00:00:00+00',
    null,
  ])
})

test('hashes are sent as 32 bytes', async () => {
  const hashes = [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, `0x${'0123456789abcdef'.repeat(4)}`]
  expect(await read('hash', hashes)).toEqual(hashes.map((hash) => `\\x${hash.slice(2)}`))
})

test('lists of numbers arrive as they were sent', async () => {
  expect(await read('integers', [[], [1], [-1, 2, 3]], '::integer[]')).toEqual(['{}', '{1}', '{-1,2,3}'])
  const doubles = [[], [0.1, 1e300, 5e-324]]
  expect(await read('doubles', doubles, '::double precision[]')).toEqual(['{}', '{0.1,1e+300,5e-324}'])
})

test('half a surrogate pair is sent as the replacement character', async () => {
  expect(await read('text', ['a\ud800', 'b'])).toEqual(['a\ufffd', 'b'])
})
