// Who asks, and whether they may ask now. The same guard stands before /v1 and /graphql.
import type { Plan } from '../base/vocabulary.ts'

/** The account and key behind a request. */
export interface Caller {
  accountId: number
  keyId: number
  email: string
  plan: Plan
  /** Null: not limited. */
  requestsPerMinute: number | null
  requestsPerDay: number | null
}

/** What a request has consumed. `headers` are `ratelimit-policy` and `ratelimit`; empty where the account is not limited. */
export interface Charge {
  /** Requests taken so far. */
  readonly requests: number
  readonly headers: Readonly<Record<string, string>>
  /** Consumes more for the same request; when that is refused throws RATE_LIMITED and gives back everything the request took. */
  add(requests: number): Promise<void>
  /** Gives everything back: the request failed for a reason of ours. */
  refund(): Promise<void>
}

export interface Guard {
  /** Throws UNAUTHORIZED (with `www-authenticate`), or RATE_LIMITED for an address that tried too many bad keys. */
  authenticate(authorization: string | undefined, clientAddress: string): Promise<Caller>
  /** Throws RATE_LIMITED with `retry-after` and the limit headers; a refusal consumes nothing. */
  charge(caller: Caller, requests: number): Promise<Charge>
}
