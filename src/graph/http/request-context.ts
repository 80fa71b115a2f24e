// The state of a request to /graphql: the caller, its charges, and its outcome in Yoga.
import type { Caller, Charge } from '../../access/guard.ts'
import type { AssayError } from '../../base/errors.ts'
import type { Head } from '../../ledger/head.ts'
import type { StreamSession } from '../../stream/session.ts'
import type { Assessed } from '../run/gate.ts'
import type { Subscribed } from '../run/subscribe.ts'

/** The messages of a subscription, and the place that its stream takes. */
export interface OpenedStream extends Subscribed {
  session: StreamSession
}

/** A request that the guard let in. It was charged as one request before its body was read. */
export interface Visit {
  caller: Caller
  charge: Charge
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** Called when the answer becomes a stream, which no deadline ends. */
  onStream?: (() => void) | undefined
  /** The body of a POST of JSON, if it was read already. */
  body?: string | undefined
}

export interface ServerContext extends Visit, Assessed {
  /** Receives the block that the answer reflects. */
  made: { head?: Head; isReplayed?: boolean; isUncacheable?: boolean }
  /** The limits that already refused the query. */
  refused?: AssayError
  /** The header Idempotency-Key, which makes a mutation take effect once. */
  idempotencyKey: string | undefined
  /** Whether the caller reads server-sent events. */
  readsStreams: boolean
  /** Gets the stream of a subscription, once it is open. */
  opened: { stream?: OpenedStream }
  /** The id in the answer's header; undefined without our HTTP server around it. */
  requestId: string | undefined
}
