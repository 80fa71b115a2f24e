// What became of wallets' buys: the share of the next three days' trades above the price. It changes no more once these days
// are over, so it is looked up once and kept, for the buys among a wallet's fifty newest swaps.

import { type Column, rowsOf, toArrays } from '../../database/binary-arrays.ts'
import type { pg } from '../../database/client.ts'
import { type ChangeBlock, keepImages } from '../undo.ts'

/** Outcomes of a wallet. */
export interface Outcomes {
  /** Running number, among the wallet's swaps, of the newest buy with an outcome here; 0: none. */
  knownN: number
  /** Of the buys up to it, oldest first; NaN: nobody traded. */
  shares: readonly number[]
}

/** Outcomes to be kept. */
export interface OutcomeRow extends Outcomes {
  walletId: number
}

const COLUMNS: readonly Column<OutcomeRow>[] = [
  ['wallet_id', 'integer', (row) => row.walletId],
  ['known_n', 'integer', (row) => row.knownN],
  ['shares', 'doubles', (row) => row.shares],
]

const SAVE = `INSERT INTO wallet_outcome (wallet_id, known_n, shares)
  SELECT v.wallet_id, v.known_n, v.shares::float8[] FROM ${rowsOf(COLUMNS)} v
  ON CONFLICT (wallet_id) DO UPDATE SET known_n = excluded.known_n, shares = excluded.shares`

/** Keeps what became known of wallets' buys as of the block. */
export async function saveOutcomes(
  client: pg.ClientBase,
  block: ChangeBlock,
  rows: readonly OutcomeRow[],
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map((row) => row.walletId)
  const images = block.revocable ? keepImages(block.number, 'wallet_outcome', [ids]) : []
  const statements = [...images, { name: 'save outcomes', text: SAVE, values: toArrays(COLUMNS, rows) }]
  await Promise.all(statements.map((statement) => client.query(statement)))
}
