// Pure. The limits of each plan; on the API plan those of the account. Null means unlimited.
import type { Plan } from '../base/vocabulary.ts'

export interface PlanLimits {
  /** Requests per 60 s window; null: unlimited. */
  requestsPerMinute: number | null
  /** Requests per UTC day; null: unlimited. */
  requestsPerDay: number | null
  /** Alerts with the status `active` per account; null: unlimited. */
  activeAlerts: number | null
  /** Streams of an account that are open at the same time. */
  streams: number
  /** Whether alerts may go to a webhook or a chat. */
  webhooks: boolean
  /** Saved policies of the gate per account. */
  gatePolicies: number
}

/** Saved policies of an account that pays: few enough to list them in an error. */
const MOST_POLICIES = 50

/** Streams of an account on the API plan without its own number. */
const API_STREAMS = 100

const PAID = { activeAlerts: null, webhooks: true, gatePolicies: MOST_POLICIES }

/** The plans of the specification. On the API plan the request limits are set per account. */
const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { requestsPerMinute: 10, requestsPerDay: 100, activeAlerts: 3, streams: 1, webhooks: false, gatePolicies: 3 },
  pro: { requestsPerMinute: 60, requestsPerDay: 10_000, streams: 10, ...PAID },
  api: { requestsPerMinute: null, requestsPerDay: null, streams: API_STREAMS, ...PAID },
}

/** The limits of an account: those of its plan, and on the API plan its own. */
export function limitsOf(
  plan: Plan,
  account: { requestsPerMinute: number | null; requestsPerDay: number | null; streams?: number | null },
): PlanLimits {
  const limits = PLAN_LIMITS[plan]
  if (plan !== 'api') return limits
  const { requestsPerMinute, requestsPerDay, streams } = account
  return { ...limits, requestsPerMinute, requestsPerDay, streams: streams ?? limits.streams }
}
