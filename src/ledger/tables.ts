// The tables that the writer fills.
import {
  blockFields,
  candleFields,
  eventFields,
  type KeptRow,
  launchFields,
  linkFields,
  poolDayFields,
  poolFields,
  positionFields,
  positionTokenFields,
  stakeFields,
  tokenBlockFields,
  tokenFields,
  tokenLockFields,
  walletDayFields,
  walletFields,
  walletWeekFields,
} from '../book/rows/rows.ts'
import type { Raw } from '../database/fields.ts'
import { defineTable, type Table } from '../database/table.ts'

export const blockTable = defineTable('block', blockFields, ['number'])
export const tokenTable = defineTable('token', tokenFields, ['id'])
export const poolTable = defineTable('pool', poolFields, ['id'])
export const walletTable = defineTable('wallet', walletFields, ['id'])
export const positionTable = defineTable('position', positionFields, ['tokenId', 'walletId'])
export const eventTable = defineTable('event', eventFields, ['n'])
export const tokenBlockTable = defineTable('token_block', tokenBlockFields, ['blockNumber', 'tokenId'])
export const tokenHourTable = defineTable('token_hour', candleFields('hour'), ['tokenId', 'period'])
export const tokenMinuteTable = defineTable('token_minute', candleFields('minute'), ['tokenId', 'period'])
export const tokenFiveMinutesTable = defineTable('token_five_minutes', candleFields('slot'), ['tokenId', 'period'])
export const poolDayTable = defineTable('pool_day', poolDayFields, ['poolId', 'day'])
export const walletWeekTable = defineTable('wallet_week', walletWeekFields, ['walletId', 'week'])
export const walletDayTable = defineTable('wallet_day', walletDayFields, ['walletId', 'day'])
export const tokenLockTable = defineTable('token_lock', tokenLockFields, ['lockerId', 'number', 'tokenId'])
export const positionTokenTable = defineTable('position_token', positionTokenFields, ['managerId', 'number'])
export const stakeTable = defineTable('stake', stakeFields, ['gaugeId', 'ownerId', 'tokenId'])
export const launchTable = defineTable('launch', launchFields, ['poolId'])
export const linkTable = defineTable('link', linkFields, ['fromId', 'toId', 'kind'])

/** The tables whose rows are restored when a block is rolled back. Rows of the others belong to one block. */
export const UNDONE_TABLES = [
  tokenTable,
  poolTable,
  walletTable,
  positionTable,
  tokenMinuteTable,
  tokenFiveMinutesTable,
  tokenHourTable,
  poolDayTable,
  walletWeekTable,
  walletDayTable,
  linkTable,
  tokenLockTable,
  positionTokenTable,
  stakeTable,
  launchTable,
]

/** Turns a new row into the one that a SELECT of the table's columns returned. */
export function toKept<Row extends KeptRow>(table: Table<Omit<Row, 'fresh'>>, row: Row, raw: Raw): Row {
  row.fresh = false
  return table.fill(row, raw)
}
