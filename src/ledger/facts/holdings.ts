// What wallets hold: dollars of all that is priced, and the largest share of a deep token. Bounded: the 400 newest tokens
// of a wallet. What a token's amounts are worth is read once, for however many wallets hold it.

import { defineRead, double, findRanges, integer, type Reader, type RowsOf, text } from '../../database/column-query.ts'
import type { FactRules } from './facts.ts'
import type { Memory } from './memory.ts'
import { createPackedStore, createWords, recall, type Store } from './store.ts'

/** What is asked of a token when a wallet holds or trades it. */
export interface TokenTerms {
  /** Dollars of a whole token; 0: not priced, or its decimals are not known. */
  priceUsd: number
  /** Raw units of one whole token. */
  unit: number
  /** Raw units in being, burned ones left out. */
  supply: number
  /** It has whales. */
  isDeep: boolean
  /** Label of the preset, else the launch venue. */
  sector: string
}

/** What a wallet's holdings come to. */
export interface Holdings {
  holdingsUsd: number
  largestShare: number | null
}

const termsRead = ({ whaleLiquidityUsd }: FactRules) =>
  defineRead(
    'facts terms',
    {
      id: integer('id'),
      priceUsd: double('CASE WHEN decimals IS NULL THEN 0 ELSE price_usd END'),
      unit: double('10 ^ coalesce(decimals, 0)'),
      supply: double('(supply - burned)::float8'),
      isDeep: integer(`(liquidity_usd >= ${whaleLiquidityUsd})::int`),
      address: text('address'),
      launchpad: text('launchpad'),
    },
    (columns) => `SELECT ${columns} FROM token WHERE id = ANY($1::int[])`,
  )

// The newest tokens first: sums of doubles depend on the order.
const readPositionRows = defineRead(
  'facts positions',
  { walletId: integer('w.id'), tokenId: integer('p.token_id'), balance: double('p.balance::float8') },
  (columns) => `SELECT ${columns} FROM unnest($1::int[]) AS w(id)
    CROSS JOIN LATERAL (
      SELECT token_id, balance FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) p
    WHERE p.balance > 0 ORDER BY w.id, p.token_id DESC`,
)

/** Raw amounts of tokens that wallets hold. */
type PositionRows = RowsOf<typeof readPositionRows>

export function createHoldingsStore(): Store<TokenTerms> {
  const sectors = createWords<string>()
  return createPackedStore<TokenTerms>(
    5,
    ({ priceUsd, unit, supply, isDeep, sector }) => [priceUsd, unit, supply, isDeep ? 1 : 0, sectors.encode(sector)],
    (_, cells, at) => ({
      priceUsd: cells[at] as number,
      unit: cells[at + 1] as number,
      supply: cells[at + 2] as number,
      isDeep: cells[at + 3] === 1,
      sector: sectors.decode(cells[at + 4] as number),
    }),
  )
}

/** Terms of tokens by id; `sectors`: labels by token address, which outrank launch venues. */
export const readTerms = (
  client: Reader,
  ids: readonly ArrayLike<number>[],
  sectors: Readonly<Record<string, string>>,
  memory: Memory,
): Promise<Store<TokenTerms>> =>
  recall(memory.tokens, ids, async (missing) => {
    const rows = await termsRead(memory.rules)(client, [missing])
    const terms = new Map<number, TokenTerms>()
    for (const [at, id] of rows.id.entries()) {
      terms.set(id, {
        priceUsd: rows.priceUsd[at] as number,
        unit: rows.unit[at] as number,
        supply: rows.supply[at] as number,
        isDeep: rows.isDeep[at] === 1,
        sector: sectors[rows.address[at] as string] ?? (rows.launchpad[at] as string),
      })
    }
    return terms
  })

/** Raw amounts of tokens that wallets hold, each wallet's newest tokens first. */
export const readPositions = (client: Reader, walletIds: readonly number[]): Promise<PositionRows> =>
  readPositionRows(client, [walletIds])

/** Holdings by wallet, summed up when they are asked for. */
export function sumHoldings(
  { walletId: walletIds, tokenId: tokenIds, balance: balances }: PositionRows,
  terms: Pick<Store<TokenTerms>, 'get'>,
): (walletId: number) => Holdings {
  const rangeOf = findRanges(walletIds)
  return (walletId) => {
    const { from, to } = rangeOf(walletId)
    const held: Holdings = { holdingsUsd: 0, largestShare: null }
    for (let at = from; at < to; at += 1) {
      const token = terms.get(tokenIds[at] as number)
      if (!token || token.priceUsd <= 0) continue
      const balance = balances[at] as number
      held.holdingsUsd += (balance / token.unit) * token.priceUsd
      if (token.isDeep && token.supply !== 0)
        held.largestShare = Math.max(held.largestShare ?? 0, balance / token.supply)
    }
    return held
  }
}
