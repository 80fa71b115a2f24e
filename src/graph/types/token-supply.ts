// How much of a token there is, and what that is worth at its price.
import { toMeaning, toUsd } from '../../base/amount.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'

type Raw = { toFixed(): string }

/** Raw units as whole tokens; null when the decimals are not known. */
const toWhole = (raw: Raw, decimals: number | null) =>
  decimals === null ? null : Number(`${raw.toFixed()}e-${decimals}`)

const atLeastZero = (whole: number | null): number | null => whole && Math.max(0, whole)

/** A number that says something only where both are known and above 0. */
const ratio = (part: number, whole: number): number | null => (part > 0 && whole > 0 ? toMeaning(part / whole) : null)

builder.prismaObjectFields(TokenObject, (t) => ({
  supply: t.float({
    nullable: true,
    description:
      'Whole tokens in being, with those that lie at burn addresses or in lockers; null when the decimals are not known. What was sent to the zero address has left the supply.',
    select: { supply: true, decimals: true },
    resolve: (token) => toWhole(token.supply, token.decimals),
  }),
  rawSupply: t.field({
    type: 'BigInt',
    description: 'The supply in raw units, exactly.',
    select: { supply: true },
    resolve: ({ supply }) => BigInt(supply.toFixed()),
  }),
  rawBurned: t.field({
    type: 'BigInt',
    description: 'What of it lies at burn addresses, in raw units.',
    select: { burned: true },
    resolve: ({ burned }) => BigInt(burned.toFixed()),
  }),
  rawLocked: t.field({
    type: 'BigInt',
    description: 'What of it lies with known lockers, in raw units.',
    select: { locked: true },
    resolve: ({ locked }) => BigInt(locked.toFixed()),
  }),
  burned: t.float({
    nullable: true,
    description: 'Whole tokens of the supply that lie at burn addresses; null when the decimals are not known.',
    select: { burned: true, decimals: true },
    resolve: (token) => toWhole(token.burned, token.decimals),
  }),
  locked: t.float({
    nullable: true,
    description:
      'Whole tokens of the supply that lie with known lockers, vesting ones included, whether or not a lock has ended: what is free counts once it has left. Null when the decimals are not known.',
    select: { locked: true, decimals: true },
    resolve: (token) => toWhole(token.locked, token.decimals),
  }),
  circulatingSupply: t.float({
    nullable: true,
    description:
      'Whole tokens that can be sold: supply - burned - locked. Null when the decimals are not known. Vesting contracts that are no known lockers are not seen, so it may be too large.',
    select: { supply: true, burned: true, locked: true, decimals: true },
    resolve: ({ supply, burned, locked, decimals }) => atLeastZero(toWhole(supply.sub(burned).sub(locked), decimals)),
  }),
  fdvUsd: t.float({
    nullable: true,
    description:
      'The fully diluted value in USD: price x (supply - burned), locked and unvested tokens included, as CoinGecko and DexScreener count it. Tokens that could still be minted are not in it, since no log tells how many. Null when it is not priced.',
    select: { supply: true, burned: true, decimals: true },
    resolve: ({ supply, burned, decimals, priceUsd, marketCapUsd }) => {
      const whole = atLeastZero(toWhole(supply.sub(burned), decimals))
      // The cap is a part of it, and is rounded on another way.
      return priceUsd > 0 && whole !== null ? Math.max(toUsd(priceUsd * whole), marketCapUsd) : null
    },
  }),
  capToLiquidity: t.float({
    nullable: true,
    description:
      'The market cap divided by the liquidity: how many USD of cap stand on one in the pools. Above 100 the cap could not be sold at anything like its price. Null when either is 0 or unknown.',
    resolve: ({ marketCapUsd, liquidityUsd }) => ratio(marketCapUsd, liquidityUsd),
  }),
}))
