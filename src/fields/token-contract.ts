// What the newest check of a token's contract found. `contract-marks.ts` keeps it in one number.
import type { FieldRow } from './field.ts'

export const CONTRACT_FIELDS = {
  contractMarks: {
    conditions: {
      contractChecked: {
        is: 'yes',
        text: 'Whether a sale of it was tried.',
        for: 'alerts',
        began: 'its contract was checked',
        page: ['Contract checked', 'Contract not checked'],
      },
      sellable: {
        is: 'yes',
        text: 'Whether it could be sold when it was last tried. A token that was not tried passes neither.',
        for: 'alerts',
        began: 'it {} be sold',
        page: ['Can be sold', 'Cannot be sold'],
      },
    },
  },
  sellTaxPct: {
    unit: 'percent',
    nullable: true,
    order:
      'What a sale loses in percent, by trial or by real sales, whichever is more. Tokens without a known tax come last in both directions.',
    conditions: {
      minSellTaxPct: {
        is: 'least',
        text: 'The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more.',
        for: 'alerts',
        min: 0,
        max: 100,
        began: 'the tax of a sale rose to {}',
        page: ['Sell tax', [5, 10, 50]],
      },
      maxSellTaxPct: {
        is: 'most',
        text: 'The largest tax of a sale in percent, 0-100. A token whose tax is not known is left out.',
        for: 'alerts',
        min: 0,
        max: 100,
        began: 'the tax of a sale fell to {}',
        page: ['Sell tax', [0, 1, 5, 10]],
      },
    },
  },
  powers: {
    conditions: {
      excludePowers: {
        is: 'none',
        of: 'powers',
        text: 'Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed.',
        for: 'alerts',
        began: 'an excluded power is gone',
      },
      includePowers: {
        is: 'any',
        of: 'powers',
        text: 'Only tokens with at least one of these powers over their holders.',
        for: 'alerts',
        began: 'somebody can now: {}',
      },
      ownerChanged: {
        is: 'yes',
        text: 'Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither.',
        for: 'alerts',
        began: 'the owner of its contract changed',
        page: ['Owner changed', 'Owner not changed'],
      },
    },
  },
} as const satisfies Record<string, FieldRow>
