// The open streams of this process: who may open one, its price, and when it has to end. A stream costs as much as its
// request, and the same again for every further hour.
import { randomUUID } from 'node:crypto'
import { bulkhead } from 'cockatiel'
import type { Caller, Charge, Guard } from '../access/guard.ts'
import { limitsOf } from '../access/plan.ts'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Database } from '../database/client.ts'
import { leaveStreamPlaces, renewStreams, takeStreamPlace } from '../ledger/account/stream.ts'
import type { Outage } from '../telemetry/outage.ts'
import { type EndReason, StreamEnd } from './message.ts'

/** Streams of this process: each takes some 100 KB with its connection. */
const MAX_STREAMS = 1_500
/** Places that are taken at once, each with its own connection. */
const PLACES_AT_ONCE = 2
/** The interval of checks whether streams may continue. The contract allows 5 s until a revoked key is refused. */
const LOOK_EVERY_MS = 4_000
/** Places are released together. */
const TOGETHER_MS = 100
/** The query that was charged. */
const PAID_MS = 3_600_000
/** The name in usage of the further hours of streams. */
const STREAM_HOURS = 'further hours of streams'

export interface StreamVisit {
  caller: Caller
  /** The charge of the request. */
  charge: Charge
  /** The reader comes back: if its account has too many streams, its oldest one is closed. */
  replaces: boolean
}

export interface StreamSession {
  /** Aborted with a `StreamEnd` when the stream has to end. */
  signal: AbortSignal
  /** Called when the reader has gone, or the stream has ended. */
  close(): void
}

export interface Sessions {
  /** Throws RATE_LIMITED when the account has too many streams, SERVICE_UNAVAILABLE when the process has. */
  open(visit: StreamVisit): Promise<StreamSession>
  /** Ends all streams, and opens no more. */
  leave(): void
  /** The number of open streams. */
  count(): number
  stop(): Promise<void>
}

interface Open {
  id: string
  visit: StreamVisit
  paidUntilMs: number
  ending: AbortController
}

export interface SessionsDeps {
  database: Pick<Database, 'requestPool' | 'history'>
  guard: Pick<Guard, 'charge'>
  clock: Clock
  outage: Outage
  maxStreams?: number
  lookEveryMs?: number
}

/** Places to release; kept while the ledger cannot be written. */
function createLeftPlaces(pool: Database['requestPool'], outage: Outage) {
  let left: string[] = []
  let giving: NodeJS.Timeout | undefined

  const giveBack = async (): Promise<void> => {
    const ids = left.splice(0, MAX_STREAMS)
    if (ids.length === 0) return
    await leaveStreamPlaces(pool, ids).catch((error: unknown) => {
      left = [...left, ...ids].slice(-MAX_STREAMS)
      throw error
    })
  }
  return {
    giveBack,
    /** Gives it back soon, with others: many readers leave at once when a proxy or a network fails. */
    add: (id: string): void => {
      left.push(id)
      giving ??= setTimeout(() => {
        giving = undefined
        void giveBack().catch(outage.fail)
      }, TOGETHER_MS).unref()
    },
    /** Gives back all, and these. */
    stop: async (ids: Iterable<string>): Promise<void> => {
      clearTimeout(giving)
      left.push(...ids)
      await giveBack().catch(outage.fail)
    },
  }
}

const end = ({ ending }: Open, reason: EndReason, message?: string) => ending.abort(new StreamEnd(reason, message))

/** Charges the next hour. */
async function pay(guard: SessionsDeps['guard'], stream: Open): Promise<void> {
  try {
    await guard.charge(stream.visit.caller, Math.max(stream.visit.charge.requests, 1), STREAM_HOURS)
    stream.paidUntilMs += PAID_MS
  } catch (error) {
    if (!(error instanceof AssayError) || error.status >= 500) throw error
    end(stream, 'rate_limited', error.message)
  }
}

interface Looked extends Pick<SessionsDeps, 'guard' | 'clock'> {
  pool: Database['requestPool']
}

/** Ends the streams that lost their place, and charges those whose paid time is over. */
async function look(deps: Looked, streams: readonly Open[]): Promise<void> {
  const { pool, guard, clock } = deps
  if (streams.length === 0) return
  const known = await renewStreams(
    pool,
    streams.map(({ id }) => id),
    clock.now(),
  )
  const nowMs = clock.monotonicMs()
  const faults: unknown[] = []
  for (const stream of streams) {
    if (!known.has(stream.id))
      end(stream, 'replaced', 'The key was revoked or replaced, or the account went on elsewhere.')
    // One that cannot be charged now is charged at the next look.
    else if (stream.paidUntilMs <= nowMs) await pay(guard, stream).catch((error: unknown) => faults.push(error))
  }
  if (faults.length > 0) throw faults[0]
}

/** The streams of a process. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { database, guard, clock, outage, maxStreams = MAX_STREAMS, lookEveryMs = LOOK_EVERY_MS } = deps
  const { requestPool: pool } = database
  const open = new Map<string, Open>()
  // Streams of one account wait for its row, each with a connection that requests need.
  const places = bulkhead(PLACES_AT_ONCE, MAX_STREAMS)
  let opening = 0
  let isLeaving = false
  const left = createLeftPlaces(pool, outage)
  let looking: Promise<void> = Promise.resolve()

  const lookAround = async () => {
    await left.giveBack()
    await look({ pool, guard, clock }, [...open.values()])
  }
  const timer = setInterval(() => {
    looking = looking.then(lookAround).then(outage.pass, outage.fail)
  }, lookEveryMs).unref()

  return {
    open: async ({ caller, charge, replaces }) => {
      if (isLeaving || open.size + opening >= maxStreams) throw full()
      const { streams: limit } = limitsOf(caller.plan, caller)
      const id = randomUUID()
      const { accountId, keyId, secretHash = null } = caller
      const place = { id, accountId, keyId, secretHash }
      opening += 1
      const isFree = await places
        .execute(() => takeStreamPlace(database, place, limit, replaces))
        .finally(() => {
          opening -= 1
        })
      if (!isFree) throw tooMany(limit)
      const ending = new AbortController()
      open.set(id, { id, visit: { caller, charge, replaces }, paidUntilMs: clock.monotonicMs() + PAID_MS, ending })
      if (isLeaving) ending.abort(new StreamEnd('leaving'))
      return {
        signal: ending.signal,
        close: () => {
          if (!open.delete(id)) return
          ending.abort(null)
          left.add(id)
        },
      }
    },
    leave: () => {
      isLeaving = true
      for (const stream of open.values()) end(stream, 'leaving')
    },
    count: () => open.size,
    stop: async () => {
      clearInterval(timer)
      await looking
      await left.stop(open.keys())
    },
  }
}

const tooMany = (limit: number): AssayError =>
  new AssayError(
    'RATE_LIMITED',
    `Your plan allows ${limit} stream${limit === 1 ? '' : 's'} at a time: close one, or change the plan.`,
    { retryAfterSeconds: 60 },
  )

const full = (): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'This server has no free stream: try again in a moment.', {
    retryAfterSeconds: 5,
  })
