// The newest check of a token's contract in one whole number, for lists, streams and alerts. Bit by bit: the sale was
// tried, it went well, it failed, the code was analysed, the owner changed, and one bit per power. Above them is the
// tax of a sale in hundredths of a percent, plus one. 0: nothing is known. Pure.
import { POWER_KINDS, type PowerKind } from '../base/vocabulary.ts'
import type { TokenFilter } from './filter.ts'

/** The content of the number. Null is unknown. */
export interface ContractMarks {
  isChecked: boolean
  sellable: boolean | null
  /** The loss of a sale, by trial or by real sales, whichever is larger. */
  sellTaxPct: number | null
  /** The powers of accounts over its holders. */
  powers: readonly PowerKind[] | null
  ownerChanged: boolean
}

const [CHECKED, SELLABLE, UNSELLABLE, LOOKED_INTO, OWNER_CHANGED] = [1, 2, 4, 8, 16]
const FIRST_POWER = 5
/** All bits below the tax. */
const TAX_SHIFT = FIRST_POWER + POWER_KINDS.length
const KNOWN_BITS = 2 ** TAX_SHIFT - 1

const powerBits = (powers: readonly PowerKind[]): number =>
  powers.reduce((bits, kind) => bits | (1 << (FIRST_POWER + POWER_KINDS.indexOf(kind))), 0)

/** The number of a check. */
export function packMarks({ isChecked, sellable, sellTaxPct, powers, ownerChanged }: ContractMarks): number {
  const tax = sellTaxPct === null ? 0 : Math.round(sellTaxPct * 100) + 1
  return (
    (isChecked ? CHECKED : 0) |
    (sellable === null ? 0 : sellable ? SELLABLE : UNSELLABLE) |
    (powers ? LOOKED_INTO | powerBits(powers) : 0) |
    (ownerChanged ? OWNER_CHANGED : 0) |
    (tax << TAX_SHIFT)
  )
}

/** The loss of a sale, in percent; null if unknown. */
export function sellTaxOf(marks: number): number | null {
  const tax = marks >>> TAX_SHIFT
  return tax === 0 ? null : (tax - 1) / 100
}

/** The content of the number. */
export const unpackMarks = (marks: number): ContractMarks => ({
  isChecked: (marks & CHECKED) !== 0,
  sellable: (marks & SELLABLE) !== 0 ? true : (marks & UNSELLABLE) !== 0 ? false : null,
  sellTaxPct: sellTaxOf(marks),
  powers: (marks & LOOKED_INTO) === 0 ? null : POWER_KINDS.filter((kind) => (marks & powerBits([kind])) !== 0),
  ownerChanged: (marks & OWNER_CHANGED) !== 0,
})

/** The number without the tax: few tokens differ in it. */
export const withoutTax = (marks: number): number => marks & KNOWN_BITS

type ContractFilter = Pick<
  TokenFilter,
  'contractChecked' | 'sellable' | 'excludePowers' | 'includePowers' | 'ownerChanged'
>

/** The required bits, the forbidden ones, and the alternatives, which need at least one; null: none. */
export interface BitRule {
  all: number
  none: number
  any: number | null
}

/** The rule of a filter; null if it has no condition on contracts. An unknown value passes no condition on it. */
export function toMarksRule(filter: ContractFilter): BitRule | null {
  const { contractChecked, sellable, excludePowers = [], includePowers, ownerChanged } = filter
  const rule: BitRule = { all: 0, none: 0, any: includePowers ? powerBits(includePowers) : null }
  if (contractChecked !== undefined) rule[contractChecked ? 'all' : 'none'] |= CHECKED
  if (sellable !== undefined) rule.all |= sellable ? SELLABLE : UNSELLABLE
  if (excludePowers.length > 0) {
    rule.all |= LOOKED_INTO
    rule.none |= powerBits(excludePowers)
  }
  if (ownerChanged === true) rule.all |= OWNER_CHANGED
  if (ownerChanged === false) {
    rule.all |= LOOKED_INTO
    rule.none |= OWNER_CHANGED
  }
  return rule.all === 0 && rule.none === 0 && rule.any === null ? null : rule
}
