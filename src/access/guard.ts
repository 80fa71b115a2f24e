// The interface of authentication and rate limiting. The same guard stands in front of /v1 and /graphql.
import type { LimitState } from '../base/errors.ts'
import type { Plan } from '../base/vocabulary.ts'

/** The account and key behind a request. */
export interface Caller {
  accountId: number
  keyId: number
  email: string
  plan: Plan
  /** Null: unlimited. */
  requestsPerMinute: number | null
  requestsPerDay: number | null
  /** Streams at a time; null: the plan's number. */
  streams?: number | null
  /** Hash of the secret in the request; null: none was. */
  secretHash?: Buffer | null
}

/** Stands for every caller of a shared answer. It has no account, so the answer cannot contain an account's data. */
export const NOBODY: Caller = {
  accountId: 0,
  keyId: 0,
  email: '',
  plan: 'free',
  requestsPerMinute: 0,
  requestsPerDay: 0,
}

/** Requests that an account has left in its windows; null if it is unlimited or was not admitted. */
export interface Remaining {
  minute: number | null
  day: number | null
}

/** The consumption of a request. */
export interface Charge {
  /** The windows in which it counts; empty if the account is unlimited. */
  readonly limits: readonly LimitState[]
  /** Requests consumed so far; 0 after a refusal or a refund. */
  readonly requests: number
  /** Requests left after this one. */
  readonly remaining: Remaining
  /**
   * Charges more for the same request. If that is refused, throws RATE_LIMITED and refunds everything the request took.
   */
  add(requests: number): Promise<void>
  /**
   * Makes sure, before the work begins, that everything charged is paid for. Only a request that pays for itself has it.
   * Throws INVALID_PARAMS, PAYMENT_REQUIRED, CONFLICT or SERVICE_UNAVAILABLE.
   */
  confirm?(): Promise<void>
  /** The answer is on its way, so nothing is refunded any more. Only a request that pays for itself has it. */
  spend?(): void
  /** Refunds everything, because the request failed through a fault of ours. */
  refund(): Promise<void>
}

export interface Guard {
  /**
   * Throws UNAUTHORIZED, or RATE_LIMITED for an address that sent too many invalid keys.
   * `peer` is the other end of the socket, which may be a proxy; default: the client itself.
   */
  authenticate(authorization: string | undefined, clientAddress: string, peer?: string): Promise<Caller>
  /**
   * The caller behind a ticket for a stream, which is used up. Throws as `authenticate` does; a ticket of a revoked key
   * is not valid.
   */
  redeem(ticket: string, clientAddress: string, peer?: string): Promise<Caller>
  /** A new ticket for one stream of the caller, valid for a minute. */
  issueTicket(caller: Caller): Promise<{ ticket: string; expiresAt: Date }>
  /**
   * Throws RATE_LIMITED with the limits and how long to wait; a refusal consumes nothing. `route` is one of a closed set
   * of names, under which usage shows the requests; left out: `other`.
   */
  charge(caller: Caller, requests: number, route?: string): Promise<Charge>
}
