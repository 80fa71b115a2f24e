// The fields of a held amount, which holders and positions share.
import { isRebasing } from '../../safety/rebasing.ts'
import { sellableUsd } from '../../scoring/sellable.ts'
import type { GraphContext } from '../context.ts'

type Held = Parameters<typeof sellableUsd>[0] & { tokenId: number; hasDecimals: boolean; valueUsd: number }

export const HELD = {
  quantity: {
    nullable: true,
    description: 'The amount held, in whole tokens; null when the decimals are not known.',
    resolve: (held: Held) => (held.hasDecimals ? held.quantity : null),
  },
  valueUsd: {
    nullable: true,
    description:
      'The value of the holding in USD, at most the sum that the pools of the token could pay. Null when the token is not priced.',
    resolve: (held: Held) => (held.priceUsd > 0 ? held.valueUsd : null),
  },
  sellableUsd: {
    nullable: true,
    description:
      'The estimated proceeds of selling the whole holding at once, in USD and without fees. All pricing pools count as one constant-product pool of their depth, so a tenth of the pool brings less than its value. 0 while the newest contract check says that nobody can sell. Null when the token is not priced, or only by a launch curve.',
    resolve: (held: Held) => sellableUsd(held),
  },
  rebasing: {
    nullable: true,
    description:
      'Whether the token changes balances without Transfers. Then quantity and values are sums of Transfers, and the contract has others. Null when no contract check sampled balances.',
    resolve: async ({ tokenId }: Held, _: unknown, { loaders }: GraphContext) =>
      isRebasing((await loaders.sellCheck.load(tokenId))?.balancesDiffer ?? null),
  },
} as const
