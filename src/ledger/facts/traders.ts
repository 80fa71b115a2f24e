// What is known of wallets, each read once for however many tokens it holds or trades.
import type { Classification, Confidence, WalletKind } from '../../base/vocabulary.ts'
import type { WalletScore } from '../explanation.ts'
import type { TraderFacts, WalletFacts } from '../facts.ts'
import type { Memory } from './memory.ts'
import { orNull, pushTo, type Reader, readColumns } from './query.ts'
import type { Scale } from './scale.ts'
import { createPackedStore, createWords, MOST, recall, type Store, type Words } from './store.ts'

const WALLETS = `SELECT w.id, w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id::float8,
  s.reputation_score, s.confidence, s.classification
FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.id = ANY($1::int[])`

const BALANCES = `SELECT p.token_id, p.wallet_id, p.balance::float8
FROM unnest($1::int[], $2::int[]) AS v(token_id, wallet_id)
JOIN position p ON p.token_id = v.token_id AND p.wallet_id = v.wallet_id`

/** A store of traders, without what they hold. */
export function createTraderStore(): Store<TraderFacts> {
  const kinds = createWords<WalletKind>()
  const confidences = createWords<Confidence>()
  const classes = createWords<Classification>()
  return createPackedStore<TraderFacts>(
    6,
    ({ kind, firstSeenAt, firstFunderId, reputation, confidence, classification }) => [
      kinds.encode(kind),
      firstSeenAt ?? Number.NaN,
      firstFunderId ?? Number.NaN,
      reputation ?? Number.NaN,
      confidence === null ? Number.NaN : confidences.encode(confidence),
      classification === null ? Number.NaN : classes.encode(classification),
    ],
    (id, cells, at) => ({
      id,
      kind: kinds.decode(cells[at] as number),
      firstSeenAt: orNull(cells[at + 1]),
      firstFunderId: orNull(cells[at + 2]),
      reputation: orNull(cells[at + 3]),
      confidence: decodeOrNull(confidences, cells[at + 4]),
      classification: decodeOrNull(classes, cells[at + 5]),
      balance: null,
    }),
  )
}

const decodeOrNull = <Word extends string>(words: Words<Word>, code: number | undefined): Word | null =>
  code === undefined || Number.isNaN(code) ? null : words.decode(code)

export type Pair = readonly [tokenId: number, walletId: number]

/** Reputation from which what a trader holds is read: nothing asks for that of others. */
const BALANCE_FROM = 60

/** Wallets by id. */
export const readWallets = (
  client: Reader,
  ids: readonly Iterable<number>[],
  memory: Memory,
): Promise<Store<TraderFacts>> =>
  recall(memory.wallets, ids, async (missing) => {
    const kinds = ['integer', 'text', 'double', 'double', 'double', 'text', 'text'] as const
    const [id, kind, firstSeenAt, firstFunderId, reputation, confidence, classification] = await readColumns(
      client,
      'facts traders',
      kinds,
      WALLETS,
      [missing],
    )
    const wallets = new Map<number, TraderFacts>()
    for (let at = 0; at < id.length; at += 1) {
      wallets.set(id[at] as number, {
        id: id[at] as number,
        kind: kind[at] as WalletKind,
        firstSeenAt: orNull(firstSeenAt[at]),
        firstFunderId: orNull(firstFunderId[at]),
        reputation: orNull(reputation[at]),
        confidence: confidence[at] as Confidence | null,
        classification: classification[at] as Classification | null,
        balance: null,
      })
    }
    return wallets
  })

/** Puts wallets that were just scored where `readWallets` looks; `scores` in the order of the facts. */
export function rememberTraders(memory: Memory, facts: readonly WalletFacts[], scores: readonly WalletScore[]): void {
  const { store } = memory.wallets
  for (const [at, { id, kind, firstSeenAt, firstFunderId }] of facts.entries()) {
    const score = scores[at]
    if (!score || store.size >= MOST) continue
    const { reputationScore: reputation, confidence, classification } = score
    store.set(id, {
      id,
      kind,
      firstSeenAt,
      firstFunderId,
      reputation,
      confidence,
      classification,
      balance: null,
    })
  }
}

/** Wallets that trade tokens, by token; what the reputable among them hold is known too. */
export async function readTraders(
  client: Reader,
  pairs: readonly Pair[],
  wallets: Pick<Store<TraderFacts>, 'get'>,
  scales: ReadonlyMap<number, Scale>,
): Promise<Map<number, TraderFacts[]>> {
  const known = pairs.map(([, walletId]) => wallets.get(walletId))
  const asked = pairs.filter((_, at) => (known[at]?.reputation ?? 0) >= BALANCE_FROM)
  const values = [asked.map(([tokenId]) => tokenId), asked.map(([, walletId]) => walletId)]
  const [tokenIds, walletIds, balances] = await readColumns(
    client,
    'facts balances',
    ['integer', 'integer', 'double'],
    BALANCES,
    values,
  )
  const raw = new Map<string, number>()
  for (let at = 0; at < tokenIds.length; at += 1) raw.set(`${tokenIds[at]}:${walletIds[at]}`, balances[at] as number)
  const traders = new Map<number, TraderFacts[]>()
  for (const [at, [tokenId, walletId]] of pairs.entries()) {
    const wallet = known[at]
    if (!wallet) continue
    const unit = (wallet.reputation ?? 0) >= BALANCE_FROM ? scales.get(tokenId)?.unit : undefined
    if (unit) wallet.balance = (raw.get(`${tokenId}:${walletId}`) ?? 0) / unit
    pushTo(traders, tokenId, wallet)
  }
  return traders
}
