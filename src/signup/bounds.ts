// The bounds of signing up. They are counted in the database, so they hold over all processes. Nobody can use up what
// another person needs. A mailbox without a further mail has a link that works. What others ask does not bound a network
// from which the mailbox was confirmed before. Confirmations are counted in memory: nobody guesses a token of 256 bits, and a sender
// of many networks leaves no rows.
import { createHash } from 'node:crypto'
import { createMemoryRows, type Limiter, RowLimiter, takeOne, toSeconds } from '../access/limiter.ts'
import { areaOf, networksOf, type Sender } from '../access/network.ts'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { mailboxOf } from '../base/mailbox.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import { createLimitRows } from '../ledger/account/limit.ts'

/** Mails to a mailbox per day. After them it gets one in each hour, the time for which a link works. */
export const MAILS_PER_MAILBOX = 5
/** Requests for a link of a network per hour: a class room, and far below a flood. */
export const REQUESTS_PER_NETWORK = 20
/**
 * Requests of a rank per minute. The four ranks together are what a small mail server sends. The more an area asked
 * within the hour, the later its rank. Whoever has many networks has them in few areas, whose rank soon is the last. So
 * strangers from elsewhere still get in.
 */
export const REQUESTS_PER_MINUTE = 30
/** An area that asked so often within the hour is busy. */
export const CALM_REQUESTS = 10
/** More than all ranks take in an hour. */
const MOST_COUNTED = 100_000
/** Confirmations of a network per hour, in each process. */
export const CONFIRMATIONS_PER_NETWORK = 60
/** Requests for a mailbox per hour, from a network that is known to it. */
export const REQUESTS_OF_OWNER = 20
/** How long a network stays known to a mailbox that confirmed a link from it. */
const KNOWN_SECONDS = 90 * DAY_SECONDS
/** The /48 of an IPv6 address: whoever has one, has 65,536 networks. */
const GROUPS = 3

export interface SignupBounds {
  /**
   * Counts a request for a link. Throws RATE_LIMITED, which depends on no account: only on what the network asked and
   * confirmed.
   */
  countRequest(sender: Sender, email: string): Promise<void>
  /** Counts a confirmation. Throws RATE_LIMITED. */
  countConfirmation(sender: Sender): Promise<void>
  /**
   * Counts a mail; false if the mailbox got its mails of the day, and one within the hour. A mail with an invite is
   * counted by itself: without the invite a new address gets none.
   */
  countMail(email: string, inviteHash: Buffer | null): Promise<boolean>
  /** Somebody has read the mailbox from this network: its requests are known, and it may get another mail at once. */
  noteOwner(sender: Sender, email: string): Promise<void>
}

/** Creates the counters. */
export function createSignupBounds(pool: Database['pool'], clock: Clock): SignupBounds {
  const rows = createLimitRows(pool)
  const limiterOf = (keyPrefix: string, points: number, duration: number, where = rows) =>
    new RowLimiter({ keyPrefix, points, duration }, where, clock)
  const mails = limiterOf('signup-mail', MAILS_PER_MAILBOX, DAY_SECONDS)
  const hourly = limiterOf('signup-hour', 1, HOUR_SECONDS)
  const known = limiterOf('signup-known', 1, KNOWN_SECONDS)
  const owners = limiterOf('signup-owner', REQUESTS_OF_OWNER, HOUR_SECONDS)
  const networks = limiterOf('signup-network', REQUESTS_PER_NETWORK, HOUR_SECONDS)
  const areas = limiterOf('signup-area', MOST_COUNTED, HOUR_SECONDS)
  const rankOf = (name: string) => limiterOf(`signup-${name}`, REQUESTS_PER_MINUTE, 60)
  const ranks = { new: rankOf('new'), calm: rankOf('calm'), first: rankOf('first'), more: rankOf('more') }
  const confirmations = limiterOf('signup-confirm', CONFIRMATIONS_PER_NETWORK, HOUR_SECONDS, createMemoryRows())
  return {
    countRequest: async (sender, email) => {
      const network = networkOfSender(sender)
      const owner = hashOf(network, mailboxOf(email))
      if ((await known.get(owner)) && (await takeOne(owners, owner)) === 0) return
      const area = areaOf(sender)
      const asked = (await areas.get(area))?.consumedPoints ?? 0
      const isKnown = (await networks.get(network)) !== null
      const shared = ranks[asked === 0 ? 'new' : asked < CALM_REQUESTS ? 'calm' : isKnown ? 'more' : 'first']
      // Before a network gets a row, so that the requests of a minute bound the rows, too.
      refuse('from everybody', await waitOf(shared))
      refuse('from your network', await takeOne(networks, network))
      refuse('from everybody', await takeOne(shared, ''))
      await takeOne(areas, area)
    },
    countConfirmation: async (sender) =>
      refuse('from your network', await takeOne(confirmations, networkOfSender(sender))),
    countMail: async (email, inviteHash) => {
      const key = hashOf(mailboxOf(email), inviteHash?.toString('base64url') ?? '')
      return (await takeOne(mails, key)) === 0 || (await takeOne(hourly, key)) === 0
    },
    noteOwner: async (sender, email) => {
      const mailbox = mailboxOf(email)
      await takeOne(known, hashOf(networkOfSender(sender), mailbox))
      await hourly.reward(hashOf(mailbox, ''))
    },
  }
}

/** Seconds until a minute that networks share has room; 0 if it has. */
async function waitOf(shared: Limiter): Promise<number> {
  const window = await shared.get('')
  return window && window.remainingPoints === 0 ? toSeconds(window) : 0
}

const networkOfSender = (sender: Sender): string => networksOf(sender, GROUPS).client

/** The table of limits keeps no address. */
const hashOf = (...texts: string[]): string => createHash('sha256').update(texts.join('\n')).digest('base64url')

function refuse(whose: string, seconds: number): void {
  if (seconds > 0)
    throw new AssayError('RATE_LIMITED', `Too many sign-ups ${whose}: wait ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
}
