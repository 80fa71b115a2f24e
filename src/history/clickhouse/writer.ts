// Writes segments of a history to ClickHouse. A segment has a number of its own, so what a killed writer leaves is not
// read. Rows are staged, compared with a second reading of the lines, and copied; the copies are compared with them.

import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { StartupError } from '../../base/errors.ts'
import { itemAt } from '../../base/item-at.ts'
import { keysOf } from '../../base/keys-of.ts'
import type { HistoryWriter, Segment } from '../history.ts'
import { ROW_TEXT, sumLines, toRowBinary } from './binary.ts'
import { type Connection, HistoryFault } from './connection.ts'
import { FORMAT, readMarkers, type TableNames } from './marker.ts'
import { CONTENTS_OF, columnsIn, creationOf, HISTORY_TABLES, markerCreation, READ_TABLES, segmentOf } from './tables.ts'

const ALL = keysOf(HISTORY_TABLES)
/** Segments have numbers that JSON has too. */
const MOST_NUMBER = 2 ** 48 - 1

type Read = (typeof READ_TABLES)[number]

export function createClickHouseWriter(connection: Connection, names: TableNames): HistoryWriter {
  const { run } = connection
  const drop = async (segment: string) => {
    for (const table of ALL) await run(`ALTER TABLE ${names.of(table)} DROP PARTITION ${segment}`)
  }
  /** Writes a new segment; drops it if the work fails. */
  const place = async (firstN: number, lastN: number, work: (segment: string) => Promise<void>) => {
    const segment = String(1 + randomInt(MOST_NUMBER - 1))
    try {
      await work(segment)
      return { name: `${firstN}-${lastN}-${segment}`, bytes: await sizeOf(connection, names, segment) }
    } catch (error) {
      await drop(segment).catch(() => {})
      throw error
    }
  }
  return {
    readMarker: async () => readMarkers(connection, names),
    makeMarker: async (id) => {
      await run(markerCreation(names.of('marker')))
      for (const table of ALL) await run(creationOf(table, names.of(table)))
      if ((await findSegments(connection, names)).size > 0)
        throw new StartupError('HISTORY_URL: the tables are not empty, and have no history: name another database.')
      if (!/^[0-9a-f-]{1,64}$/.test(id)) throw new TypeError('the identifier of a history is not one')
      await run(`INSERT INTO ${names.of('marker')} (format, id) VALUES (${FORMAT}, '${id}')`)
    },
    isOutdated: async () => false,
    requireSegment: async (name) => {
      const segment = segmentOf({ name })
      for (const table of READ_TABLES) {
        const [row] = await connection.ask(`SELECT count() AS rows FROM ${names.of(table)} WHERE segment = ${segment}`)
        if (!row?.rows)
          throw new StartupError(`HISTORY_URL lacks the segment ${name} in its table ${table}: restore it.`)
      }
    },
    sweep: async (known, before) => {
      const kept = new Set([...known].map((name) => segmentOf({ name })))
      for (const [segment, written] of await findSegments(connection, names))
        if (!kept.has(segment) && written < before) await drop(segment)
    },
    write: ({ firstN, lastN }, readLines) =>
      place(firstN, lastN, async (segment) => {
        await connection.insert(
          names.of('staged'),
          Readable.from(toRowBinary(segment, readLines()), { objectMode: false }),
        )
        await requireRange(connection, names, segment, { firstN, lastN })
        await requireLines(connection, names, segment, readLines())
        for (const table of READ_TABLES)
          await copy(connection, names, table, segment, CONTENTS_OF[table](names.of('staged'), segment))
        await run(`ALTER TABLE ${names.of('staged')} DROP PARTITION ${segment}`)
      }),
    merge: (segments) =>
      place(itemAt(segments, 0).firstN, itemAt(segments, segments.length - 1).lastN, (segment) =>
        mergeInto(connection, names, segment, segments),
      ),
    remove: (name) => drop(segmentOf({ name })),
    close: connection.close,
  }
}

async function mergeInto(connection: Connection, names: TableNames, segment: string, segments: readonly Segment[]) {
  const numbers = segments.map(segmentOf).join(', ')
  for (const table of READ_TABLES) {
    const columns = columnsIn(table).join(', ')
    const rows = `SELECT ${columns} FROM ${names.of(table)} WHERE segment IN (${numbers})`
    const select = `SELECT toUInt64(${segment}) AS segment, ${columns} FROM (${rows})`
    await copy(connection, names, table, segment, select)
    // One part is read faster than several.
    await connection.run(`OPTIMIZE TABLE ${names.of(table)} PARTITION ${segment} FINAL`)
  }
}

/** Fills a segment of a table, and compares its rows with the selected ones. */
async function copy(
  { run, ask }: Connection,
  names: TableNames,
  table: Read,
  segment: string,
  select: string,
): Promise<void> {
  const columns = ['segment', ...columnsIn(table)]
  const sums = (source: string) =>
    `SELECT count() AS rows, toString(sum(cityHash64(${columns.join(', ')}))) AS sum FROM ${source}`
  const name = names.of(table)
  await run(`INSERT INTO ${name} (${columns.join(', ')}) ${select}`)
  // The selected columns have the names and types of the table.
  const [wanted] = await ask(sums(`(${select})`))
  const [stored] = await ask(sums(`(SELECT ${columns.join(', ')} FROM ${name} WHERE segment = ${segment})`))
  if (wanted?.rows !== stored?.rows || wanted?.sum !== stored?.sum)
    throw new HistoryFault(`the table ${table} differs from the events that were written`)
}

async function requireRange(
  { ask }: Connection,
  names: TableNames,
  segment: string,
  { firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>,
): Promise<void> {
  const [row] = await ask(
    `SELECT uniqExact(n) AS ns, count() AS rows, min(n) AS least, max(n) AS most FROM ${names.of('staged')} WHERE segment = ${segment}`,
  )
  const wanted = lastN - firstN + 1
  if (row?.ns !== wanted || row.rows !== wanted || row.least !== firstN || row.most !== lastN)
    throw new HistoryFault(`the events ${firstN} to ${lastN} are not all there`)
}

/** Compares the hashes of stored rows with those of the database's rows. */
async function requireLines(
  { ask }: Connection,
  names: TableNames,
  segment: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const wanted = await sumLines(lines)
  const [stored] = await ask(
    `SELECT count() AS rows, toString(sum(halfMD5(${ROW_TEXT}))) AS sum FROM ${names.of('staged')} WHERE segment = ${segment}`,
  )
  if (wanted.rows !== stored?.rows || wanted.sum !== stored.sum)
    throw new HistoryFault('the table staged differs from the events of the database')
}

const partsOf = (names: TableNames) =>
  `system.parts WHERE active AND database = currentDatabase() AND table IN (${ALL.map((table) => `'${names.plain(table)}'`).join(', ')})`

/** The numbers of all segments in the tables, and when each was last written. */
async function findSegments({ ask }: Connection, names: TableNames): Promise<Map<string, Date>> {
  const rows = await ask(
    `SELECT partition, toUInt32(max(modification_time)) AS seconds FROM ${partsOf(names)} GROUP BY partition`,
  )
  return new Map(rows.map(({ partition, seconds }) => [String(partition), new Date(Number(seconds) * 1_000)]))
}

async function sizeOf({ ask }: Connection, names: TableNames, segment: string): Promise<number> {
  const [row] = await ask(`SELECT sum(bytes) AS bytes FROM ${partsOf(names)} AND partition = '${segment}'`)
  return Number(row?.bytes ?? 0)
}
