// The newest transfers of a token for the check of its contract. Input: its stored events, which do not name signers.
// Output: mints and burns, and the transactions whose signers a check asks for. Both are bounded.
import { type Address, type Hash, ZERO_ADDRESS } from '../../base/address.ts'
import type { pg } from '../../database/client.ts'
import type { SupplyMove } from '../../safety/logs/window.ts'
import type { RecentMove } from '../../safety/target.ts'

const MOST_TRANSFERS = 1_000
const MOST_MOVES = 16

export interface StoredTransfer extends RecentMove {
  /** Seconds since 1970. */
  time: number
  /** In whole tokens. */
  quantity: number
  isFromAccount: boolean
}

/** The newest 1,000 that were no trades, since `from`, in seconds since 1970; in the chain's order. */
export async function readTransfers(
  client: Pick<pg.ClientBase, 'query'>,
  tokenId: number,
  from: number,
): Promise<StoredTransfer[]> {
  const { rows } = await client.query<StoredTransfer>({
    name: 'safety transfers',
    text: `SELECT date_part('epoch', e.time) AS time, e.block_number AS block, '0x' || encode(e.tx_hash, 'hex') AS "txHash",
        w.address AS "from", c.address AS "to", e.quantity, w.kind = 'account' AS "isFromAccount"
      FROM (SELECT * FROM event WHERE token_id = $1 AND type = 4 ORDER BY token_type_n DESC LIMIT ${MOST_TRANSFERS}) e
      JOIN wallet w ON w.id = e.wallet_id JOIN wallet c ON c.id = e.counterparty_id
      WHERE e.time > to_timestamp($2::float8) ORDER BY e.n`,
    values: [tokenId, from],
  })
  return rows
}

/** Mints and burns, in raw units. */
export const supplyMovesOf = (transfers: readonly StoredTransfer[], decimals: number): SupplyMove[] =>
  transfers
    .filter(({ from, to }) => (from === ZERO_ADDRESS) !== (to === ZERO_ADDRESS))
    .map(({ time, from, to, quantity }) => ({ time, from, to, amount: BigInt(Math.round(quantity * 10 ** decimals)) }))

/**
 * Transfers out of other accounts, beside trades. Who takes tokens takes them himself, or those of many at once; so
 * these come first, and then the newest.
 */
export function suspectMoves(
  transfers: readonly StoredTransfer[],
  insiders: ReadonlySet<Address>,
  traded: ReadonlySet<Hash>,
): RecentMove[] {
  const suspects = transfers
    .filter(({ txHash, from, to, isFromAccount }) => {
      return isFromAccount && from !== to && to !== ZERO_ADDRESS && !insiders.has(from) && !traded.has(txHash)
    })
    .toReversed()
  const losers = new Map<Hash, Set<Address>>()
  for (const { txHash, from } of suspects) losers.set(txHash, (losers.get(txHash) ?? new Set()).add(from))
  const rank = ({ txHash, to }: StoredTransfer): number =>
    Number(insiders.has(to)) + Number((losers.get(txHash)?.size ?? 0) > 1)
  return suspects
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MOST_MOVES)
    .map(({ txHash, block, from, to }) => ({ txHash, block, from, to }))
}
