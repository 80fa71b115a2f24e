// Reads events out of ClickHouse. Each order of events is a table, so that a page of a token or of a wallet is one read.
import type { HistoryMeeting, HistoryReader, HistorySwap, OldEvent, OldRange, Segment } from '../history.ts'
import { byChunk, chunksOf, isOneOf, numbersIn, segmentsAt, toInstant, whole } from '../numbers.ts'
import type { StoredRow } from './connection.ts'
import { createClickHouseStarts, pointersOf, type Select } from './starts.ts'
import { type HistoryTable, inSegments, READ_TABLES } from './tables.ts'

export interface StoredTables {
  ask(sql: string): Promise<StoredRow[]>
  /** The name of a table in SQL. */
  nameOf(table: HistoryTable): string
}

type Read = Omit<HistoryReader, 'requireId' | 'relateEvents'>

const FIELDS = `n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
  if(amount_micro < 0, amount_usd, amount_micro / 1e6) AS dollars, time, block_number, log_index, part, attribution`

export function createClickHouseReader({ ask, nameOf }: StoredTables): Read {
  // What follows the condition may have more clauses. By PREWHERE the other columns are read only where rows are found.
  const select: Select = async (table, segments, columns, where) =>
    segments.length === 0
      ? []
      : ask(`SELECT ${columns} FROM ${nameOf(table)} PREWHERE ${inSegments(segments)} AND ${where}`)
  const { findStarts, findNewest, findTypeRange } = createClickHouseStarts(select)
  const readNumbers = async (segments: readonly Segment[], ns: readonly number[]): Promise<OldEvent[]> => {
    const lists = byChunk(segments, ns).map(({ among, numbers }) => select('event', among, FIELDS, isOneOf(numbers)))
    return (await Promise.all(lists)).flat().map(toEvent)
  }
  const readRange = createRangeReader(select, findTypeRange)
  return {
    findStarts,
    readNumbers,
    readRanges: (segments, ranges) => Promise.all(ranges.map((range) => readRange(segments, range))),
    readHashes: async (segments, ns) => {
      const lists = byChunk(segments, ns).map(({ among, numbers }) =>
        select('event', among, 'n, hex(tx_hash) AS hash', isOneOf(numbers)),
      )
      return new Map((await Promise.all(lists)).flat().map(({ n, hash }) => [n as number, hash as string]))
    },
    ...createMeetings(select, findNewest),
    readSwapsAt: async (segments, { tokenIds, times }) => {
      const asked = segmentsAt(segments, times)
      if (asked.length === 0 || tokenIds.length === 0) return []
      const isIn = `time IN (${numbersIn(times)})`
      const [bounds] = await select('block', asked, 'min(first_n) AS least, max(last_n) AS most', isIn)
      const within = `n >= ${whole(Number(bounds?.least ?? 0))} AND n <= ${whole(Number(bounds?.most ?? 0))}`
      const rows = await select(
        'event',
        asked,
        FIELDS,
        `${within} AND ${isIn} AND token_id IN (${numbersIn(tokenIds)}) AND type = 1`,
      )
      return rows.map(toEvent)
    },
    readWalletNumbers: async (segments, walletId, ns) => {
      const isIn = `reader_id = ${whole(walletId)} AND received = 0 AND n IN (${numbersIn(ns)})`
      const rows = ns.length > 0 ? await select('wallet', segments, 'n, number', isIn) : []
      return new Map(rows.map(({ n, number }) => [n as number, number as number]))
    },
    readTraders: createTraderReader(select),
    isComplete: async (segment) => {
      const size = segment.lastN - segment.firstN + 1
      const counts = READ_TABLES.map(async (table) => {
        const columns = table === 'block' ? 'sum(last_n - first_n + 1) AS rows' : 'count() AS rows'
        const [row] = await select(table, [segment], columns, table === 'wallet' ? 'received = 0' : '1 = 1')
        return row?.rows
      })
      return (await Promise.all(counts)).every((rows) => rows === size)
    },
  }
}

type Starts = ReturnType<typeof createClickHouseStarts>

const newestFirst = (events: OldEvent[]): OldEvent[] => events.sort((a, b) => b.n - a.n)

