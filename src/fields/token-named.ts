// The tokens and wallets that a condition names.
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
} as const satisfies Record<string, FieldRow>
