// Reads the facts of wallets, each wallet once for all tokens that it holds or trades.
import { float64At, itemAt, numberAt } from '../../base/item-at.ts'
import type { Classification, Confidence, WalletKind } from '../../base/vocabulary.ts'
import {
  defineRead,
  double,
  findRanges,
  integer,
  orNull,
  type Reader,
  seconds,
  text,
} from '../../database/column-query.ts'
import type { WalletScore } from '../explanation.ts'
import { IS_SERVICE } from '../labels.ts'
import { type FactRules, isSmart, type TraderFacts, type WalletFacts } from './facts.ts'
import type { Scale } from './scale.ts'
import { createPackedStore, createWords, recall, type Shelf, type Store, type Words } from './store.ts'

const readWalletRows = defineRead(
  'facts traders',
  {
    id: integer('w.id'),
    // A labelled service counts as an exchange: its holdings and links are no owner's.
    kind: text<WalletKind>(
      `CASE WHEN w.kind IN ('account', 'contract') AND ${IS_SERVICE} THEN 'exchange' ELSE w.kind END`,
    ),
    firstSeenAt: seconds('w.first_seen_at'),
    firstFunderId: double('w.first_funder_id::float8'),
    reputation: double('s.reputation_score'),
    confidence: text<Confidence | null>('s.confidence'),
    classification: text<Classification | null>('s.classification'),
  },
  (columns) => `SELECT ${columns}
    FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.id = ANY($1::int[])`,
)

