// Stores the outcomes of wallets' buys (see aftermath.ts). An outcome is final once its three days are over. It is
// computed and stored once, for the buys among a wallet's fifty newest swaps.

import { type Column, rowsOf, toArrays } from '../../database/binary-arrays.ts'
import type { pg } from '../../database/client.ts'
import { type ChangeBlock, keepImages } from '../undo.ts'

/** A wallet's stored outcomes. */
export interface Outcomes {
  /** Running number, among the wallet's swaps, of the newest buy with an outcome here; 0 if there is none. */
  knownN: number
  /** Outcomes of the buys up to `knownN`, oldest first, 0-1; NaN if nobody traded. */
  shares: readonly number[]
}

/** A wallet's outcomes, to be stored. */
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

/** Stores wallets' outcomes at the block, after keeping undo images if the block may be rolled back. */
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
