// Loads the stakes that a batch names, by gauge and owner, from the database into the store. Rows already in the store are newer, and stay.

import type { Address } from '../../../base/address.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import { newStake, type StakeRecord } from '../../../book/rows/rows.ts'
import type { pg } from '../../../database/client.ts'
import type { Raw } from '../../../database/fields.ts'
import { stakeTable, toKept } from '../../tables.ts'

const TEXT = `SELECT ${stakeTable.select} FROM unnest($1::integer[], $2::integer[]) AS v(gauge_id, owner_id)
  JOIN stake t ON t.gauge_id = v.gauge_id AND t.owner_id = v.owner_id`

/** Loads them. The wallets must be loaded before: one that is not in the store has no stake yet. */
export async function loadStakes(
  reader: pg.Pool | pg.ClientBase,
  store: RowStore,
  stakes: Iterable<{ gauge: Address; owner: Address }>,
): Promise<void> {
  const wanted = [...stakes].flatMap(({ gauge, owner }) => {
    const [gaugeId, ownerId] = [store.wallets.find(gauge)?.id, store.wallets.find(owner)?.id]
    if (gaugeId === undefined || ownerId === undefined || store.stakes.get(gaugeId, ownerId)) return []
    return [{ gaugeId, ownerId, rows: [] as StakeRecord[] }]
  })
  if (wanted.length === 0) return
  const columns = [wanted.map(({ gaugeId }) => gaugeId), wanted.map(({ ownerId }) => ownerId)]
  const values = columns.map((column) => `{${column.join(',')}}`)
  const { rows } = await reader.query<Raw>({ name: 'load stake', text: TEXT, values })
  for (const row of rows.map((raw) => toKept(stakeTable, newStake(), raw)))
    wanted.find(({ gaugeId, ownerId }) => gaugeId === row.gaugeId && ownerId === row.ownerId)?.rows.push(row)
  for (const { gaugeId, ownerId, rows: found } of wanted)
    if (!store.stakes.get(gaugeId, ownerId)) store.stakes.add(gaugeId, ownerId, found)
}
