// The verdict on a token: one value, which every face of it renders. Findings are in the order in which they matter.
import type { Confidence, FindingTopic, ReasonKind, RiskLevel } from '../base/vocabulary.ts'

/** The headline of a token that nobody judges: its level says nothing. */
export const NOT_JUDGED = 'Money of this chain: its risk is not judged.'

/** One fact about a token. */
export interface VerdictFinding {
  kind: ReasonKind
  topic: FindingTopic
  /** Its word: that of its floor, or of its subject among the reasons. */
  name: string
  /** The least risk that the fact alone implies, 0-100. It belongs to the fact, wherever it stands. */
  severity: number
  /** Plain words with the measured size. */
  text: string
  /** The points of the fact in the score, two digits; negative if they lower it. */
  points: number
  /** When it was seen, in seconds since 1970, and at which block. Null: as of the score's own block. */
  since: number | null
  block: number | null
}

/** Something that nobody knows about a token: never good news, and never read as checked. */
export interface Unknown {
  topic: FindingTopic
  text: string
}

export interface Verdict<F extends VerdictFinding = VerdictFinding> {
  level: RiskLevel
  /** One sentence of at most 90 characters. */
  headline: string
  findings: F[]
  unknown: Unknown[]
  confidence: Confidence
  /** The time of the newest contract check that it rests on, in seconds since 1970; null: there was none. */
  checkedAt: number | null
}
