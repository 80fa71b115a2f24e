// When the locks of pools' shares end, by share token and locker. Bounded: the fifty largest locks of a share token.

import { pushTo, type Reader, readRows } from '../../database/column-query.ts'
import { heldLocks, MAX_LOCKS } from '../held-locks.ts'
import type { LockFacts } from './facts.ts'

const LOCKS = `SELECT lp.id, l.locker_id, l.held::float8, date_part('epoch', l.ends_at)
FROM unnest($1::int[]) AS lp(id) CROSS JOIN LATERAL ${heldLocks('lp.id')} l
ORDER BY lp.id, l.ends_at, l.locker_id, l.number`

type LockRow = [lpId: number, lockerId: number, held: number, endsAt: number]

/** What a locker's logs say of its shares: parts of the supply, the soonest to end first. */
export interface LockerFacts {
  locks: LockFacts[]
  /** There are more locks of these shares than were read: what is left may be free by now. */
  isCut: boolean
}

/** Of a share token and a locker. */
export const lockerKey = (lpId: number, lockerId: number): string => `${lpId} ${lockerId}`

/** By `lockerKey`; `supplies`: how many shares there are, by share token. */
export async function readLocks(
  client: Reader,
  supplies: ReadonlyMap<number, number>,
): Promise<Map<string, LockerFacts>> {
  const byToken = new Map<number, LockRow[]>()
  const rows = await readRows<LockRow>(client, 'facts locks', LOCKS, [[...supplies.keys()]])
  for (const row of rows) pushTo(byToken, row[0], row)
  const lockers = new Map<string, LockerFacts>()
  for (const [lpId, list] of byToken) {
    const supply = supplies.get(lpId) ?? 0
    for (const [, lockerId, held, endsAt] of list) {
      const key = lockerKey(lpId, lockerId)
      const facts = lockers.get(key) ?? { locks: [], isCut: list.length >= MAX_LOCKS }
      if (held > 0 && supply > 0) facts.locks.push({ share: Math.min(1, held / supply), endsAt })
      lockers.set(key, facts)
    }
  }
  return lockers
}
