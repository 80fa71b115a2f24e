// Whether one token passes a screen. The board and the ledger's SQL have the same rule for lists; streams use this one
// for single tokens. Pure.
import { allowsMarks, sellTaxOf, toMarksRule } from './contract-marks.ts'
import { ageHours, holderGrowthPct } from './filter.ts'
import { BOUND_FIELDS, type BoundMeasure, foldCase, TOKEN_BOUNDS, type TokenScreen, toAddressPrefix } from './screen.ts'
import { CONFIDENCES, type Confidence, type RiskFlag } from './vocabulary.ts'

/** The facts of a token that a screen reads, at one block. */
export interface ScreenFacts {
  address: string
  symbol: string
  name: string
  launchpad: string
  confidence: Confidence
  riskFlags: readonly RiskFlag[]
  /** The newest contract check, in the form of `contract-marks.ts`. */
  contractMarks: number
  liquidityUsd: number
  marketCapUsd: number
  volume24hUsd: number
  riskScore: number
  holderCount: number
  /** Holders with a dollar that are not contracts. */
  fundedHolderCount: number
  fundedHolderCount1hAgo: number
  /** Time of creation and of the block, in milliseconds since 1970. */
  createdAtMs: number
  nowMs: number
}

function numberOf(facts: ScreenFacts, measure: BoundMeasure): number | null {
  if (measure === 'sellTaxPct') return sellTaxOf(facts.contractMarks)
  if (measure === 'ageHours') return ageHours(facts.createdAtMs, facts.nowMs)
  if (measure === 'holderGrowth1hPct') return holderGrowthPct(facts.fundedHolderCount, facts.fundedHolderCount1hAgo)
  return facts[measure]
}

/** Whether a list with this screen has the token. All bounds are inclusive. */
export function passes(screen: TokenScreen, facts: ScreenFacts): boolean {
  for (const field of BOUND_FIELDS) {
    const bound = screen[field]
    if (bound === undefined) continue
    const { measure, least } = TOKEN_BOUNDS[field]
    const value = numberOf(facts, measure)
    if (value === null || (least ? value < bound : value > bound)) return false
  }
  const { excludeFlags, includeFlags, launchpads, minConfidence, addresses, search, and, or, not } = screen
  if (excludeFlags && facts.riskFlags.some((flag) => excludeFlags.includes(flag))) return false
  if (includeFlags && !facts.riskFlags.some((flag) => includeFlags.includes(flag))) return false
  const marks = toMarksRule(screen)
  if (marks && !allowsMarks(marks, facts.contractMarks)) return false
  if (launchpads && !launchpads.includes(facts.launchpad)) return false
  if (minConfidence && CONFIDENCES.indexOf(facts.confidence) < CONFIDENCES.indexOf(minConfidence)) return false
  if (addresses && !addresses.includes(facts.address)) return false
  if (search !== undefined && !isFound(search, facts)) return false
  if (and && !and.every((part) => passes(part, facts))) return false
  if (or && !or.some((part) => passes(part, facts))) return false
  return !(not && passes(not, facts))
}

function isFound(search: string, { symbol, name, address }: ScreenFacts): boolean {
  const part = foldCase(search)
  const prefix = toAddressPrefix(search)
  return (
    foldCase(symbol).includes(part) || foldCase(name).includes(part) || (prefix !== null && address.startsWith(prefix))
  )
}
