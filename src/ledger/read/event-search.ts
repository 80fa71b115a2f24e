// Events by a filter, newest first or oldest first, from a place on. The requested types, tokens or wallets are scopes
// with their own running numbers. Binary search finds times, blocks and places, and totals are differences. Other
// conditions (value, class of the wallet) are checked event by event, in SEARCH_WALK of them at most.

import { type EventId, earlierOf, laterOf } from '../../base/event-id.ts'
import { itemAt } from '../../base/item-at.ts'
import { pushTo } from '../../base/push-to.ts'
import { type Classification, EVENT_TYPE_ID, type EventType } from '../../base/vocabulary.ts'
import type { OldEvent } from '../../history/history.ts'
import { rowsIn, toRows } from '../old-rows.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'
import {
  type EventRow,
  type EventScope,
  eventsAt,
  findStart,
  keptSince,
  numberingOf,
  placeBefore,
  readEventsByNumber,
} from './event.ts'
import { findHistory, toHistoryScope } from './old-events.ts'
import { isClassified } from './wallet.ts'

/** A scope with its number of events, which is its newest running number. */
export interface CountedScope extends EventScope {
  total: number
}

/** A filter: the events of the scopes that pass the other conditions. Times and blocks are inclusive. */
export interface EventSearch {
  scopes: readonly CountedScope[]
  /** Besides the scopes, which are then of wallets. */
  tokenIds?: readonly number[] | undefined
  minAmountUsd?: number | undefined
  classifications?: readonly Classification[] | undefined
  from?: Date | undefined
  to?: Date | undefined
  fromBlock?: number | undefined
  toBlock?: number | undefined
  /** Only events after and before these; both are excluded. */
  after?: EventId | null
  before?: EventId | null
}

/** The most events that one search checks one by one, over all its scopes. */
export const SEARCH_WALK = 5_000

interface Range extends CountedScope {
  /** Running numbers: `above` is excluded, `below` included. */
  above: number
  below: number
}

/** One list for each numbering. */
function byNumbering<Scope extends EventScope>(scopes: readonly Scope[]): Scope[][] {
  const groups = new Map<string, Scope[]>()
  for (const scope of scopes) {
    const { name } = numberingOf(scope)
    pushTo(groups, name, scope)
  }
  return [...groups.values()]
}

/** Greater than any index of a log. */
const LAST = Number.MAX_SAFE_INTEGER

/** The excluded start of a list of events; null: at its end. */
interface Beginning {
  place: EventId | null
  oldestFirst: boolean
}

const NEWEST: Beginning = { place: null, oldestFirst: false }

/** The running numbers between which a scope's events pass the bounds of time and place. */
async function findRanges(reading: Reading, search: EventSearch, { place, oldestFirst }: Beginning): Promise<Range[]> {
  const { from, to, fromBlock, toBlock, after: afterAll = null, before: beforeAll = null } = search
  const after = oldestFirst ? laterOf(afterAll, place) : afterAll
  const before = oldestFirst ? beforeAll : earlierOf(beforeAll, place)
  const inScopes = async (since: Date | null, after: EventId | null): Promise<number[]> => {
    const found = new Map<CountedScope, number>()
    const begun = byNumbering(search.scopes).map(async (group) => {
      const starts = await findStart(
        reading,
        group.map((scope) => ({ ...scope, since, after })),
      )
      for (const [at, scope] of group.entries()) found.set(scope, starts[at] ?? 0)
    })
    await Promise.all(begun)
    return search.scopes.map((scope) => found.get(scope) ?? 0)
  }
  const endOfBlock = (blockNumber: number): EventId => ({ blockNumber, logIndex: LAST, part: LAST })
  const since = keptSince(reading.head, from ? new Date(from.getTime() - 1) : null)
  const lower = [
    since && inScopes(since, null),
    fromBlock === undefined ? undefined : inScopes(null, endOfBlock(fromBlock - 1)),
    after && inScopes(null, after),
  ]
  const upper = [
    to && inScopes(to, null),
    toBlock === undefined ? undefined : inScopes(null, endOfBlock(toBlock)),
    before && inScopes(null, placeBefore(before)),
  ]
  const [lowest, highest] = await Promise.all([Promise.all(lower), Promise.all(upper)])
  return search.scopes.map((scope, at) => ({
    ...scope,
    above: Math.max(0, ...lowest.map((found) => found?.[at] ?? 0)),
    below: Math.min(scope.total, ...highest.map((found) => found?.[at] ?? scope.total)),
  }))
}

