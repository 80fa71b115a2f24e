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

/** Requests that an account has left in its windows; null where it is not limited, or was not let in. */
export interface Remaining {
  minute: number | null
  day: number | null
}

/** What a request has consumed. `headers` are `ratelimit-policy` and `ratelimit`; empty where the account is not limited. */
export interface Charge {
  readonly headers: Readonly<Record<string, string>>
  /** Requests that it has consumed so far; 0 after a refusal or a refund. */
  readonly requests: number
  /** Requests that are left. */
  readonly remaining: Remaining
  /** Consumes more for the same request; when that is refused throws RATE_LIMITED and gives back everything the request took. */
  add(requests: number): Promise<void>
  /** Gives everything back: the request failed for a reason of ours. */
  refund(): Promise<void>
}

export interface Guard {
  /**
   * Throws UNAUTHORIZED (with `www-authenticate`), or RATE_LIMITED for an address that tried too many bad keys. `peer`: the
   * other end of the socket, where that may be a proxy; none: the client itself.
   */
  authenticate(authorization: string | undefined, clientAddress: string, peer?: string): Promise<Caller>
  /** Throws RATE_LIMITED with `retry-after` and the limit headers; a refusal consumes nothing. */
  charge(caller: Caller, requests: number): Promise<Charge>
}
