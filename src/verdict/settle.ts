// Findings agree with the level. Input: facts that were told, and the score. Output: the same with their final kinds, in
// the order in which they matter. Pure.
import { RISK_CUTS } from '../base/risk-level.ts'
import type { ReasonKind } from '../base/vocabulary.ts'
import type { VerdictFinding } from './finding.ts'

/** The finding of a held level: inertia, which is no cause. */
export const HELD_LEVEL = 'recently_higher'

/** Facts that happened to holders or in their trials. They outrank mere possibilities. */
const HAPPENED: ReadonlySet<string> = new Set([
  'cannot_sell',
  'new_buyers_refused',
  'balances_gone',
  'taken_without_approval',
  'liquidity_pulled',
  'extreme_tax',
  'nobody_can_buy',
  'late_mint',
])

/**
 * Below `high` what could harm is a warning. From `high` on the list names a danger: the gravest by its points, if
 * none is one by itself. `little`: the danger of a token whose base alone is high.
 */
export function settleFindings<F extends VerdictFinding>(told: readonly F[], score: number, little: () => F): F[] {
  const found = told.map((finding): F => ({ ...finding, kind: kindAt(finding, score) }))
  if (score >= RISK_CUTS.medium && !found.some(isDanger)) {
    const causes = found.filter(({ name, points }) => name !== HELD_LEVEL && points > 0)
    const gravest = causes.toSorted((a, b) => b.points - a.points)[0] ?? little()
    gravest.kind = 'danger'
    if (!found.includes(gravest)) found.push(gravest)
  }
  return found.sort(byImportance)
}

const isDanger = ({ kind }: Pick<VerdictFinding, 'kind'>): boolean => kind === 'danger'

function kindAt({ kind, name }: VerdictFinding, score: number): ReasonKind {
  if (name === HELD_LEVEL) return 'fact'
  return kind === 'danger' && score < RISK_CUTS.medium ? 'caution' : kind
}

const ORDER: Readonly<Record<ReasonKind, number>> = { danger: 0, caution: 1, comfort: 2, fact: 3 }

const rankOf = ({ name, kind }: VerdictFinding): number => 2 * ORDER[kind] + (HAPPENED.has(name) ? 0 : 1)

/** Dangers first. Of two of a kind the one that happened, then the graver one, then the one with more points. */
const byImportance = (a: VerdictFinding, b: VerdictFinding): number =>
  rankOf(a) - rankOf(b) || b.severity - a.severity || Math.abs(b.points) - Math.abs(a.points)

/** The findings above the fold. */
export const MAIN_FINDINGS = 3

/** The few that matter most: dangers, then those that weigh most; never inertia. They keep their order. */
export function pickMain<F extends Pick<VerdictFinding, 'kind' | 'name' | 'points'>>(findings: readonly F[]): F[] {
  const named = findings.filter(({ name }) => name !== HELD_LEVEL && name !== OTHERS)
  const ranked = named.toSorted(
    (a, b) => Number(isDanger(b)) - Number(isDanger(a)) || (isDanger(a) ? 0 : Math.abs(b.points) - Math.abs(a.points)),
  )
  const chosen = new Set(ranked.slice(0, MAIN_FINDINGS))
  return findings.filter((finding) => chosen.has(finding))
}

/** The line of all facts that are not listed. */
export const OTHERS = 'others'
