// Loads the position tokens of a batch from the database into the store, with their owners and pools. Adds their facts
// to the scan: an owner provides, whoever signs. Rows already in the store are newer, and stay.

import type { Address } from '../../../base/address.ts'
import { itemAt } from '../../../base/item-at.ts'
import { put, type Scan, type ScannedPosition } from '../../../book/logs/scan.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import { newPositionToken } from '../../../book/rows/rows.ts'
import type { pg } from '../../../database/client.ts'
import type { Raw } from '../../../database/fields.ts'
import { positionTokenTable, toKept } from '../../tables.ts'
import { loadPools, loadWallets } from './rows.ts'

const { select } = positionTokenTable
const TEXT = `SELECT ${select} FROM unnest($1::integer[], $2::integer[]) AS v(manager_id, number)
  JOIN position_token t ON t.manager_id = v.manager_id AND t.number = v.number`

/** Loads the tokens. The managers' wallets must be loaded before: one that is not in the store has none yet. Returns their pools. */
export async function loadPositionTokens(
  reader: pg.Pool | pg.ClientBase,
  store: RowStore,
  scanned: Scan,
): Promise<Address[]> {
  const positions = [...scanned.positions.values()]
  if (positions.length === 0) return []
  await loadRows(reader, store, positions)
  const rows = positions.map(({ manager, number }) => {
    const managerId = store.wallets.find(manager)?.id
    return managerId === undefined ? undefined : store.positionTokens.get(managerId, number)
  })
  const owners = rows.flatMap((row) => row?.ownerId ?? [])
  const poolIds = rows.flatMap((row) => row?.poolId ?? [])
  await loadWallets(reader, store, 'id', owners)
  await loadPools(reader, store, 'id', poolIds)
  for (const [at, row] of rows.entries()) addTold(store, scanned, itemAt(positions, at), row)
  return poolIds.flatMap((id) => store.pools.get(id)?.address ?? [])
}

async function loadRows(
  reader: pg.Pool | pg.ClientBase,
  store: RowStore,
  positions: readonly ScannedPosition[],
): Promise<void> {
  const wanted = positions.flatMap(({ manager, number }) => {
    const managerId = store.wallets.find(manager)?.id
    return managerId === undefined || store.positionTokens.isKnown(managerId, number) ? [] : [{ managerId, number }]
  })
  if (wanted.length === 0) return
  const columns = [wanted.map(({ managerId }) => managerId), wanted.map(({ number }) => number)]
  const values = columns.map((column) => `{${column.join(',')}}`)
  const { rows } = await reader.query<Raw>({ name: 'load position_token', text: TEXT, values })
  for (const raw of rows) {
    const row = toKept(positionTokenTable, newPositionToken(), raw)
    if (!store.positionTokens.get(row.managerId, row.number)) store.positionTokens.add(row.managerId, row.number, row)
  }
  for (const { managerId, number } of wanted) store.positionTokens.miss(managerId, number)
}

/** Every possible owner of the token may provide to its pool, and has events there. */
function addTold(
  store: RowStore,
  { signers, providers }: Scan,
  { pools, wallets }: ScannedPosition,
  row: { ownerId: number; poolId: number | null } | undefined,
): void {
  const owner = row && store.wallets.get(row.ownerId)?.address
  const pool = row && row.poolId !== null ? store.pools.get(row.poolId)?.address : undefined
  const owners = owner ? [...wallets, owner] : [...wallets]
  for (const address of pool ? [...pools, pool] : pools) {
    for (const who of owners) {
      put(signers, address, who)
      put(providers, address, who)
    }
  }
}
