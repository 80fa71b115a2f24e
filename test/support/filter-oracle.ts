// Whether a token passes a filter, field by field: a second implementation, which `toTest` and the matcher of alerts have
// to agree with.
import {
  CONFIDENCES,
  type Confidence,
  POWER_KINDS,
  RISK_FLAGS,
  type RiskFlag,
  toFlagBits,
} from '../../src/base/vocabulary.ts'
import { unpackMarks } from '../../src/fields/contract-marks.ts'
import { ageHours, holderGrowthPct } from '../../src/fields/formulas.ts'
import { foldCase, type TokenScreen, toAddressPrefix } from '../../src/fields/screen.ts'
import type { FilterFacts } from '../../src/fields/to-test.ts'
import { ALERT_NUMBERS, type AlertNumbers, alertNumbersOf, CONDITION_ROWS } from '../../src/fields/token.ts'

/** The facts of a token that a screen reads, at one block. */
export interface ScreenFacts extends AlertNumbers {
  address: string
  /** The wallets that traded it in the block; left out: nobody knows. */
  buyers?: readonly string[]
  sellers?: readonly string[]
  traders?: readonly string[]
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

/** The same facts as filters read them. */
export const toFacts = ({ riskFlags, confidence, ...facts }: ScreenFacts): FilterFacts => ({
  ...facts,
  ...(alertNumbersOf(facts) as Required<AlertNumbers>),
  flagBits: toFlagBits(riskFlags),
  confidence: CONFIDENCES.indexOf(confidence),
  sellTaxPct: unpackMarks(facts.contractMarks).sellTaxPct ?? Number.NaN,
  holderGrowth1hPct: holderGrowthPct(facts.fundedHolderCount, facts.fundedHolderCount1hAgo),
  ageHours: ageHours(facts.createdAtMs, facts.nowMs),
})

const isWithin = (value: number | null, least?: number, most?: number): boolean =>
  (least === undefined && most === undefined) ||
  (value !== null && value >= (least ?? -Infinity) && value <= (most ?? Infinity))

/** The bounds of a screen on a field. */
const boundsOn = (name: string, screen: TokenScreen): (number | undefined)[] =>
  (['least', 'most'] as const).map((is) => {
    const condition = CONDITION_ROWS.find(([, row]) => row.field === name && row.is === is)?.[0]
    return condition && (screen[condition] as number | undefined)
  })

const isAnyOf = (named: readonly string[] | undefined, known: readonly string[] = []): boolean =>
  named === undefined || known.some((one) => named.includes(one))

/** Whether a list with this filter has the token. All bounds are inclusive. */
export function passes(screen: TokenScreen, facts: ScreenFacts): boolean {
  const { isChecked, sellable, sellTaxPct, powers, ownerChanged } = unpackMarks(facts.contractMarks)
  const growth = holderGrowthPct(facts.fundedHolderCount, facts.fundedHolderCount1hAgo)
  const age = ageHours(facts.createdAtMs, facts.nowMs)
  const { launchpads, minConfidence, addresses, search, and, or, not } = screen
  return (
    isWithin(facts.liquidityUsd, screen.minLiquidityUsd, screen.maxLiquidityUsd) &&
    isWithin(facts.marketCapUsd, screen.minMarketCapUsd, screen.maxMarketCapUsd) &&
    isWithin(facts.volume24hUsd, screen.minVolume24hUsd) &&
    isWithin(facts.riskScore, screen.minRiskScore, screen.maxRiskScore) &&
    isWithin(facts.holderCount, screen.minHolders, screen.maxHolders) &&
    isWithin(growth, screen.minHolderGrowth1hPct) &&
    isWithin(age, screen.minAgeHours, screen.maxAgeHours) &&
    isWithin(sellTaxPct, screen.minSellTaxPct, screen.maxSellTaxPct) &&
    ALERT_NUMBERS.every((name) => isWithin(facts[name] ?? null, ...(boundsOn(name, screen) as [number?, number?]))) &&
    !screen.excludeFlags?.some((flag) => facts.riskFlags.includes(flag)) &&
    (!screen.includeFlags ||
      RISK_FLAGS.some((flag) => screen.includeFlags?.includes(flag) && facts.riskFlags.includes(flag))) &&
    (screen.contractChecked ?? isChecked) === isChecked &&
    (screen.sellable === undefined || sellable === screen.sellable) &&
    (screen.ownerChanged !== true || ownerChanged) &&
    (screen.ownerChanged !== false || (powers !== null && !ownerChanged)) &&
    (!screen.excludePowers?.length ||
      (powers !== null && !powers.some((power) => screen.excludePowers?.includes(power)))) &&
    (!screen.includePowers ||
      POWER_KINDS.some((power) => screen.includePowers?.includes(power) && powers?.includes(power))) &&
    (launchpads?.includes(facts.launchpad) ?? true) &&
    (!minConfidence || CONFIDENCES.indexOf(facts.confidence) >= CONFIDENCES.indexOf(minConfidence)) &&
    (addresses?.includes(facts.address) ?? true) &&
    (screen.tokens?.includes(facts.address) ?? true) &&
    isAnyOf(screen.boughtBy, facts.buyers) &&
    isAnyOf(screen.soldBy, facts.sellers) &&
    isAnyOf(screen.tradedBy, facts.traders) &&
    (search === undefined || isFound(search, facts)) &&
    (and?.every((part) => passes(part, facts)) ?? true) &&
    (or?.some((part) => passes(part, facts)) ?? true) &&
    !(not && passes(not, facts))
  )
}

function isFound(search: string, { symbol, name, address }: ScreenFacts): boolean {
  const part = foldCase(search)
  const prefix = toAddressPrefix(search)
  return (
    foldCase(symbol).includes(part) || foldCase(name).includes(part) || (prefix !== null && address.startsWith(prefix))
  )
}