/** Whether there is no condition besides running numbers. */
export const isPlain = ({ tokenIds, minAmountUsd, classifications }: EventSearch): boolean =>
  tokenIds === undefined && minAmountUsd === undefined && classifications === undefined

/** The conditions on each event besides its scope, on `e`. */
function conditionsOf({ tokenIds, minAmountUsd, classifications }: EventSearch, values: unknown[]): string {
  const parts = ['true']
  if (tokenIds) parts.push(`e.token_id = ANY ($${values.push(tokenIds)}::int[])`)
  if (minAmountUsd !== undefined) parts.push(`e.amount_usd >= $${values.push(minAmountUsd)}::float8`)
  if (classifications) {
    const words = `$${values.push(classifications)}::text[]`
    parts.push(`EXISTS (SELECT FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id
      WHERE w.id = e.wallet_id AND ${isClassified(words)} OFFSET 0)`)
  }
  return parts.join(' AND ')
}

/** How far a walk goes: `each` events of a range. The first `limit` that pass count. */
interface Reach {
  limit: number
  each: number
  oldestFirst: boolean
}

/** The running numbers (over all events) that pass in a range, and the last of the walk if it ended before the range. */
interface Walk {
  ns: number[]
  end: number | null
  /** Events of the walk that are in the history. */
  old: OldEvent[]
}

/** Walks through ranges of one numbering. */
async function walk(
  reading: Reading,
  whole: readonly Range[],
  search: EventSearch,
  { limit, each, oldestFirst }: Reach,
): Promise<Walk[]> {
  const [direction, last] = oldestFirst ? ['ASC', 'max'] : ['DESC', 'min']
  // Numbers have no gaps.
  const ranges = whole.map((range) => ({
    ...range,
    ...(oldestFirst
      ? { below: Math.min(range.below, range.above + each) }
      : { above: Math.max(range.above, range.below - each) }),
  }))
  const [first] = ranges
  if (!first) return []
  const values: unknown[] = [
    ranges.map((range) => range.tokenId ?? range.walletId ?? 0),
    ranges.map(({ type }) => (type === null ? 0 : EVENT_TYPE_ID[type])),
    ranges.map(({ above }) => above),
    ranges.map(({ below }) => below),
    each,
    limit,
  ]
  const where = conditionsOf(search, values)
  const text: SelectText = `SELECT k.key, x.* FROM unnest($1::int[], $2::smallint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
      AS k (id, type, above, below, key)
    CROSS JOIN LATERAL (
      WITH walk AS MATERIALIZED (SELECT * FROM (${eventsAt(
        numberingOf(first),
        ({ column, where: own }) => `SELECT e.n, e.token_id, e.wallet_id, e.amount_usd FROM event e WHERE ${own}
          AND e.${column} > k.above AND e.${column} <= k.below ORDER BY e.${column} ${direction} LIMIT $5`,
      )}) e ORDER BY n ${direction} LIMIT $5)
      (SELECT e.n, false AS "isEnd", 0 AS walked FROM walk e WHERE ${where} ORDER BY e.n ${direction} LIMIT $6)
      UNION ALL SELECT ${last}(n), true, count(*) FROM walk
    ) x`
  const lists = await readLists<{ n: number; isEnd: boolean; walked: number }>(reading, ranges.length, { text, values })
  const walks = lists.map((rows) => {
    const end = rows.find(({ isEnd }) => isEnd)
    return { ns: rows.filter(({ isEnd }) => !isEnd).map(({ n }) => n), end: end?.n ?? null, walked: end?.walked ?? 0 }
  })
  const old = await walkOld(
    reading,
    ranges.map((range, at) => ({ ...range, below: range.below - (walks[at]?.walked ?? 0) })),
    search,
  )
  return walks.map(({ ns, end, walked }, at) => {
    const [range, { events, passed }] = [itemAt(ranges, at), old[at] ?? NOTHING_OLD]
    const own = oldestFirst ? [...passed].reverse() : passed
    const isWhole = range.below - range.above < each
    const lastOld = oldestFirst ? events[0]?.n : events.at(-1)?.n
    const lastOf = oldestFirst && walked > 0 ? end : (lastOld ?? end)
    return {
      ns: (oldestFirst ? [...own, ...ns] : [...ns, ...own]).slice(0, limit),
      end: isWhole ? null : lastOf,
      old: events,
    }
  })
}

