// The gate: whether a bot may trade a token now. Input: facts with their ages, an order, a policy. Output: a decision with
// its reasons, and the missing facts. Pure. A missing fact never allows, and a danger always blocks.
import type { FindingTopic, ReasonKind } from '../base/vocabulary.ts'
import type { Unmet } from './conditions.ts'
import { GATE_DECISIONS, type GateDecision, type GatePolicy } from './policy.ts'
import { ruleFor } from './rules.ts'

export const GATE_ACTIONS = ['buy'] as const
export type GateAction = (typeof GATE_ACTIONS)[number]

export interface GateOrder {
  action: GateAction
  /** Null: of any size. */
  amountUsd: number | null
}

export interface GateFinding {
  name: string
  /** Null: unknown, so no rule on it holds. */
  kind: ReasonKind | null
  topic: FindingTopic | null
  /** The least risk that it implies alone, 0-100. */
  severity: number | null
  text: string
}

/** Times in seconds since 1970, in the time of the chain. Null: unknown. */
export interface GateFacts {
  /** The block of the facts. */
  block: number
  time: number
  /** Why the index is not at the head of the chain, in a sentence; null: it is. */
  behind: string | null
  riskScore: number
  liquidityUsd: number | null
  /** Null: never scored. */
  verdict: {
    findings: readonly GateFinding[]
    /** What nobody knows, in words. */
    unknown: readonly string[]
    /** The contract check that it rests on. */
    checkedAt: number | null
  } | null
  check: {
    /** The operator or the preset vouches for it: it is never checked. */
    isExempt: boolean
    sellable: boolean | null
    /** Null is no reason against it: who cannot buy loses nothing. */
    buyable: boolean | null
    /** The loss of a sale to the contract, by trial or by real sales, whichever is more. */
    sellTaxPct: number | null
    block: number | null
    time: number | null
  }
  /** The policy's conditions that do not hold. */
  unmet: readonly Unmet[]
}

/** One rule that spoke. */
export interface GateReason {
  /** Its word: that of a finding, or of the rule. */
  name: string
  decision: GateDecision
  text: string
}

export interface GateVerdict {
  decision: GateDecision
  /** The gravest first; empty: nothing speaks against it. */
  reasons: GateReason[]
  /** What would be needed to decide. It never allows. */
  missing: string[]
}

const RANK: Readonly<Record<GateDecision, number>> = { allow: 0, review: 1, block: 2 }
const most = (decisions: readonly GateDecision[]): GateDecision =>
  GATE_DECISIONS[Math.max(0, ...decisions.map((each) => RANK[each]))] ?? 'block'

export function decide(facts: GateFacts, order: GateOrder, policy: GatePolicy): GateVerdict {
  const reasons = [
    ...ofCheck(facts, policy),
    ...ofFindings(facts, policy),
    ...ofConditions(facts, policy),
    ...ofOrder(facts, order, policy),
  ]
    .filter(({ decision }) => decision !== 'allow')
    .sort((a, b) => RANK[b.decision] - RANK[a.decision])
  const missing = listMissing(facts, order, policy)
  const decision = most([
    ...reasons.map((reason) => reason.decision),
    ...(missing.length > 0 ? ['review' as const] : []),
  ])
  return { decision, reasons, missing }
}

/** Whether a contract check of this time can still be relied on. */
const isStale = (time: number | null, now: number, { maxCheckAgeSeconds }: GatePolicy): boolean =>
  time === null || now - time > maxCheckAgeSeconds

/** A number that is none is unknown. */
const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value)

function listMissing(facts: GateFacts, { amountUsd }: GateOrder, policy: GatePolicy): string[] {
  const { behind, verdict, check, time, liquidityUsd, riskScore, unmet } = facts
  const isOlder =
    verdict !== null && check.time !== null && (verdict.checkedAt ?? Number.NEGATIVE_INFINITY) < check.time
  return [
    ...(behind === null ? [] : [behind]),
    ...(verdict === null ? ['Its verdict: it was never scored'] : verdict.unknown),
    ...(check.isExempt || check.sellable !== null ? [] : ['Whether holders can sell']),
    ...(check.isExempt || check.sellable !== true || isKnown(check.sellTaxPct)
      ? []
      : ['What a sale loses to the contract']),
    ...(check.isExempt || !isStale(check.time, time, policy) ? [] : ['A recent check of its contract']),
    ...(check.isExempt || !isOlder ? [] : ['A verdict that knows the newest check']),
    ...unmet.flatMap(({ isUnknown, text }) => (isUnknown ? [text] : [])),
    ...(isKnown(riskScore) ? [] : ['Its risk score']),
    ...(amountUsd === null || isKnown(liquidityUsd) ? [] : ['Its liquidity']),
  ]
}

function ofCheck({ check, riskScore }: GateFacts, policy: GatePolicy): GateReason[] {
  const { sellable, buyable, sellTaxPct } = check
  const reasons: GateReason[] = []
  if (sellable === false) reasons.push({ name: 'sellable', decision: 'block', text: 'Holders cannot sell it' })
  if (buyable === false) reasons.push({ name: 'buyable', decision: 'block', text: 'Nobody can buy it' })
  if (isKnown(sellTaxPct) && sellTaxPct > policy.maxSellTaxPct)
    reasons.push({ name: 'sell_tax', decision: 'review', text: `A sale loses ${round(sellTaxPct)} % to the contract` })
  const own = ruleFor(policy.findings, { name: 'risk_score', topic: null, kind: null, severity: riskScore })
  if (isKnown(riskScore) && (riskScore > policy.maxRiskScore || (own ?? 'allow') !== 'allow'))
    reasons.push({
      name: 'risk_score',
      decision: own === 'block' ? 'block' : 'review',
      text: `The risk score is ${round(riskScore)}`,
    })
  return reasons
}

function ofFindings({ verdict }: GateFacts, policy: GatePolicy): GateReason[] {
  return (verdict?.findings ?? []).map((finding) => {
    const { name, kind, severity, text } = finding
    const own = ruleFor(policy.findings, finding)
    const isReviewed = kind === 'caution' && severity !== null && severity >= policy.cautionsFrom
    return { name, text, decision: kind === 'danger' ? 'block' : (own ?? (isReviewed ? 'review' : 'allow')) }
  })
}

const ofConditions = ({ unmet }: GateFacts, { findings }: GatePolicy): GateReason[] =>
  unmet.flatMap(({ name, text, isUnknown }) =>
    isUnknown ? [] : [{ name, text, decision: ruleFor(findings, { name, ...UNJUDGED }) ?? 'block' }],
  )

/** What only findings have. */
const UNJUDGED = { topic: null, kind: null, severity: null }

function ofOrder({ liquidityUsd }: GateFacts, { amountUsd }: GateOrder, policy: GatePolicy): GateReason[] {
  if (amountUsd === null || !isKnown(liquidityUsd)) return []
  const pct = liquidityUsd > 0 ? (100 * amountUsd) / liquidityUsd : Number.POSITIVE_INFINITY
  if (pct <= policy.maxLiquidityPct) return []
  const text = liquidityUsd > 0 ? `The order is ${round(pct)} % of the liquidity` : 'There is no liquidity'
  return [{ name: 'order_size', decision: liquidityUsd > 0 ? 'review' : 'block', text }]
}

const round = (value: number): string => String(Math.round(value * 100) / 100)
