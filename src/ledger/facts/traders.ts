// What is known of wallets, each read once for however many tokens it holds or trades.
import type { Classification, Confidence, WalletKind } from '../../base/vocabulary.ts'
import type { TraderFacts } from '../facts.ts'
import { type Memory, recall } from './memory.ts'
import { pushTo, type Reader, readRows } from './query.ts'
import type { Scale } from './scale.ts'

const WALLETS = `SELECT w.id, w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id,
  s.reputation_score, s.confidence, s.classification
FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.id = ANY($1::int[])`

const BALANCES = `SELECT p.token_id, p.wallet_id, p.balance::float8
FROM unnest($1::int[], $2::int[]) AS v(token_id, wallet_id)
JOIN position p ON p.token_id = v.token_id AND p.wallet_id = v.wallet_id`

type WalletRow = [number, WalletKind, number, number | null, number | null, Confidence | null, Classification | null]

export type Pair = readonly [tokenId: number, walletId: number]

/** Reputation from which what a trader holds is read: nothing asks for that of others. */
const BALANCE_FROM = 60

/** Wallets by id. */
export const readWallets = (client: Reader, ids: Iterable<number>, memory: Memory): Promise<Map<number, TraderFacts>> =>
  recall(memory.wallets, ids, async (missing) => {
    const rows = await readRows<WalletRow>(client, 'facts traders', WALLETS, [missing])
    return new Map(
      rows.map(([id, kind, firstSeenAt, firstFunderId, reputation, confidence, classification]) => [
        id,
        { id, kind, firstSeenAt, firstFunderId, reputation, confidence, classification, balance: null },
      ]),
    )
  })

/** Wallets that trade tokens, by token; what the reputable among them hold is known too. */
export async function readTraders(
  client: Reader,
  pairs: readonly Pair[],
  wallets: ReadonlyMap<number, TraderFacts>,
  scales: ReadonlyMap<number, Scale>,
): Promise<Map<number, TraderFacts[]>> {
  const asked = pairs.filter(([, walletId]) => (wallets.get(walletId)?.reputation ?? 0) >= BALANCE_FROM)
  const values = [asked.map(([tokenId]) => tokenId), asked.map(([, walletId]) => walletId)]
  const rows = await readRows<[number, number, number]>(client, 'facts balances', BALANCES, values)
  const raw = new Map(rows.map(([tokenId, walletId, balance]) => [`${tokenId}:${walletId}`, balance]))
  const known = new Set(asked)
  const traders = new Map<number, TraderFacts[]>()
  for (const pair of pairs) {
    const [tokenId, walletId] = pair
    const wallet = wallets.get(walletId)
    if (!wallet) continue
    const unit = known.has(pair) ? scales.get(tokenId)?.unit : undefined
    const balance = unit && (raw.get(`${tokenId}:${walletId}`) ?? 0) / unit
    pushTo(traders, tokenId, balance === undefined ? wallet : { ...wallet, balance })
  }
  return traders
}
