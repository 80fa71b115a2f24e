// Sends the mails of the outbox: takes a due mail, sends it, and stores the server's answer. Several workers may run;
// each locks its row, so a kill loses no mail. Only a mail whose acceptance was not yet stored is sent twice.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { deliverNext, type Outcome, type OutgoingMessage } from '../ledger/alerts/outbox.ts'
import type { Mailer } from './email.ts'
import { type ToLevel, writeLetter } from './message.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** A mail is given up this long after it was written (contract, section 7). */
const GIVE_UP_AFTER_MS = 24 * 3_600_000
/** The first pause between tries; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/**
 * The time of the next try, or null to give up. `random` in [0, 1) varies the pause by a quarter, so that the mails of
 * one outage spread out.
 */
export function nextAttempt(createdAt: Date, attempts: number, now: Date, random: number): Date | null {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS) * (0.75 + random / 2)
  const at = new Date(now.getTime() + pauseMs)
  return at.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS ? null : at
}

export interface NotifierOptions {
  database: Database
  mailer: Mailer
  clock: Clock
  publicUrl: string
  secret: Uint8Array
  toLevel: ToLevel
  random?: () => number
}

/** `run()` sends until nothing is due and returns how many mails it handled. */
export function createNotifier({
  database,
  mailer,
  clock,
  publicUrl,
  secret,
  toLevel,
  random = Math.random,
}: NotifierOptions) {
  async function send(message: OutgoingMessage): Promise<Outcome> {
    const unsubscribe = unsubscribeUrl(publicUrl, secret, message.alertId)
    const letter = writeLetter(message, { publicUrl, unsubscribe }, toLevel)
    const result = await mailer.send({
      ...letter,
      to: message.email,
      id: message.id,
      unsubscribe,
      date: message.createdAt,
    })
    if (result.status !== 'failed') return result
    const at = nextAttempt(message.createdAt, message.attempts, clock.now(), random())
    return at ? { status: 'retry', response: result.response, at } : { status: 'dead', response: result.response }
  }

  return {
    async run(signal?: AbortSignal): Promise<number> {
      let handled = 0
      while (!signal?.aborted && (await deliverNext(database, clock.now(), send))) handled++
      return handled
    },
  }
}
