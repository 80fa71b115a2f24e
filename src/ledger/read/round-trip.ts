// Finds the swaps that are one side of a round trip. The wallet bought and sold the token in the same pool within the
// same block. It reads many swaps in one statement; each reads a fixed number of the wallet's neighbouring events.
import type { Reading, SelectText } from './consistent-read.ts'

/** Whether a swap, by its running number, is one side of a round trip. */
export interface RoundTripRow {
  n: number
  isRoundTrip: boolean
}

/** Events of the wallet before and after the swap that are read. */
const NEIGHBOURS = 25

const TEXT: SelectText = `SELECT e.n, EXISTS (SELECT FROM event o
    WHERE o.wallet_id = e.wallet_id AND o.wallet_n BETWEEN e.wallet_n - ${NEIGHBOURS} AND e.wallet_n + ${NEIGHBOURS}
      AND o.block_number = e.block_number AND o.pool_id = e.pool_id AND o.token_id = e.token_id
      AND o.type = 1 AND o.direction <> e.direction) AS "isRoundTrip"
  FROM event e WHERE e.n = ANY ($1::bigint[])`

/** The swaps with these running numbers, in any order. */
export const readRoundTrips = (reading: Reading, ns: readonly number[]): Promise<RoundTripRow[]> =>
  reading.query({ name: 'round trips', text: TEXT, values: [ns] })
