// Reads wallets by id or address, with their newest score. The statements are hand-written and prepared, for speed.
import type { Classification, EventType } from '../../base/vocabulary.ts'
import { selectOf } from '../../fields/noun.ts'
import { IN_CLUSTER, OWN_CLASS, SHOWN_WALLET, type ShownWallet, WALLET_FIELDS } from '../../fields/wallet.ts'
import type { Reading } from './consistent-read.ts'

/** A wallet with its newest score; without a score it has the prior reputation. */
export interface WalletRow extends ShownWallet {
  id: number
  address: string
  firstFunderId: number | null
  realisedUsd: number
  /** Classes from the wallet's own actions, with commas; null: not scored. `toClassifications` has all of them. */
  ownClasses: string | null
  /** Events of each type. */
  countByType: Record<EventType, number>
}

/** Columns of `wallet w LEFT JOIN wallet_score s`. Without a score they give the prior, and the class from the wallet's kind. */
const { reputationScore, reputationConfidence, classification } = WALLET_FIELDS
export const WALLET_SCORE_COLUMNS = `s.classifications AS "ownClasses", ${selectOf(
  Object.entries({ reputationScore, reputationConfidence, classification }),
)}`

/**
 * The condition that a wallet is classified as one of the words of the parameter. A cluster is looked up last, and only
 * if it matters.
 */
export const isClassified = (words: string): string =>
  `((${OWN_CLASS} = ANY (${words}) AND ('sybil' = ANY (${words}) OR NOT (${IN_CLUSTER})))
    OR ('sybil' = ANY (${words}) AND ${IN_CLUSTER}))`

/** The condition that none of the classes of a wallet is one of the words of the parameter. */
export const hasNoClass = (words: string): string =>
  `NOT (string_to_array(coalesce(nullif(s.classifications, ''), ${OWN_CLASS}), ',') && ${words}
    OR ('sybil' = ANY (${words}) AND ${IN_CLUSTER}))`

/** All classes that apply, in order. The class of a cluster comes from the tokens' scores, and precedes the others. */
export function toClassifications({
  classification,
  ownClasses,
}: Pick<WalletRow, 'classification' | 'ownClasses'>): Classification[] {
  const own = (ownClasses || classification).split(',') as Classification[]
  return own.includes(classification) ? own : [classification, ...own]
}

/** Columns of `wallet w LEFT JOIN wallet_score s`. */
export const WALLET_COLUMNS = `w.id, w.address, ${selectOf(SHOWN_WALLET)}, s.classifications AS "ownClasses",
  w.first_funder_id AS "firstFunderId", w.realised_usd AS "realisedUsd",
  json_build_object('swap', w.swap_count, 'liquidity_add', w.liquidity_add_count,
    'liquidity_remove', w.liquidity_remove_count, 'transfer', w.transfer_count) AS "countByType"`

const FROM = 'FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id'

/** Wallets with these ids, indexed or not, in any order. */
export const readWalletsById = (reading: Reading, ids: readonly number[]): Promise<WalletRow[]> =>
  reading.query({
    name: 'wallets by id',
    text: `SELECT ${WALLET_COLUMNS} ${FROM} WHERE w.id = ANY ($1::int[])`,
    values: [ids],
  })

/** The wallets with these addresses that are indexed, in any order. */
export const readWalletsByAddress = (reading: Reading, addresses: readonly string[]): Promise<WalletRow[]> =>
  reading.query({
    name: 'wallets by address',
    text: `SELECT ${WALLET_COLUMNS} ${FROM} WHERE w.indexed AND w.address = ANY ($1::text[])`,
    values: [addresses],
  })

/** Indexed wallets whose addresses begin with the digits (0x and up to 40 of them), by address. */
export const readWalletsByPrefix = (reading: Reading, prefix: string, most: number): Promise<WalletRow[]> =>
  reading.query({
    name: 'wallets by prefix',
    text: `SELECT ${WALLET_COLUMNS} ${FROM} WHERE w.indexed AND w.address BETWEEN $1 AND $2 ORDER BY w.address LIMIT $3`,
    values: [prefix.padEnd(42, '0'), prefix.padEnd(42, 'f'), most],
  })
