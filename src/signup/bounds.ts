// The bounds of signing up: mails per mailbox and day, requests per network and hour, and requests of everybody per
// minute. They are counted in the database, so they hold over all processes. Confirmations are counted in memory: nobody
// guesses a token of 256 bits, and a sender of many networks leaves no rows.
import { createHash } from 'node:crypto'
import {
  createMemoryRows,
  type Limiter,
  type LimiterOptions,
  RowLimiter,
  takeOne,
  toSeconds,
} from '../access/limiter.ts'
import { networksOf, type Sender } from '../access/network.ts'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import { createLimitRows } from '../ledger/account/limit.ts'
import { mailboxOf } from './address.ts'

/** Mails to a mailbox per day. */
export const MAILS_PER_MAILBOX = 5
/** Requests for a link of a network per hour: a class room, and far below a flood. */
export const REQUESTS_PER_NETWORK = 20
/** Requests for a link of everybody per minute: what a small mail server sends. */
export const REQUESTS_PER_MINUTE = 60
/** Confirmations of a network per hour, in each process. */
export const CONFIRMATIONS_PER_NETWORK = 60

export interface SignupBounds {
  /** Counts a request for a link. Throws RATE_LIMITED, which depends on no mail address. */
  countRequest(sender: Sender): Promise<void>
  /** Counts a confirmation. Throws RATE_LIMITED. */
  countConfirmation(sender: Sender): Promise<void>
  /** Counts a mail; false if the mailbox got its mails of the day. */
  countMail(email: string): Promise<boolean>
}

/** Creates the counters. */
export function createSignupBounds(pool: Database['pool'], clock: Clock): SignupBounds {
  const rows = createLimitRows(pool)
  const limiterOf = (options: LimiterOptions) => new RowLimiter(options, rows, clock)
  const mailboxes = limiterOf({ keyPrefix: 'signup-mail', points: MAILS_PER_MAILBOX, duration: DAY_SECONDS })
  const networks = limiterOf({ keyPrefix: 'signup-network', points: REQUESTS_PER_NETWORK, duration: HOUR_SECONDS })
  const everybody = limiterOf({ keyPrefix: 'signup-all', points: REQUESTS_PER_MINUTE, duration: 60 })
  const confirmed = { keyPrefix: 'signup-confirm', points: CONFIRMATIONS_PER_NETWORK, duration: HOUR_SECONDS }
  const confirmations = new RowLimiter(confirmed, createMemoryRows(), clock)
  return {
    countRequest: async (sender) => {
      // Before a network gets a row, so that the requests of a minute bound the rows, too.
      refuse('from everybody', await waitOf(everybody))
      refuse('from your network', await takeOne(networks, networksOf(sender).client))
      refuse('from everybody', await takeOne(everybody, ''))
    },
    countConfirmation: async (sender) =>
      refuse('from your network', await takeOne(confirmations, networksOf(sender).client)),
    countMail: async (email) => (await takeOne(mailboxes, hashOf(mailboxOf(email)))) === 0,
  }
}

/** Seconds until the minute of everybody has room; 0 if it has. */
async function waitOf(everybody: Limiter): Promise<number> {
  const window = await everybody.get('')
  return window && window.consumedPoints >= REQUESTS_PER_MINUTE ? toSeconds(window) : 0
}

/** The table of limits keeps no address. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

function refuse(whose: string, seconds: number): void {
  if (seconds > 0)
    throw new AssayError('RATE_LIMITED', `Too many sign-ups ${whose}: wait ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
}
