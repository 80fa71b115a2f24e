// The exported table `wallets`: the indexed wallets, as they are at the newest block.
import { WALLET_ROWS } from '../fields/wallet.ts'
import { columnsOfNoun } from './column.ts'
import type { ExportedTable } from './table.ts'

export const WALLET_TABLE: ExportedTable = {
  columns: columnsOfNoun(WALLET_ROWS),
  source: 'wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id',
  range: 'w.indexed AND w.id >= $1::bigint AND w.id < $2::bigint',
  key: ['w.id'],
  history: null,
}
