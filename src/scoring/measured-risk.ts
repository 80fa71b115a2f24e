// The inputs and the result of a risk.
import type { Confidence, RiskDimension } from '../base/vocabulary.ts'
import type { Dimension, Explanation } from '../ledger/explanation.ts'
import type { PreviousScore } from '../ledger/facts/facts.ts'
import type { LiquidityCounts } from '../verdict/facts.ts'
import type { TokenMeasures } from './measures.ts'

/** Dimensions with formulas of their own, which the composite contains through `capability` alone. */
export type FormulaDimension = Extract<RiskDimension, 'holders' | 'wash' | 'smart_money'>

export interface MeasuredRisk {
  measures: TokenMeasures
  counts: LiquidityCounts
  confidence: Confidence
  isPriced: boolean
  /** A base asset of the chain, which is not judged as a launch. */
  isQuote: boolean
  /** The score before, and the time of the block. */
  previous: PreviousScore | null
  time: number
  formulas: Readonly<Record<FormulaDimension, Dimension>>
}

/** All parts of an explanation except the token's block and confidence. */
export type ModelledRisk = Omit<Explanation, 'block' | 'hour' | 'confidenceReasons'>
