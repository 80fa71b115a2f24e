// The exported table `wallets`: the indexed wallets, as they are at the newest block.
import { toSnake } from '../fields/field.ts'
import { WALLET_ROWS } from '../fields/wallet.ts'
import { column } from './column.ts'
import type { ExportedTable } from './table.ts'

export const WALLET_TABLE: ExportedTable = {
  columns: WALLET_ROWS.flatMap(([name, { form, sql, exported }]) =>
    exported !== undefined && sql !== undefined ? [column[form](toSnake(name), sql, exported)] : [],
  ),
  source: 'wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id',
  range: 'w.indexed AND w.id >= $1::bigint AND w.id < $2::bigint',
  key: ['w.id'],
  history: null,
}
