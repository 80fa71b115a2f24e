// The tables of a history in ClickHouse. Pure. Each segment is a partition of every table, so that it is dropped at once,
// and what no question names is not read. The statements are those that 18.16 and newer versions know.
import { StartupError } from '../../base/errors.ts'
import type { Segment } from '../history.ts'
import { whole } from '../numbers.ts'

/** The order of a table, and its columns besides `segment`. */
interface Table {
  order: string
  columns: Readonly<Record<string, string>>
}

const OWN_NUMBERS = { token_n: 'UInt32', token_type_n: 'UInt32', wallet_n: 'UInt32', wallet_type_n: 'UInt32' }

/** Zero stands for null, except that `part` is one more than the part. */
const FACTS = {
  type: 'UInt8',
  direction: 'UInt8',
  token_id: 'UInt32',
  wallet_id: 'UInt32',
  counterparty_id: 'UInt32',
  pool_id: 'UInt32',
  signer_id: 'UInt32',
  block_number: 'UInt32',
  log_index: 'UInt32',
  part: 'UInt16',
  attribution: 'UInt8',
}

/** What readers are told of an event. `time` is in microseconds. `amount_usd` counts where `amount_micro` is negative. */
const DETAILS = { ...FACTS, quantity: 'Float64', amount_micro: 'Int64', amount_usd: 'Float64', time: 'UInt64' }

/** The columns of each type's numbers in `block`, by type from 1 on: the newest of the type in the block, or 0. */
export const NEWEST_OF_TYPE = ['swap_n', 'liquidity_add_n', 'liquidity_remove_n', 'transfer_n'] as const

export const HISTORY_TABLES = {
  /** Rows as they came, until the others are compared with them. */
  staged: {
    order: 'n',
    columns: {
      n: 'UInt64',
      type_n: 'UInt64',
      ...FACTS,
      ...OWN_NUMBERS,
      counterparty_n: 'UInt32',
      counterparty_type_n: 'UInt32',
      quantity: 'Float64',
      amount_usd: 'Float64',
      time: 'UInt64',
      tx_hash: 'FixedString(32)',
    },
  },
  /** All events. */
  event: { order: 'n', columns: { n: 'UInt64', type_n: 'UInt64', ...DETAILS, tx_hash: 'FixedString(32)' } },
  /** Those of a token, in a row, so that a page is one read. */
  token: {
    order: 'token_id, token_n',
    columns: { n: 'UInt64', token_n: 'UInt32', token_type_n: 'UInt32', ...DETAILS },
  },
  /** Those of a wallet: its own, and transfers that it received. */
  wallet: {
    order: 'reader_id, number',
    columns: {
      ...{ n: 'UInt64', reader_id: 'UInt32', number: 'UInt32', type_number: 'UInt32', received: 'UInt8' },
      ...DETAILS,
    },
  },
  /** Which events are those of a block. */
  block: {
    order: 'block_number',
    columns: {
      block_number: 'UInt32',
      time: 'UInt64',
      first_n: 'UInt64',
      last_n: 'UInt64',
      ...Object.fromEntries(NEWEST_OF_TYPE.map((column) => [column, 'UInt64'])),
    },
  },
} as const satisfies Record<string, Table>

export type HistoryTable = keyof typeof HISTORY_TABLES

/** The tables that readers read. */
export const READ_TABLES = ['event', 'token', 'wallet', 'block'] as const satisfies readonly HistoryTable[]

const MICRO = 'toInt64(round(dollars * 1e6))'
/** Whether micro-dollars give exactly the amount. */
const IS_MICRO = `dollars >= 0 AND dollars < 9e9 AND ${MICRO} / 1e6 = dollars`

const NUMBERS = ['n', 'type_n', ...Object.keys(OWN_NUMBERS), 'counterparty_n', 'counterparty_type_n']

/** The staged rows of a segment, with the amount in both forms. */
const stagedIn = (staged: string, segment: string): string => {
  const plain = ['segment', ...NUMBERS, ...Object.keys(FACTS), 'quantity', 'time', 'tx_hash'].join(', ')
  return `(SELECT ${plain}, if(${IS_MICRO}, ${MICRO}, -1) AS amount_micro, if(${IS_MICRO}, 0, dollars) AS amount_usd
    FROM (SELECT ${plain}, amount_usd AS dollars FROM ${staged} WHERE segment = ${segment}))`
}

type Contents = (staged: string, segment: string) => string

/** What each table holds of the staged rows of a segment, with the names of its columns. */
export const CONTENTS_OF: Readonly<Record<(typeof READ_TABLES)[number], Contents>> = {
  event: (staged, segment) =>
    `SELECT ${['segment', ...columnsIn('event')].join(', ')} FROM ${stagedIn(staged, segment)}`,
  token: (staged, segment) =>
    `SELECT ${['segment', ...columnsIn('token')].join(', ')} FROM ${stagedIn(staged, segment)}`,
  wallet: (staged, segment) => `SELECT segment, n, if(side = 0, wallet_id, counterparty_id) AS reader_id,
      if(side = 0, wallet_n, counterparty_n) AS number, if(side = 0, wallet_type_n, counterparty_type_n) AS type_number,
      toUInt8(side) AS received, ${Object.keys(DETAILS).join(', ')}
    FROM ${stagedIn(staged, segment)} ARRAY JOIN if(counterparty_n > 0, [0, 1], [0]) AS side`,
  block: (
    staged,
    segment,
  ) => `SELECT segment, block_number, newest AS time, first_n, last_n, ${NEWEST_OF_TYPE.join(', ')}
    FROM (SELECT segment, block_number, max(time) AS newest, min(n) AS first_n, max(n) AS last_n,
        ${NEWEST_OF_TYPE.map((column, at) => `maxIf(type_n, type = ${at + 1}) AS ${column}`).join(', ')}
      FROM ${stagedIn(staged, segment)} GROUP BY segment, block_number)`,
}

/** The values of a row besides its segment, for a sum of hashes. */
export const columnsIn = (table: HistoryTable): string[] => Object.keys(HISTORY_TABLES[table].columns)

/** Rows that are read together: a look-up decompresses few others. */
const GRANULARITY = 256

/** The statement that makes a table, if the operator has not made it. */
export function creationOf(table: HistoryTable, name: string): string {
  const { order, columns } = HISTORY_TABLES[table]
  const list = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return `CREATE TABLE IF NOT EXISTS ${name} (segment UInt64, ${list.join(', ')})
    ENGINE = MergeTree PARTITION BY segment ORDER BY (${order}) SETTINGS index_granularity = ${GRANULARITY}`
}

/** Names the history in its database. */
export const markerCreation = (name: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (format UInt8, id String) ENGINE = MergeTree ORDER BY id`

/** The number of a segment, which is in its name. */
export function segmentOf({ name }: Pick<Segment, 'name'>): string {
  const number = /^\d+-\d+-(\d{1,15})$/.exec(name)?.[1]
  if (number === undefined) throw new StartupError('The segments of the index are not those of HISTORY_URL.')
  return whole(Number(number))
}

/** The condition that names segments. */
export const inSegments = (segments: readonly Pick<Segment, 'name'>[]): string =>
  `segment IN (${segments.map(segmentOf).join(', ')})`
