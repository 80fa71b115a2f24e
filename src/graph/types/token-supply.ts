// The supply of a token, and its value at the token's price.
import { toMeaning, toUsd } from '../../base/amount.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'

type Raw = { toFixed(): string }

/** Raw units as whole tokens; null when the decimals are not known. */
const toWhole = (raw: Raw, decimals: number | null) =>
  decimals === null ? null : Number(`${raw.toFixed()}e-${decimals}`)

/** The number, or null unless both inputs are known and above 0. */
const ratio = (part: number, whole: number): number | null => (part > 0 && whole > 0 ? toMeaning(part / whole) : null)

/** A cap this far below price x supply is bounded by what emptied pools could pay; a smaller difference is rounding. */
const BOUND = 0.999

builder.prismaObjectFields(TokenObject, (t) => ({
  supply: t.float({
    nullable: true,
    description:
      'Whole tokens in existence, including those at burn addresses or in lockers; null for unknown decimals. Tokens sent to the zero address have left the supply.',
    select: { supply: true, decimals: true },
    resolve: (token) => toWhole(token.supply, token.decimals),
  }),
  rawSupply: t.field({
    type: 'BigInt',
    description: 'The supply in raw units, exactly.',
    select: { supply: true },
    resolve: ({ supply }) => BigInt(supply.toFixed()),
  }),
  unloggedSupply: t.float({
    nullable: true,
    description:
      'Whole tokens of the supply that the contract told and no indexed log made: older than the index, or made without a Transfer. Below zero the logs made more than the contract told. Null for unknown decimals, and while the contract tells no supply. `supply` is what the contract told last, then changed by the logs.',
    select: { unlogged: true, decimals: true },
    resolve: (token) => (token.unlogged === null ? null : toWhole(token.unlogged, token.decimals)),
  }),
  rawBurned: t.field({
    type: 'BigInt',
    description: 'The part of it at burn addresses, in raw units.',
    select: { burned: true },
    resolve: ({ burned }) => BigInt(burned.toFixed()),
  }),
  rawLocked: t.field({
    type: 'BigInt',
    description: 'The part of it with known lockers, in raw units.',
    select: { locked: true },
    resolve: ({ locked }) => BigInt(locked.toFixed()),
  }),
}))

// Whole tokens and their value.
builder.prismaObjectFields(TokenObject, (t) => ({
  burned: t.float({
    nullable: true,
    description: 'Whole tokens of the supply at burn addresses; null for unknown decimals.',
    select: { burned: true, decimals: true },
    resolve: (token) => toWhole(token.burned, token.decimals),
  }),
  locked: t.float({
    nullable: true,
    description:
      'Whole tokens of the supply with known lockers, including vesting ones, even after a lock has ended: tokens count as free once they have left. Null for unknown decimals.',
    select: { locked: true, decimals: true },
    resolve: (token) => toWhole(token.locked, token.decimals),
  }),
  circulatingSupply: t.float({
    nullable: true,
    description:
      'Whole tokens that can be sold: supply - burned - locked. Null for unknown decimals. Unknown vesting contracts are not subtracted, so it may be too large.',
    resolve: ({ circulatingSupply }) => circulatingSupply,
  }),
  fdvUsd: t.float({
    nullable: true,
    description:
      'The fully diluted value in USD: price x (supply - burned), including locked and unvested tokens, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, because no log tells how many. Null when it is not priced, and for a pulled token whose pools are nearly empty.',
    resolve: ({ dilutedSupply, circulatingSupply, priceUsd, marketCapUsd }) => {
      if (marketCapUsd < BOUND * priceUsd * (circulatingSupply ?? 0)) return null
      // The cap is a part of it, and is rounded in another way.
      return priceUsd > 0 && dilutedSupply !== null ? Math.max(toUsd(priceUsd * dilutedSupply), marketCapUsd) : null
    },
  }),
  capToLiquidity: t.float({
    nullable: true,
    description:
      'The market cap divided by the liquidity: USD of cap per USD in the pools. Above 100 the cap could not be sold at anything like its price. Null when either is 0 or unknown.',
    resolve: ({ marketCapUsd, liquidityUsd }) => ratio(marketCapUsd, liquidityUsd),
  }),
}))
