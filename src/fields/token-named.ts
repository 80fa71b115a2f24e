// The tokens and wallets that a condition names, and the size of what these wallets trade.
import type { FieldRow } from './field.ts'

/** The most tokens, and the most wallets, that a condition names. */
const MOST_NAMED = 20

const ADDRESSES = { is: 'among', values: 'addresses', most: MOST_NAMED } as const

export const NAMED_FIELDS = {
  address: {
    conditions: {
      tokens: {
        ...ADDRESSES,
        what: 'addresses of tokens',
        text: `Only these tokens, by their addresses, ${MOST_NAMED} at most.`,
        for: 'alerts',
      },
    },
  },
  buyers: {
    conditions: {
      boughtBy: {
        ...ADDRESSES,
        what: 'addresses of wallets',
        text: `Only a token that one of these wallets just bought, ${MOST_NAMED} at most. Alerts alone take it.`,
        for: 'moments',
        began: 'bought by {}',
      },
    },
  },
  sellers: {
    conditions: {
      soldBy: {
        ...ADDRESSES,
        what: 'addresses of wallets',
        text: `Only a token that one of these wallets just sold, ${MOST_NAMED} at most. Alerts alone take it.`,
        for: 'moments',
        began: 'sold by {}',
      },
    },
  },
  traders: {
    conditions: {
      tradedBy: {
        ...ADDRESSES,
        what: 'addresses of wallets',
        text: `Only a token that one of these wallets just bought or sold, ${MOST_NAMED} at most. Alerts alone take it.`,
        for: 'moments',
        began: 'traded by {}',
      },
    },
  },
  tradeUsd: {
    unit: 'USD',
    conditions: {
      minAmountUsd: {
        is: 'least',
        min: 0,
        text: 'Only what a named wallet trades for at least this, in USD. It needs a condition that names wallets.',
        for: 'moments',
        page: ['Trade', [500, 5_000, 50_000]],
      },
      maxAmountUsd: {
        is: 'most',
        min: 0,
        text: 'Only what a named wallet trades for at most this, in USD. It needs a condition that names wallets.',
        for: 'moments',
        page: ['Trade', [500, 5_000, 50_000]],
      },
    },
  },
  exits: {
    conditions: {
      mirrorSales: {
        is: 'yes',
        text: 'Also tells which share of its position a wallet that bought sells or moves away, of tokens that this alert reported. It needs wallets that buy.',
        for: 'moments',
        page: ['Mirror sales', 'No mirrored sales'],
      },
      mirrorUnreported: {
        is: 'yes',
        text: 'Mirrors also sales of tokens that this alert did not report. It needs mirrored sales.',
        for: 'moments',
        page: ['Of any token', 'Of reported tokens'],
      },
    },
  },
} as const satisfies Record<string, FieldRow>
