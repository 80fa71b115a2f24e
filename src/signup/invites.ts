// The operations behind `invites create | list | end`. Takes the operator's input; returns ids and, once, the code.
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Database } from '../database/client.ts'
import { endInvite, type Invite, insertInvite, listInvites } from '../ledger/account/invite.ts'
import { drawToken, hashToken } from './token.ts'

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
      const code = drawToken()
      const hash = hashToken(code)
      if (!hash) throw new Error('a new code has no hash')
      const createdAt = clock.now()
      const expiresAt = new Date(createdAt.getTime() + days * 86_400_000)
      return { id: await insertInvite(pool, { hash, note, createdAt, expiresAt }), code, expiresAt }
    },
    list: () => listInvites(pool, MOST_LISTED),
    end: async (id) => {
      if (!(await endInvite(pool, id, clock.now())))
        throw new AssayError('NOT_FOUND', `There is no invite ${id} that can be used.`)
    },
  }
}
