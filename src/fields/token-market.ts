// What the market says of a token: price, liquidity and volume.
import type { FieldRow } from './field.ts'

export const MARKET_FIELDS = {
  priceUsd: { order: 'The price in USD.' },
  liquidityUsd: {
    column: 'double',
    unit: 'USD',
    shown: {
      type: 'Float',
      text: 'The value of both sides of its pools in USD. Of a quote token: of all its pools.',
      example: 1390.8,
    },
    exported: 'the value of both sides of its pools',
    order: 'The liquidity in USD.',
    board: 'double',
    conditions: {
      minLiquidityUsd: {
        is: 'least',
        text: 'The least liquidity in USD, 0 or more.',
        for: 'all',
        min: 0,
        began: 'liquidity rose to {}',
        page: ['Liquidity', [1_000, 10_000, 100_000, 1_000_000]],
      },
      maxLiquidityUsd: { is: 'most', text: 'The most liquidity in USD, 0 or more.', for: 'lists', min: 0 },
    },
  },
  peakLiquidityUsd: {
    column: 'double',
    unit: 'USD',
    shown: { type: 'Float', text: 'The peak of its liquidity, in USD.', example: 1390.8 },
    exported: 'the peak of it',
    order: 'The peak of its liquidity in USD.',
    board: 'double',
  },
  marketCapUsd: {
    unit: 'USD',
    order: 'The market cap in USD.',
    conditions: {
      maxMarketCapUsd: {
        is: 'most',
        text: 'The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it.',
        for: 'all',
        min: 0,
        began: 'market cap fell to {}',
        page: ['Market cap', [100_000, 1_000_000, 10_000_000]],
      },
      minMarketCapUsd: {
        is: 'least',
        text: 'The smallest market cap in USD, 0 or more.',
        for: 'all',
        min: 0,
        began: 'market cap rose to {}',
        page: ['Market cap', [10_000, 100_000, 1_000_000]],
      },
    },
  },
  volume24hUsd: {
    unit: 'USD',
    exported: 'the volume of 24 hours',
    order: 'The volume in USD over the trailing 24 hours.',
    board: 'double',
    conditions: {
      minVolume24hUsd: {
        is: 'least',
        text: 'The least volume in USD over the trailing 24 hours, 0 or more.',
        for: 'lists',
        min: 0,
      },
    },
  },
} as const satisfies Record<string, FieldRow>
