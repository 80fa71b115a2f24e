// The holdings of wallets: the value of all holdings with a price, and the largest share of a token with whales. Only
// the 400 newest tokens of a wallet count. The terms of a token are read once for all wallets that hold it.

import { float64At, int32At, itemAt } from '../../base/item-at.ts'
import { defineRead, double, findRanges, integer, type Reader, type RowsOf, text } from '../../database/column-query.ts'
import { payableUsd } from '../present.ts'
import type { FactRules } from './facts.ts'
import { createPackedStore, createWords, recall, type Shelf, type Store } from './store.ts'

/** The facts of a token that a wallet holds or trades. */
export interface TokenTerms {
  /** Price of a whole token in dollars; 0 if price or decimals are unknown. */
  priceUsd: number
  /** Raw units of one whole token. */
  unit: number
  /** Supply in raw units, without burned tokens. */
  supply: number
  /** What its pools could pay: 0 where the newest check could not sell it. Infinity for the money of the chain. */
  sellableUsd: number
  /** The sector in the chain's preset, else the launch venue. */
  sector: string
}

/** A wallet's holdings in sum. */
export interface Holdings {
  holdingsUsd: number
  largestShare: number | null
}

const readTermRows = defineRead(
  'facts terms',
  {
    id: integer('id'),
    priceUsd: double('CASE WHEN decimals IS NULL THEN 0 ELSE price_usd END'),
    unit: double('10 ^ coalesce(decimals, 0)'),
    supply: double('(supply - burned)::float8'),
    payableUsd: double(payableUsd('t')),
    address: text('address'),
    launchpad: text('launchpad'),
  },
  (columns) => `SELECT ${columns} FROM token t WHERE id = ANY($1::int[])`,
)

// The order is fixed because sums of doubles depend on it.
const readPositionRows = defineRead(
  'facts positions',
  { walletId: integer('w.id'), tokenId: integer('p.token_id'), balance: double('p.balance::float8') },
  (columns) => `SELECT ${columns} FROM unnest($1::int[]) AS w(id)
    CROSS JOIN LATERAL (
      SELECT token_id, balance FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) p
    WHERE p.balance > 0 ORDER BY w.id, p.token_id DESC`,
)

/** Wallets' positions, with balances in raw units. */
type PositionRows = RowsOf<typeof readPositionRows>

export function createHoldingsStore(): Store<TokenTerms> {
  const sectors = createWords<string>()
  return createPackedStore<TokenTerms>(
    5,
    ({ priceUsd, unit, supply, sellableUsd, sector }) => [priceUsd, unit, supply, sellableUsd, sectors.encode(sector)],
    (_, cells, at) => ({
      priceUsd: float64At(cells, at),
      unit: float64At(cells, at + 1),
      supply: float64At(cells, at + 2),
      sellableUsd: float64At(cells, at + 3),
      sector: sectors.decode(float64At(cells, at + 4)),
    }),
  )
}

/** Reads the terms of tokens, by id. `sectors` has labels by token address; a token without one gets its launch venue. */
export const readTerms = (
  client: Reader,
  ids: readonly ArrayLike<number>[],
  sectors: Readonly<Record<string, string>>,
  memory: { rules: FactRules; tokens: Shelf<Store<TokenTerms>> },
): Promise<Store<TokenTerms>> =>
  recall(memory.tokens, ids, async (missing) => {
    const rows = await readTermRows(client, [missing])
    const quotes = new Set(memory.rules.quotes)
    const terms = new Map<number, TokenTerms>()
    for (const [at, id] of rows.id.entries()) {
      terms.set(id, {
        priceUsd: float64At(rows.priceUsd, at),
        unit: float64At(rows.unit, at),
        supply: float64At(rows.supply, at),
        sellableUsd: quotes.has(itemAt(rows.address, at)) ? Number.POSITIVE_INFINITY : float64At(rows.payableUsd, at),
        sector: sectors[itemAt(rows.address, at)] ?? itemAt(rows.launchpad, at),
      })
    }
    return terms
  })

/** Reads wallets' positions, each wallet's newest tokens first. */
export const readPositions = (client: Reader, walletIds: readonly number[]): Promise<PositionRows> =>
  readPositionRows(client, [walletIds])

/** Returns a function that sums up a wallet's holdings when they are needed. */
export function sumHoldings(
  { walletId: walletIds, tokenId: tokenIds, balance: balances }: PositionRows,
  terms: Pick<Store<TokenTerms>, 'get'>,
  whaleHoldingUsd: number,
): (walletId: number) => Holdings {
  const rangeOf = findRanges(walletIds)
  return (walletId) => {
    const { from, to } = rangeOf(walletId)
    const held: Holdings = { holdingsUsd: 0, largestShare: null }
    for (let at = from; at < to; at += 1) {
      const token = terms.get(int32At(tokenIds, at))
      if (!token || token.priceUsd <= 0) continue
      const balance = float64At(balances, at)
      const usd = Math.min((balance / token.unit) * token.priceUsd, token.sellableUsd)
      held.holdingsUsd += usd
      if (usd >= whaleHoldingUsd && token.supply !== 0)
        held.largestShare = Math.max(held.largestShare ?? 0, balance / token.supply)
    }
    return held
  }
}
