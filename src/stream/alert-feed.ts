// Alerts that fire, for the keys with readers. When the outbox gets a message, one query reads the new messages of all
// these keys.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { invalid } from '../base/errors.ts'
import type { Database } from '../database/client.ts'
import { listen, OUTBOX_CHANNEL } from '../database/listen.ts'
import { FIRED_AT_ONCE, type FiredAlert, type FiredPlace, readFired, readFiredMoment } from '../ledger/alerts/fired.ts'
import type { Outage } from '../telemetry/outage.ts'
import { createSharedLog, type SharedLog } from './log.ts'
import { lookAtEachMove } from './look.ts'
import { StreamEnd } from './message.ts'

/** The most messages in memory. */
const LOG_MESSAGES = 5_000
/** Messages may become visible in another order than they were written in, by as much as clocks differ. */
const OVERLAP_MS = 60_000

/** A place as text: the identifier of the message, with an `r` for a retraction. */
export const formatFired = ({ id, retracted }: FiredPlace): string => (retracted ? `${id}.r` : id)

const parseFired = (text: string): FiredPlace =>
  text.endsWith('.r') ? { id: text.slice(0, -2), retracted: true } : { id: text, retracted: false }

export interface AlertFeed {
  /** The messages of a key from now on, or after a place. Throws INVALID_PARAMS for a place that is not the key's. */
  follow(keyId: number, after: string | null, signal: AbortSignal): Promise<AsyncGenerator<FiredAlert[], void, void>>
  stop(): Promise<void>
}

const NO_PLACE = {
  location: 'argument',
  field: 'after',
  message: 'after must be the cursor of a message, or the id of a delivery of your alerts',
} as const

/** Passes a notification on to its only listener. */
function createNotice() {
  let onNotify = () => {}
  return {
    notify: () => onNotify(),
    onChange: (listener: (...args: never[]) => void) => {
      onNotify = listener as () => void
      return () => {
        onNotify = () => {}
      }
    },
  }
}

/** The keys that have readers. */
function createReaders() {
  const counts = new Map<number, number>()
  return {
    keys: () => [...counts.keys()],
    /** Counts a reader until the signal. */
    add: (keyId: number, signal: AbortSignal): void => {
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
      const leave = () => {
        const left = (counts.get(keyId) ?? 1) - 1
        if (left > 0) counts.set(keyId, left)
        else counts.delete(keyId)
      }
      signal.addEventListener('abort', leave, { once: true })
    },
  }
}

/** Sends the missed messages of the key, then each new one. */
async function* send(
  log: SharedLog<FiredAlert>,
  keyId: number,
  { missed, first, signal }: { missed: FiredAlert[]; first: number; signal: AbortSignal },
) {
  if (missed.length > 0) yield missed
  for (let next = first; ; next += 1) {
    await log.until(next, signal)
    if (signal.aborted) return
    const message = log.entry(next)
    if (!message) throw new StreamEnd('slow')
    if (message.keyId === keyId) yield [message]
  }
}

/** Follows the outbox of a ledger while there are readers. */
export function createAlertFeed(
  database: Pick<Database, 'requestPool'> & Partial<Pick<Database, 'pool'>>,
  clock: Clock,
  outage: Outage,
): AlertFeed {
  const pool = database.requestPool
  const log = createSharedLog<FiredAlert>(LOG_MESSAGES, () => 1)
  const told = new LRUCache<string, true>({ max: LOG_MESSAGES * 2 })
  const readers = createReaders()
  let newestMs = 0
  const notice = createNotice()
  let listening: { close(): Promise<void> } | undefined

  const read = async () => {
    if (readers.keys().length === 0) return
    for (;;) {
      const messages = await readFired(pool, readers.keys(), new Date(newestMs - OVERLAP_MS))
      for (const message of messages) {
        newestMs = Math.max(newestMs, message.at.getTime())
        if (told.has(formatFired(message))) continue
        told.set(formatFired(message), true)
        log.push(message)
      }
      if (messages.length < FIRED_AT_ONCE) return
    }
  }

  const look = lookAtEachMove(notice, read, outage)

  /** Messages that the key's readers have already are not sent again. */
  const begin = async (keyId: number, after: string | null): Promise<FiredAlert[]> => {
    const { newest, own } = await readFiredMoment(pool, keyId, after === null ? null : parseFired(after))
    if (after !== null && !own) throw invalid([NO_PLACE])
    const nowMs = (newest ?? clock.now()).getTime()
    newestMs = Math.max(newestMs, nowMs)
    const known = await readFired(pool, [keyId], own ?? new Date(nowMs - OVERLAP_MS))
    for (const one of known) told.set(formatFired(one), true)
    if (!own) return []
    const place = known.findIndex((one) => formatFired(one) === after)
    return known.slice(place + 1)
  }

  return {
    follow: async (keyId, after, signal) => {
      if (database.pool) listening ??= listen(database as Database, [OUTBOX_CHANNEL], notice.notify, clock)
      const missed = await begin(keyId, after)
      const first = log.next()
      readers.add(keyId, signal)
      look.now()
      return send(log, keyId, { missed, first, signal })
    },
    stop: async () => {
      look.stop()
      await listening?.close()
    },
  }
}
