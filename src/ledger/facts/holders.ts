// The hundred largest holders of many tokens, with what each held a day and a week ago.
import { heldAtStart } from '../../base/opening.ts'
import type { FactsBlock, HolderFacts, TraderFacts } from '../facts.ts'
import { orNull, parseList, pushTo, type Reader, readColumns } from './query.ts'
import type { Scale } from './scale.ts'
import type { Store } from './store.ts'

const HOLDERS = `SELECT t.id, p.wallet_id, p.balance::float8, p.buy_rank::float8, date_part('epoch', p.first_buy_at),
  date_part('epoch', p.last_at),
  CASE WHEN p.last_at >= to_timestamp($2) THEN p.opening_days::text END,
  CASE WHEN p.last_at >= to_timestamp($2) THEN p.openings::text END
FROM unnest($1::int[]) AS t(id)
CROSS JOIN LATERAL (
  SELECT * FROM position WHERE token_id = t.id AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT 100) p
ORDER BY t.id, p.balance DESC, p.wallet_id`

/** Positions of tokens, before their wallets are known: token, wallet, balance, buy rank, first buy, last change, openings. */
export type HolderRows = Awaited<ReturnType<typeof readHolderRows>>

/** Positions of all tokens, largest first within each. */
export const readHolderRows = (client: Reader, tokenIds: readonly number[], block: FactsBlock) =>
  readColumns(
    client,
    'facts holders',
    ['integer', 'integer', 'double', 'double', 'double', 'double', 'text', 'text'],
    HOLDERS,
    [tokenIds, weekAgo(block) * 86_400],
  )

/** Largest first, by token. */
export function toHolders(
  [tokenIds, walletIds, raw, buyRank, firstBuyAt, lastAt, openingDays, openings]: HolderRows,
  wallets: Pick<Store<TraderFacts>, 'get'>,
  scales: ReadonlyMap<number, Scale>,
  block: FactsBlock,
): Map<number, HolderFacts[]> {
  const yesterday = Math.floor((block.hourTime - 86_400) / 86_400)
  const lastWeek = weekAgo(block)
  const holders = new Map<number, HolderFacts[]>()
  for (let at = 0; at < tokenIds.length; at += 1) {
    const [tokenId, walletId] = [tokenIds[at] as number, walletIds[at] as number]
    const wallet = wallets.get(walletId)
    const scale = scales.get(tokenId)
    if (!wallet || !scale) continue
    const balance = (raw[at] as number) / scale.unit
    const days = parseList(openingDays[at])
    const held = parseList(openings[at])
    // Field by field: this runs a hundred times a token, and a spread costs more than the rest.
    pushTo(holders, tokenId, {
      id: walletId,
      kind: wallet.kind,
      firstSeenAt: wallet.firstSeenAt,
      firstFunderId: wallet.firstFunderId,
      reputation: wallet.reputation,
      confidence: wallet.confidence,
      classification: wallet.classification,
      balance,
      share: scale.circulating > 0 ? Math.min(1, balance / scale.circulating) : 0,
      dayAgo: heldAtStart(yesterday, days, held, balance),
      weekAgo: heldAtStart(lastWeek, days, held, balance),
      buyRank: orNull(buyRank[at]),
      firstBuyAt: orNull(firstBuyAt[at]),
      lastAt: orNull(lastAt[at]),
    })
  }
  return holders
}

const weekAgo = (block: FactsBlock): number => Math.floor(block.hourTime / 86_400) - 7
