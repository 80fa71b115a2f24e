// The operations behind `invites create | list | end`. Takes the operator's input; returns ids and, once, the code.
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import { endInvite, type Invite, insertInvite, listInvites } from '../ledger/account/invite.ts'
import { drawToken } from './token.ts'

/** Invites that `list` shows. */
const MOST_LISTED = 1_000

export interface Invites {
  /** A code of one use, which can be read only now. */
  create(terms: { days: number; note: string }): Promise<{ id: number; code: string; expiresAt: Date }>
  /** Newest first, 1,000 at most. */
  list(): Promise<Invite[]>
  /** Throws NOT_FOUND unless the invite can still be used. */
  end(id: number): Promise<void>
}

/** Creates the operations over the database. */
export function createInvites(pool: Database['pool'], clock: Clock): Invites {
  return {
    create: async ({ days, note }) => {
      const { token: code, hash } = drawToken()
      const createdAt = clock.now()
      const expiresAt = new Date(createdAt.getTime() + days * DAY_SECONDS * 1_000)
      return { id: await insertInvite(pool, { hash, note, createdAt, expiresAt }), code, expiresAt }
    },
    list: () => listInvites(pool, MOST_LISTED),
    end: async (id) => {
      if (!(await endInvite(pool, id, clock.now())))
        throw new AssayError('NOT_FOUND', `There is no invite ${id} that can be used.`)
    },
  }
}