const readBalances = defineRead(
  'facts balances',
  { nth: integer('v.nth::int'), balance: double('p.balance::float8') },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS v(token_id, wallet_id, nth)
    JOIN position p ON p.token_id = v.token_id AND p.wallet_id = v.wallet_id`,
)

/** A store of traders, without their balances. The methods here answer frequent questions without making an object. */
export interface TraderStore extends Store<TraderFacts> {
  isAccount(id: number): boolean
  /** Null: unknown. */
  funderOf(id: number): number | null
  isSmart(id: number): boolean
}

/** The columns of a trader in the packed store. Four numbers fit into half a cache line. */
const [WORDS, FIRST_SEEN_AT, FUNDER, REPUTATION] = [0, 1, 2, 3]
/** The column WORDS has the kind's code in its lowest bits, then those of confidence and class plus 1 each; 0 means not scored yet. */
const [KIND_BITS, CONFIDENCE_BITS] = [4, 4]
const [KIND, CONFIDENCE] = [2 ** KIND_BITS - 1, 2 ** CONFIDENCE_BITS - 1]

/** Creates an empty store. */
export function createTraderStore({ smartReputation }: Pick<FactRules, 'smartReputation'>): TraderStore {
  const kinds = createWords<WalletKind>()
  const confidences = createWords<Confidence>()
  const classes = createWords<Classification>()
  const account = kinds.encode('account')
  const store = createPackedStore<TraderFacts>(
    4,
    ({ kind, firstSeenAt, firstFunderId, reputation, confidence, classification }) => [
      kinds.encode(kind) |
        (encodeOrNone(confidences, confidence) << KIND_BITS) |
        (encodeOrNone(classes, classification) << (KIND_BITS + CONFIDENCE_BITS)),
      firstSeenAt ?? Number.NaN,
      firstFunderId ?? Number.NaN,
      reputation ?? Number.NaN,
    ],
    (id, cells, at) => {
      const words = float64At(cells, at + WORDS)
      return {
        id,
        kind: kinds.decode(words & KIND),
        firstSeenAt: orNull(cells[at + FIRST_SEEN_AT]),
        firstFunderId: orNull(cells[at + FUNDER]),
        reputation: orNull(cells[at + REPUTATION]),
        confidence: decodeOrNull(confidences, (words >> KIND_BITS) & CONFIDENCE),
        classification: decodeOrNull(classes, words >> (KIND_BITS + CONFIDENCE_BITS)),
        balance: null,
      }
    },
  )
  return Object.assign(store, {
    isAccount: (id: number) => store.has(id) && (store.cell(id, WORDS) & KIND) === account,
    funderOf: (id: number) => orNull(store.cell(id, FUNDER)),
    isSmart: (id: number) =>
      isSmart(
        {
          reputation: orNull(store.cell(id, REPUTATION)),
          confidence: decodeOrNull(confidences, (store.cell(id, WORDS) >> KIND_BITS) & CONFIDENCE),
        },
        smartReputation,
      ),
  })
}

const encodeOrNone = <Word extends string>(words: Words<Word>, word: Word | null): number =>
  word === null ? 0 : words.encode(word) + 1

const decodeOrNull = <Word extends string>(words: Words<Word>, code: number): Word | null =>
  code === 0 ? null : words.decode(code - 1)

/** Pairs of token and wallet by column; the pairs of a token are consecutive. */
export interface TraderPairs {
  tokenIds: number[]
  walletIds: number[]
}

/** Reads wallets, by id. */
export const readWallets = (
  client: Reader,
  ids: readonly ArrayLike<number>[],
  memory: { wallets: Shelf<TraderStore> },
): Promise<TraderStore> =>
  recall(memory.wallets, ids, async (missing) => {
    const rows = await readWalletRows(client, [missing])
    const wallets = new Map<number, TraderFacts>()
    for (const [at, id] of rows.id.entries()) {
      wallets.set(id, {
        id,
        kind: itemAt(rows.kind, at),
        firstSeenAt: orNull(rows.firstSeenAt[at]),
        firstFunderId: orNull(rows.firstFunderId[at]),
        reputation: orNull(rows.reputation[at]),
        confidence: rows.confidence[at] ?? null,
        classification: rows.classification[at] ?? null,
        balance: null,
      })
    }
    return wallets
  })

/** The row that `readWallets` would read about a wallet that was just scored. */
export const toTrader = (
  { id, kind, isService, firstSeenAt, firstFunderId }: WalletFacts,
  score: WalletScore,
): TraderFacts => ({
  id,
  kind: isService && (kind === 'account' || kind === 'contract') ? 'exchange' : kind,
  firstSeenAt,
  firstFunderId,
  reputation: score.reputationScore,
  confidence: score.confidence,
  classification: score.classification,
  balance: null,
})

/** Adds wallets to the cache that `readWallets` uses. */
export function rememberTraders(memory: { wallets: Shelf<TraderStore> }, traders: readonly TraderFacts[]): void {
  const { store, most } = memory.wallets
  for (const trader of traders) if (store.size < most || store.has(trader.id)) store.set(trader.id, trader)
}

/**
 * Returns a function that makes a token's traders when they are needed. Balances are read for smart money only, because
 * no score uses those of others.
 */
export async function readTraders(
  client: Reader,
  { tokenIds, walletIds }: TraderPairs,
  wallets: TraderStore,
  scales: ReadonlyMap<number, Scale>,
): Promise<(tokenId: number) => TraderFacts[]> {
  const asked: number[] = []
  for (const [at, walletId] of walletIds.entries()) if (wallets.isSmart(walletId)) asked.push(at)
  const found = await readBalances(client, [
    asked.map((at) => numberAt(tokenIds, at)),
    asked.map((at) => numberAt(walletIds, at)),
  ])
  const balances = new Float64Array(tokenIds.length)
  for (const [row, nth] of found.nth.entries()) balances[numberAt(asked, nth - 1)] = float64At(found.balance, row)
  const rangeOf = findRanges(tokenIds)
  return (tokenId) => {
    const unit = scales.get(tokenId)?.unit
    const traders: TraderFacts[] = []
    const { from, to } = rangeOf(tokenId)
    for (let at = from; at < to; at += 1) {
      const wallet = wallets.get(numberAt(walletIds, at))
      if (!wallet) continue
      if (unit && wallets.isSmart(wallet.id)) wallet.balance = float64At(balances, at) / unit
      traders.push(wallet)
    }
    return traders
  }
}
