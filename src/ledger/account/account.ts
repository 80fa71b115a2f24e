// Accounts: an e-mail address and a plan. Only accounts of the plan `api` have limits of their own.

import { mailboxOf } from '../../base/mailbox.ts'
import type { Plan } from '../../base/vocabulary.ts'
import type { pg } from '../../database/client.ts'

export interface AccountTerms {
  email: string
  plan: Plan
  /** Null: the plan's limit, if it has one. */
  requestsPerMinute: number | null
  requestsPerDay: number | null
  /** Streams at a time. */
  streams: number | null
}

/** Opens an account for the address, or sets plan and limits of the one that its mailbox has. Returns the account's id. */
export async function saveAccount(client: pg.Pool | pg.ClientBase, terms: AccountTerms): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO account (email, mailbox, plan, requests_per_minute, requests_per_day, streams)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (mailbox) DO UPDATE SET plan = excluded.plan,
       requests_per_minute = excluded.requests_per_minute, requests_per_day = excluded.requests_per_day, streams = excluded.streams
     RETURNING id`,
    [terms.email, mailboxOf(terms.email), terms.plan, terms.requestsPerMinute, terms.requestsPerDay, terms.streams],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an insert returned no row')
  return id
}
