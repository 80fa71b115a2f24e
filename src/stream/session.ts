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
export const MAX_STREAMS = 1_500
/** Places that are taken at once, each with its own connection. */
const PLACES_AT_ONCE = 2
/** The interval of checks whether streams may continue. The contract allows 5 s until a revoked key is refused. */
const LOOK_EVERY_MS = 4_000
/** Places are released together. */
const TOGETHER_MS = 100
/** The query that was charged. */
const PAID_MS = 3_600_000

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
  database: Pick<Database, 'requestPool'>
  guard: Pick<Guard, 'charge'>
  clock: Clock
  outage: Outage
  maxStreams?: number
  lookEveryMs?: number
}

/** The streams of a process. */
export function createSessions({
  database,
  guard,
  clock,
  outage,
  maxStreams = MAX_STREAMS,
  lookEveryMs = LOOK_EVERY_MS,
}: SessionsDeps): Sessions {
  const { requestPool: pool } = database
  const open = new Map<string, Open>()
  // Streams of one account wait for its row, each with a connection that requests need.
  const places = bulkhead(PLACES_AT_ONCE, MAX_STREAMS)
  let opening = 0
  let isLeaving = false
  /** Places to release; kept while the ledger cannot be written. */
  let left: string[] = []
  let looking: Promise<void> = Promise.resolve()

  const end = ({ ending }: Open, reason: EndReason, message?: string) => ending.abort(new StreamEnd(reason, message))

  const giveBack = async () => {
    const ids = left.splice(0, MAX_STREAMS)
    if (ids.length === 0) return
    await leaveStreamPlaces(pool, ids).catch((error: unknown) => {
      left = [...left, ...ids].slice(-MAX_STREAMS)
      throw error
    })
  }

  let giving: NodeJS.Timeout | undefined
  /** Many readers leave at once when a proxy or a network fails. */
  const giveBackSoon = () => {
    giving ??= setTimeout(() => {
      giving = undefined
      void giveBack().catch(outage.fail)
    }, TOGETHER_MS).unref()
  }

  /** Charges the next hour. */
  const pay = async (stream: Open): Promise<void> => {
    try {
      await guard.charge(stream.visit.caller, Math.max(stream.visit.charge.requests, 1))
      stream.paidUntilMs += PAID_MS
    } catch (error) {
      if (!(error instanceof AssayError) || error.status >= 500) throw error
      end(stream, 'rate_limited', error.message)
    }
  }

  const look = async (): Promise<void> => {
    await giveBack()
    const streams = [...open.values()]
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
      else if (stream.paidUntilMs <= nowMs) await pay(stream).catch((error: unknown) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  }
  const timer = setInterval(() => {
    looking = looking.then(look).then(outage.pass, outage.fail)
  }, lookEveryMs).unref()

  return {
    open: async ({ caller, charge, replaces }) => {
      if (isLeaving || open.size + opening >= maxStreams) throw full()
      const { streams: limit } = limitsOf(caller.plan, caller)
      const id = randomUUID()
      opening += 1
      try {
        const { accountId, keyId, secretHash = null } = caller
        const place = { id, accountId, keyId, secretHash }
        const isFree = await places.execute(() => takeStreamPlace(database, place, limit, replaces))
        if (!isFree) throw tooMany(limit)
      } finally {
        opening -= 1
      }
      const ending = new AbortController()
      open.set(id, { id, visit: { caller, charge, replaces }, paidUntilMs: clock.monotonicMs() + PAID_MS, ending })
      if (isLeaving) ending.abort(new StreamEnd('leaving'))
      return {
        signal: ending.signal,
        close: () => {
          if (!open.delete(id)) return
          ending.abort(null)
          left.push(id)
          giveBackSoon()
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
      clearTimeout(giving)
      await looking
      for (const { id } of open.values()) left.push(id)
      await giveBack().catch(outage.fail)
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
