// Reads the hundred largest holders of many tokens, with their balances a week ago.

import { float64At, int32At } from '../../base/item-at.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import {
  defineRead,
  double,
  findRanges,
  integer,
  orNull,
  type Reader,
  type RowsOf,
  seconds,
} from '../../database/column-query.ts'
import type { FactsBlock, HolderFacts } from './facts.ts'
import type { Scale } from './scale.ts'
import type { TraderStore } from './traders.ts'

/**
 * The balance at the start of a day, as SQL: the opening balance of the first day with a change on or after it. Null:
 * there was no change, so it is today's balance.
 */
const openingOf = (day: string) => `p.openings[1 + width_bucket(${day}::int - 1, p.opening_days)]`

const readLargest = defineRead(
  'facts holders',
  {
    tokenId: integer('t.id'),
    walletId: integer('p.wallet_id'),
    balance: double('p.balance::float8'),
    buyRank: double('p.buy_rank::float8'),
    firstBuyAt: seconds('p.first_buy_at'),
    weekAgo: double(openingOf('$2')),
  },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[]) AS t(id)
    CROSS JOIN LATERAL (
      SELECT * FROM position WHERE token_id = t.id AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT 100) p
    ORDER BY t.id, p.balance DESC, p.wallet_id`,
)

/** The largest positions of tokens, with balances in raw units; their wallets are read separately. */
export type HolderRows = RowsOf<typeof readLargest>

/** Reads the largest positions of the tokens, largest first within each token. */
export const readHolderRows = (client: Reader, tokenIds: readonly number[], block: FactsBlock): Promise<HolderRows> =>
  readLargest(client, [tokenIds, dayOf(block) - 7])

/** Returns a function that makes a token's holders, largest first, when they are needed. */
export function listHolders(
  rows: HolderRows,
  wallets: Pick<TraderStore, 'get'>,
  scales: ReadonlyMap<number, Scale>,
): (tokenId: number) => HolderFacts[] {
  const rangeOf = findRanges(rows.tokenId)
  return (tokenId) => {
    const scale = scales.get(tokenId)
    const holders: HolderFacts[] = []
    if (!scale) return holders
    const { from, to } = rangeOf(tokenId)
    for (let at = from; at < to; at += 1) {
      const wallet = wallets.get(int32At(rows.walletId, at))
      if (!wallet) continue
      const balance = float64At(rows.balance, at) / scale.unit
      // Every field is named: this runs a hundred times per token, and a spread would cost more than all the rest.
      holders.push({
        id: wallet.id,
        kind: wallet.kind,
        firstSeenAt: wallet.firstSeenAt,
        firstFunderId: wallet.firstFunderId,
        reputation: wallet.reputation,
        confidence: wallet.confidence,
        classification: wallet.classification,
        balance,
        share: scale.circulating > 0 ? Math.min(1, balance / scale.circulating) : 0,
        weekAgo: orNull(rows.weekAgo[at]) ?? balance,
        buyRank: orNull(rows.buyRank[at]),
        firstBuyAt: orNull(rows.firstBuyAt[at]),
      })
    }
    return holders
  }
}

const dayOf = (block: FactsBlock): number => Math.floor(block.hourTime / DAY_SECONDS)
