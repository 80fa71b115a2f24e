// Loads the locks in a batch's locker logs from the database into the store. These are all locks of a number, or all of
// a token if the locker does not number its locks. Rows already in the store are newer, and stay. Each lock is one
// index look-up.

import type { RowStore } from '../../../book/rows/row-store.ts'
import { newTokenLock, type TokenLockRecord } from '../../../book/rows/rows.ts'
import { lockGroup } from '../../../book/rows/working-set.ts'
import type { LockLog } from '../../../chain/event.ts'
import type { pg } from '../../../database/client.ts'
import type { Raw } from '../../../database/fields.ts'
import { toKept, tokenLockTable } from '../../tables.ts'

const { select } = tokenLockTable
const TEXT = `SELECT t.number AS lock_group, ${select} FROM unnest($1::integer[], $2::integer[]) AS v(locker_id, number)
    JOIN token_lock t ON t.locker_id = v.locker_id AND t.number = v.number
  UNION ALL
  SELECT -t.token_id, ${select} FROM unnest($3::integer[], $4::integer[]) AS v(locker_id, token_id)
    JOIN token_lock t ON t.token_id = v.token_id AND t.locker_id = v.locker_id`

/** Loads the locks. Lockers and tokens must be loaded before: one that is not in the store has no locks yet. */
export async function loadLocks(
  reader: pg.Pool | pg.ClientBase,
  store: RowStore,
  logs: readonly LockLog[],
): Promise<void> {
  const wanted = new Map<string, { lockerId: number; group: number; rows: TokenLockRecord[] }>()
  for (const log of logs) {
    const lockerId = store.wallets.find(log.address)?.id
    const group = groupOf(store, log)
    if (lockerId === undefined || group === null || store.locks.get(lockerId, group)) continue
    wanted.set(`${lockerId} ${group}`, { lockerId, group, rows: [] })
  }
  if (wanted.size === 0) return
  const groups = [...wanted.values()]
  const [numbered, others] = [groups.filter((it) => it.group >= 0), groups.filter((it) => it.group < 0)]
  const columns = [
    numbered.map((it) => it.lockerId),
    numbered.map((it) => it.group),
    others.map((it) => it.lockerId),
    others.map((it) => -it.group),
  ]
  const values = columns.map((column) => `{${column.join(',')}}`)
  const { rows } = await reader.query<Raw>({ name: 'load token_lock', text: TEXT, values })
  for (const raw of rows)
    wanted.get(`${raw.locker_id} ${raw.lock_group}`)?.rows.push(toKept(tokenLockTable, newTokenLock(), raw))
  for (const { lockerId, group, rows: found } of groups)
    if (!store.locks.get(lockerId, group)) store.locks.add(lockerId, group, found)
}

/** The log's lock group; null if its token is unknown. */
function groupOf(store: RowStore, log: LockLog): number | null {
  if ('number' in log) return lockGroup(log.number, 0)
  const tokenId = store.tokens.find(log.token)?.id
  return tokenId === undefined ? null : lockGroup(null, tokenId)
}
