// Lists of wallets in an order, by a filter. Each order is an index that ends in the wallet's id. A list reads at most
// WALK wallets, from its beginning or a place. A filter that few wallets pass then costs no more than any other.
import { weekOf } from '../../base/clock.ts'
import { WORDS } from '../../fields/field.ts'
import type { NounField } from '../../fields/noun.ts'
import { WALLET_CONDITION_ROWS, WALLET_FIELDS, type WalletMeasure, type WalletScreen } from '../../fields/wallet.ts'
import type { Reading, SelectText } from './consistent-read.ts'
import { hasNoClass, isClassified, WALLET_COLUMNS, type WalletRow } from './wallet.ts'

export interface WalletOrder {
  measure: WalletMeasure
  descending: boolean
}

/** A place in an order: the wallet with this number and id. */
export interface WalletPlace {
  value: number
  id: number
}

/** The most wallets that one list reads. */
export const WALLET_WALK = 5_000

/** The week of the head block, which began on a Thursday at 00:00 UTC. */
const thisWeek = (reading: Reading): number => weekOf(reading.head.time.getTime() / 1000)

interface Source {
  table: string
  id: string
  value: string
  where: string
}

/** One number for a confidence and its reputation, as in its index. */
const CONFIDENCE = `(strpos('mh', left(confidence, 1)) * 1000 + reputation_score)`

/** The index of each order. `week` is the number of the head block's week. */
function sourceOf(measure: WalletMeasure, week: number): Source {
  if (measure === 'reputationScore')
    return { table: 'wallet_score', id: 'wallet_id', value: 'reputation_score', where: 'true' }
  if (measure === 'reputationConfidence')
    return { table: 'wallet_score', id: 'wallet_id', value: CONFIDENCE, where: 'true' }
  if (measure === 'realisedUsd') return { table: 'wallet', id: 'id', value: 'realised_usd', where: 'indexed' }
  if (measure === 'tradeCount') return { table: 'wallet', id: 'id', value: 'swap_count', where: 'indexed' }
  const asked = measure === 'realisedThisWeekUsd' ? week : week - 1
  return { table: 'wallet_week', id: 'wallet_id', value: 'realised_usd', where: `week = ${asked}` }
}

/** A list: its filter, its order, and the place it follows. */
export interface WalletListQuestion {
  screen: WalletScreen
  order: WalletOrder
  after: WalletPlace | null
}

/** The wallets of the order that a list reads, as `r` with `id` and `value`. */
function walkOf({ order, after }: WalletListQuestion, week: number, values: unknown[], more: string): string {
  const { table, id, value, where } = sourceOf(order.measure, week)
  const [before, direction, next] = order.descending ? ['<', ' DESC', '>'] : ['>', '', '<']
  const bound = () => {
    if (!after) return ''
    const [v, i] = [`$${values.push(after.value)}::float8`, `$${values.push(after.id)}::int`]
    return ` AND ${value} ${before}= ${v} AND (${value} ${before} ${v} OR ${id} ${next} ${i})`
  }
  // Downwards the index is read forwards, upwards from its end, so the ids run the other way, too.
  return `SELECT ${id} AS id, ${value}::float8 AS value FROM ${table} WHERE ${where}${bound()}
    ORDER BY ${value}${direction}, ${id}${order.descending ? '' : ' DESC'} ${more}`
}

/** Conditions on classes, because a wallet may have several. */
const OF_CLASSES: Readonly<Record<string, (words: string) => string>> = {
  classifications: isClassified,
  excludeClassifications: hasNoClass,
}

