// Pure. What each plan allows. In: the plan and, for the API tier, the account's own limits. Out: numbers, or null for no limit.
import type { Plan } from '../base/vocabulary.ts'

export interface PlanLimits {
  /** Requests in a window of 60 s; null: not limited. */
  requestsPerMinute: number | null
  /** Requests in a UTC day; null: not limited. */
  requestsPerDay: number | null
  /** Alerts with the status `active`, per account; null: not limited. */
  activeAlerts: number | null
}

/** The table of section 8 of the specification; the API tier's requests are set per account. */
const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { requestsPerMinute: 10, requestsPerDay: 100, activeAlerts: 3 },
  pro: { requestsPerMinute: 60, requestsPerDay: 10_000, activeAlerts: null },
  api: { requestsPerMinute: null, requestsPerDay: null, activeAlerts: null },
}

/** The limits of an account: its plan's, and on the API tier those that were set for it. */
export function limitsOf(
  plan: Plan,
  account: { requestsPerMinute: number | null; requestsPerDay: number | null },
): PlanLimits {
  const limits = PLAN_LIMITS[plan]
  if (plan !== 'api') return limits
  return { ...limits, requestsPerMinute: account.requestsPerMinute, requestsPerDay: account.requestsPerDay }
}