function createRangeReader(select: Select, findTypeRange: Starts['findTypeRange']) {
  return async (segments: readonly Segment[], range: OldRange): Promise<OldEvent[]> => {
    const { of, type, above, below } = range
    if (above >= below || segments.length === 0) return []
    if (of === 'all') {
      const bounds = type === null ? { above, below } : await findTypeRange(segments, type, above, below)
      const asked = segments.filter(({ firstN, lastN }) => firstN <= bounds.below && lastN > bounds.above)
      const ofType =
        type === null ? '' : ` AND type = ${whole(type)} AND type_n > ${whole(above)} AND type_n <= ${whole(below)}`
      const within = `n > ${whole(bounds.above)} AND n <= ${whole(bounds.below)}${ofType}`
      return newestFirst((await select('event', asked, FIELDS, within)).map(toEvent))
    }
    const { table, column, where } = pointersOf(range)
    // A number among all events of an owner is at least that among its events of one type.
    const first = table === 'token' ? 'token_n' : 'number'
    const within = `${where} AND ${first} > ${whole(above)} AND ${column} > ${whole(above)} AND ${column} <= ${whole(below)}`
    return newestFirst((await select(table, segments, FIELDS, within)).map(toEvent))
  }
}

function createMeetings(
  select: Select,
  findNewest: Starts['findNewest'],
): Pick<Read, 'countMeetings' | 'readMeetings'> {
  const conditionOf = async (segments: readonly Segment[], meeting: HistoryMeeting): Promise<string> => {
    const { tokenId, walletId, type, since, until, after, upTo } = meeting
    const bound = async (sign: '>' | '<=', target: Parameters<Starts['findNewest']>[1] | null) =>
      target ? [`n ${sign} ${whole(await findNewest(segments, target))}`] : []
    const bounds = [bound('>', since), bound('>', after), bound('<=', until), bound('<=', upTo)]
    return [
      // A wallet that sends to itself has two rows.
      `reader_id = ${whole(walletId)} AND token_id = ${whole(tokenId)} AND NOT (received AND wallet_id = counterparty_id)`,
      ...(type === null ? [] : [`type = ${whole(type)}`]),
      ...(await Promise.all(bounds)).flat(),
    ].join(' AND ')
  }
  return {
    countMeetings: async (segments, meeting) => {
      const [row] = await select('wallet', segments, 'count() AS count', await conditionOf(segments, meeting))
      return Number(row?.count ?? 0)
    },
    readMeetings: async (segments, meeting, { offset, limit, oldestFirst }) => {
      if (limit <= 0) return []
      const page = `ORDER BY n ${oldestFirst ? 'ASC' : 'DESC'} LIMIT ${whole(offset)}, ${whole(limit)}`
      const rows = await select('wallet', segments, FIELDS, `${await conditionOf(segments, meeting)} ${page}`)
      return rows.map(toEvent)
    },
  }
}

function createTraderReader(select: Select): Read['readTraders'] {
  return async (segments, traders) => {
    const bounds = new Map(traders.map(({ walletId, above }) => [walletId, above]))
    const lists = await Promise.all(
      chunksOf([...bounds.keys()]).map((ids) => {
        const above = `transform(reader_id, [${ids.map(whole).join(', ')}], [${ids.map((id) => whole(bounds.get(id) ?? 0)).join(', ')}], 0)`
        const isSwap = `reader_id IN (${numbersIn(ids)}) AND type = 1 AND received = 0 AND type_number > ${above}`
        return select('wallet', segments, `reader_id, type_number, ${FIELDS}`, isSwap)
      }),
    )
    return lists
      .flat()
      .map(toSwap)
      .sort((a, b) => a.walletId - b.walletId || a.n - b.n)
  }
}

const toSwap = (row: StoredRow): HistorySwap => ({
  walletId: Number(row.reader_id),
  n: Number(row.type_number),
  tokenId: Number(row.token_id),
  poolId: nullable(row.pool_id) as number,
  direction: Number(row.direction),
  quantity: Number(row.quantity),
  amountUsd: Number(row.dollars),
  time: Number(row.time) / 1_000_000,
  block: Number(row.block_number),
})

/** Zero stands for null. */
const nullable = (value: unknown): number | null => (value === 0 ? null : (value as number))

/** The row in the form of the table `event` of the database. */
function toEvent({ dollars, ...row }: StoredRow): OldEvent {
  const part = nullable(row.part)
  return {
    ...row,
    n: row.n as number,
    amount_usd: dollars as number,
    time: toInstant(row.time as number),
    part: part === null ? null : part - 1,
    direction: nullable(row.direction),
    counterparty_id: nullable(row.counterparty_id),
    pool_id: nullable(row.pool_id),
    signer_id: nullable(row.signer_id),
    attribution: nullable(row.attribution),
  }
}
