// Who holds a token, what they do with it, and since when it exists.
import type { FieldRow } from './field.ts'

/** The most launchpads that a filter names. */
const MOST_LAUNCHPADS = 20

export const HOLDER_FIELDS = {
  launchpad: {
    conditions: {
      launchpads: {
        is: 'among',
        values: 'texts',
        most: MOST_LAUNCHPADS,
        what: 'launchpads',
        text: `Only tokens of these launchpads, ${MOST_LAUNCHPADS} at most. Text, because the set is open: a launchpad that the chain lacks has no tokens.`,
        for: 'lists',
      },
    },
  },
  holderCount: {
    column: 'integer',
    unit: 'count',
    shown: { type: 'Int', text: 'How many addresses hold it.', example: 18 },
    exported: 'addresses with a balance',
    order: 'How many addresses hold it.',
    board: 'count',
    conditions: {
      minHolders: { is: 'least', text: 'The least number of holders, 0 or more.', for: 'lists', min: 0, whole: true },
      maxHolders: { is: 'most', text: 'The largest number of holders, 0 or more.', for: 'lists', min: 0, whole: true },
    },
  },
  fundedHolderCount: {
    unit: 'count',
    column: 'integer',
    exported: 'accounts that held $1 or more when their balance last changed; null without a price',
    order: 'How many of them hold at least $1 of it, without contracts.',
    board: 'count',
  },
  fundedHolderCount1hAgo: { unit: 'count', column: 'integer', board: 'count' },
  holderGrowth1hPct: {
    unit: 'percent',
    order: 'The growth of the number of holders over the past hour in percent.',
    conditions: {
      minHolderGrowth1hPct: {
        is: 'least',
        text: 'The least growth of the number of holders over the past hour in percent; may be negative.',
        for: 'all',
        began: 'holders grew {} in an hour',
        page: ['Holders 1 h', [0, 5, 20]],
      },
    },
  },
  buyerCount: {
    column: 'integer',
    unit: 'count',
    shown: {
      type: 'Int',
      text: 'How many wallets ever bought it.',
      example: 18,
      page: 'Buyers ever',
    },
    exported: 'wallets that ever bought it',
    order: 'How many wallets ever bought it.',
    board: 'count',
  },
  eventCount: {
    unit: 'count',
    shown: { type: 'Int', text: 'How many events it has.', example: 18 },
    exported: 'its events',
    order: 'How many events it has.',
    board: 'count',
  },
  swapCount: {
    unit: 'count',
    shown: { type: 'Int', text: 'How many of them are swaps.', example: 18, page: 'Swaps ever' },
    exported: 'swaps',
    order: 'How many swaps it has.',
    board: 'count',
  },
  createdAt: { order: 'The time of creation.' },
  ageHours: {
    unit: 'hours',
    conditions: {
      maxAgeHours: {
        is: 'most',
        text: 'The greatest age in hours, 0 or more.',
        for: 'all',
        min: 0,
        began: 'age is {}',
        page: ['Age', [1, 24, 168, 720]],
      },
      minAgeHours: { is: 'least', text: 'The least age in hours, 0 or more.', for: 'lists', min: 0 },
    },
  },
} as const satisfies Record<string, FieldRow>
