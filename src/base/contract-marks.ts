// What the newest check of a token's contract found, in one whole number: lists, streams and alerts go by it. Bit by bit: the sale
// was tried, it went well, it failed, the code was looked into, the owner changed, and one bit per power; above them the tax of a
// sale in hundredths of a percent, plus one. 0: nothing is known. Pure.
import type { TokenFilter } from './filter.ts'
import { POWER_KINDS, type PowerKind } from './vocabulary.ts'

/** What the number holds. Null is not known. */
export interface ContractMarks {
  isChecked: boolean
  sellable: boolean | null
  /** What a sale loses, by trial or by real sales, whichever is more. */
  sellTaxPct: number | null
  /** Those that somebody can use. */
  powers: readonly PowerKind[] | null
  ownerChanged: boolean
}

const [CHECKED, SELLABLE, UNSELLABLE, LOOKED_INTO, OWNER_CHANGED] = [1, 2, 4, 8, 16]
const FIRST_POWER = 5
/** Everything below the tax. */
const TAX_SHIFT = FIRST_POWER + POWER_KINDS.length
const KNOWN_BITS = 2 ** TAX_SHIFT - 1

const powerBits = (powers: readonly PowerKind[]): number =>
  powers.reduce((bits, kind) => bits | (1 << (FIRST_POWER + POWER_KINDS.indexOf(kind))), 0)

/** The number for what was found. */
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

/** What a sale loses, in percent; null where it is not known. */
export function sellTaxOf(marks: number): number | null {
  const tax = marks >>> TAX_SHIFT
  return tax === 0 ? null : (tax - 1) / 100
}

/** What the number holds. */
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

/** Bits that must all be there, that must not, and of which one must; null: none must. */
export interface MarksRule {
  all: number
  none: number
  any: number | null
}

/** The rule of a filter; null where it says nothing of contracts. What is not known passes none that asks for it. */
export function toMarksRule(filter: ContractFilter): MarksRule | null {
  const { contractChecked, sellable, excludePowers = [], includePowers, ownerChanged } = filter
  const rule: MarksRule = { all: 0, none: 0, any: includePowers ? powerBits(includePowers) : null }
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

/** Whether the rule lets the number pass. */
export const allowsMarks = ({ all, none, any }: MarksRule, marks: number): boolean =>
  (marks & all) === all && (marks & none) === 0 && (any === null || (marks & any) !== 0)