function whereOf(screen: WalletScreen, values: unknown[]): string {
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`
  const parts = WALLET_CONDITION_ROWS.flatMap(([name, row]) => {
    const given = screen[name]
    const { sql }: NounField = WALLET_FIELDS[row.field]
    if (given === undefined) return []
    if (row.is === 'least') return [`${sql} >= ${value(given, 'float8')}`]
    if (row.is === 'since') return [`${sql} >= ${value(given, 'timestamptz')}`]
    const ranks: readonly unknown[] = row.is === 'rank' ? WORDS[row.of] : []
    const listed = value(row.is === 'rank' ? ranks.slice(ranks.indexOf(given)) : given, 'text[]')
    return [OF_CLASSES[name]?.(listed) ?? `${sql} = ANY (${listed})`]
  })
  return ['w.indexed', ...parts].join(' AND ')
}

// OFFSET 0 keeps the planner from joining all wallets and scores by hash: each wallet of the walk is looked up by its key.
const joined = (walk: string, columns: string, where: string) => `FROM (${walk}) r CROSS JOIN LATERAL (
    SELECT ${columns} FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.id = r.id AND ${where} OFFSET 0
  ) w`

/** A wallet with the number that the list is ordered by. */
export interface ListedWallet extends WalletRow {
  orderValue: number
}

/** The wallets of a range of the walk, in order. Fewer than `limit` if the walk ended before. */
export function listWallets(
  reading: Reading,
  question: WalletListQuestion,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedWallet[]> {
  const values: unknown[] = []
  const walk = walkOf(question, thisWeek(reading), values, `LIMIT ${WALLET_WALK}`)
  const { descending } = question.order
  const text: SelectText = `SELECT w.*, r.value AS "orderValue" ${joined(walk, WALLET_COLUMNS, whereOf(question.screen, values))}
    ORDER BY r.value${descending ? ' DESC' : ''}, r.id${descending ? '' : ' DESC'} LIMIT ${limit} OFFSET ${offset}`
  return reading.query({ text, values })
}

/** How many wallets the list has; null if its walk ends before the order does. */
export async function countWallets(reading: Reading, question: WalletListQuestion): Promise<number | null> {
  const { screen, order } = question
  const isWhole = Object.keys(screen).length === 0 && ['realisedUsd', 'tradeCount'].includes(order.measure)
  if (isWhole && !question.after) return reading.head.walletCount
  const values: unknown[] = []
  const walk = walkOf(question, thisWeek(reading), values, `LIMIT ${WALLET_WALK + 1}`)
  const text: SelectText = `SELECT count(*) AS total, (SELECT count(*) FROM (${walk}) all_of_it) AS walked
    ${joined(walk, '1', whereOf(screen, values))}`
  const [row] = await reading.query<{ total: number; walked: number }>({ text, values })
  return row && row.walked <= WALLET_WALK ? row.total : null
}

/** The end of the walk; null if the order ended before. */
export async function endOfWalk(reading: Reading, question: WalletListQuestion): Promise<WalletPlace | null> {
  const values: unknown[] = []
  const walk = walkOf(question, thisWeek(reading), values, `OFFSET ${WALLET_WALK - 1} LIMIT 1`)
  const [row] = await reading.query<WalletPlace>({ text: `SELECT r.id, r.value FROM (${walk}) r`, values })
  return row ? { value: row.value, id: row.id } : null
}

/** A wallet's realised profit in the week of the head block and in the week before. */
export interface WalletWeeksRow {
  id: number
  realisedThisWeekUsd: number
  realisedLastWeekUsd: number
}

/** The weeks of the wallets with these ids, in any order; none for a wallet without realised profit in them. */
export const readWalletWeeks = (reading: Reading, ids: readonly number[]): Promise<WalletWeeksRow[]> =>
  reading.query({
    name: 'wallet weeks',
    text: `SELECT wallet_id AS id, coalesce(sum(realised_usd) FILTER (WHERE week = $2), 0) AS "realisedThisWeekUsd",
        coalesce(sum(realised_usd) FILTER (WHERE week < $2), 0) AS "realisedLastWeekUsd"
      FROM wallet_week WHERE wallet_id = ANY ($1::int[]) AND week BETWEEN $2::int - 1 AND $2::int GROUP BY wallet_id`,
    values: [ids, thisWeek(reading)],
  })
