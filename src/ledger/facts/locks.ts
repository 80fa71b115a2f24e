// When the locks of pools' shares end, by share token and locker. Bounded: the fifty largest locks of a share token.

import { defineRead, double, findRanges, integer, type Reader, seconds } from '../../database/column-query.ts'
import { heldLocks, MAX_LOCKS } from '../held-locks.ts'
import type { LockFacts } from './facts.ts'

const readLockRows = defineRead(
  'facts locks',
  {
    lpId: integer('lp.id'),
    lockerId: integer('l.locker_id'),
    held: double('l.held::float8'),
    endsAt: seconds('l.ends_at'),
  },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[]) AS lp(id) CROSS JOIN LATERAL ${heldLocks('lp.id')} l
    ORDER BY lp.id, l.ends_at, l.locker_id, l.number`,
)

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
  const rows = await readLockRows(client, [[...supplies.keys()]])
  const rangeOf = findRanges(rows.lpId)
  const lockers = new Map<string, LockerFacts>()
  for (const [at, lpId] of rows.lpId.entries()) {
    const { from, to } = rangeOf(lpId)
    const supply = supplies.get(lpId) ?? 0
    const held = rows.held[at] as number
    const key = lockerKey(lpId, rows.lockerId[at] as number)
    const facts = lockers.get(key) ?? { locks: [], isCut: to - from >= MAX_LOCKS }
    if (held > 0 && supply > 0)
      facts.locks.push({ share: Math.min(1, held / supply), endsAt: rows.endsAt[at] as number })
    lockers.set(key, facts)
  }
  return lockers
}
