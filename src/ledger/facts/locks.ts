// Reads when the locks of pools' shares end, by liquidity token and locker: the fifty largest locks of each token.

import { float64At, int32At } from '../../base/item-at.ts'
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

/** The shares of a liquidity token that a locker holds, from its logs: the soonest to end first. */
export interface LockerFacts {
  locks: LockFacts[]
  /** Whether there are more locks than were read, so that the rest of the share may be free by now. */
  isCut: boolean
}

/** The key of a liquidity token and a locker in the result of `readLocks`. */
export const lockerKey = (lpId: number, lockerId: number): string => `${lpId} ${lockerId}`

/** Reads locks, by `lockerKey`. `supplies` has the raw supply of each liquidity token. */
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
    const held = float64At(rows.held, at)
    const key = lockerKey(lpId, int32At(rows.lockerId, at))
    const facts = lockers.get(key) ?? { locks: [], isCut: to - from >= MAX_LOCKS }
    if (held > 0 && supply > 0)
      facts.locks.push({ share: Math.min(1, held / supply), endsAt: float64At(rows.endsAt, at) })
    lockers.set(key, facts)
  }
  return lockers
}
