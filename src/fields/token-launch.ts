// What the wallets around the launch of a token hold of its supply, as its newest score found it. `docs/definitions.md`
// says who belongs to each group.
import type { FieldRow } from './field.ts'

const PRESETS = [0, 5, 10, 20]

/** The share of a group; `place` among the facts of alerts. */
const share = <Place extends number>(whoHolds: string, title: string, place: Place) =>
  ({
    scored: 'percent',
    nullable: true,
    unit: 'percent',
    shown: {
      type: 'Float',
      text: `What ${whoHolds} of the supply at its newest score, in percent; null where unknown.`,
      example: 12.5,
      rest: true,
      page: title,
    },
    exported: `what ${whoHolds} of the supply, in percent; null where unknown`,
    order: `What ${whoHolds} of the supply. Tokens whose share is unknown come last in both directions.`,
    alertFact: place,
  }) as const

const bound = <Is extends 'least' | 'most'>(is: Is, who: string, title: string) =>
  ({
    is,
    text: `The ${is === 'least' ? 'least' : 'largest'} share of ${who} in the supply, in percent, 0-100. A token whose share is unknown is left out.`,
    for: 'all',
    min: 0,
    max: 100,
    began: `the share of ${who} ${is === 'least' ? 'rose' : 'fell'} to {}`,
    // One chip for each group: traders ask for little of it.
    ...(is === 'most' && { page: [title, PRESETS] as const }),
  }) as const

export const LAUNCH_FIELDS = {
  sniperHeldPct: {
    ...share('snipers of its launch hold', 'Snipers', 9),
    conditions: {
      minSniperHeldPct: bound('least', 'snipers', 'Snipers'),
      maxSniperHeldPct: bound('most', 'snipers', 'Snipers'),
    },
  },
  bundlerHeldPct: {
    ...share('bundled wallets of its launch hold', 'Bundlers', 10),
    conditions: {
      minBundlerHeldPct: bound('least', 'bundled wallets', 'Bundlers'),
      maxBundlerHeldPct: bound('most', 'bundled wallets', 'Bundlers'),
    },
  },
  insiderHeldPct: {
    ...share('wallets linked to its maker hold', 'Insiders', 11),
    conditions: {
      minInsiderHeldPct: bound('least', 'insiders', 'Insiders'),
      maxInsiderHeldPct: bound('most', 'insiders', 'Insiders'),
    },
  },
  developerHeldPct: {
    ...share('its developer holds', 'Developer', 12),
    conditions: {
      minDeveloperHeldPct: bound('least', 'the developer', 'Developer'),
      maxDeveloperHeldPct: bound('most', 'the developer', 'Developer'),
    },
  },
  freshHeldPct: {
    ...share('fresh wallets of its launch hold', 'Fresh wallets', 13),
    conditions: {
      minFreshHeldPct: bound('least', 'fresh wallets', 'Fresh wallets'),
      maxFreshHeldPct: bound('most', 'fresh wallets', 'Fresh wallets'),
    },
  },
} as const satisfies Record<string, FieldRow>