const NOTHING_OLD = { events: [] as OldEvent[], passed: [] as number[] }

/** The events of ranges that the database no longer has, newest first, and the numbers of those that pass. */
async function walkOld(
  reading: Reading,
  missing: readonly Range[],
  search: EventSearch,
): Promise<(typeof NOTHING_OLD)[]> {
  const history = missing.some(({ above, below }) => above < below) ? await findHistory(reading) : null
  if (!history) return []
  const asked = missing.map(({ above, below, ...scope }) => ({ ...toHistoryScope(scope), above, below }))
  const lists = await history.store.readRanges(history.segments, asked)
  if (asked.some(({ above, below }, at) => lists[at]?.length !== Math.max(0, below - above))) reading.lack()
  const values: unknown[] = [toRows(lists.flat())]
  const where = conditionsOf(search, values)
  const text: SelectText = `SELECT e.n FROM ${rowsIn(1)} e WHERE ${where}`
  const passing = new Set((await reading.query<{ n: number }>({ text, values })).map(({ n }) => n))
  return lists.map((events) => ({ events, passed: events.map(({ n }) => n).filter((n) => passing.has(n)) }))
}

/** Events of a range, and the place to continue after; null if none are left. */
export interface EventStretch {
  items: EventRow[]
  next: EventId | null
}

/** The first `count` events that pass, or fewer if the walk ended before. */
export async function searchEvents(
  reading: Reading,
  search: EventSearch,
  { count, ...beginning }: Beginning & { count: number },
): Promise<EventStretch> {
  const { oldestFirst } = beginning
  const ranges = (await findRanges(reading, search, beginning)).filter(({ above, below }) => above < below)
  const each = isPlain(search) ? count + 1 : Math.max(count + 1, Math.floor(SEARCH_WALK / Math.max(1, ranges.length)))
  const walks = (
    await Promise.all(
      byNumbering(ranges).map((group) => walk(reading, group, search, { limit: count + 1, each, oldestFirst })),
    )
  ).flat()
  const turn = oldestFirst ? 1 : -1
  // Beyond the end of one scope's walk the list is incomplete.
  const [end] = walks.flatMap((scope) => scope.end ?? []).sort((a, b) => turn * (a - b))
  const passed = [...new Set(walks.flatMap(({ ns }) => ns))]
    .filter((n) => end === undefined || turn * (n - end) <= 0)
    .sort((a, b) => turn * (a - b))
  const shown = passed.slice(0, count)
  const last = passed.length > count ? shown.at(-1) : end
  const known = new Map(walks.flatMap(({ old }) => old.map((event) => [event.n, event] as const)))
  const rows = new Map(
    (await readEventsByNumber(reading, last === undefined ? shown : [...shown, last], known)).map((row) => [
      row.n,
      row,
    ]),
  )
  const items = shown.flatMap((n) => rows.get(n) ?? [])
  return { items, next: (last !== undefined && rows.get(last)) || null }
}

/** How many events pass; null if they would have to be counted one by one. */
export async function countFound(reading: Reading, search: EventSearch): Promise<number | null> {
  const wallets = new Set(search.scopes.map(({ walletId }) => walletId))
  // A transfer between two of the wallets is in the scopes of both.
  if (!isPlain(search) || wallets.size > 1) return null
  const ranges = await findRanges(reading, search, NEWEST)
  return ranges.reduce((sum, { above, below }) => sum + Math.max(0, below - above), 0)
}

/** The scopes of these types (null: all) of each of the owners. */
export const scopesOf = (
  owners: readonly {
    tokenId: number | null
    walletId: number | null
    eventCount: number
    countByType: Record<EventType, number>
  }[],
  types: readonly EventType[] | null,
): CountedScope[] =>
  owners.flatMap(({ tokenId, walletId, eventCount, countByType }): CountedScope[] =>
    types === null
      ? [{ tokenId, walletId, type: null, total: eventCount }]
      : [...new Set(types)].map((type) => ({ tokenId, walletId, type, total: countByType[type] })),
  )
