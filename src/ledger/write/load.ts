// Loads rows from the database into the store. A row already in the store is at least as new as the table's, and stays.
// Every statement costs one index look-up per key, whatever the table's size.

import { itemAt } from '../../base/item-at.ts'
import type { Cache } from '../../book/rows/cache.ts'
import type { RowStore } from '../../book/rows/row-store.ts'
import type { BlockRecord, PositionRecord, TokenBlockRecord } from '../../book/rows/rows.ts'
import { toLeavers } from '../../book/rows/windows.ts'
import type { Leaver, Leaving } from '../../book/rows/working-set.ts'
import type { pg } from '../../database/client.ts'
import type { Table } from '../../database/table.ts'
import { type Raw, toCandle, toCounts, toDay, toPool, toPosition, toToken, toWallet, toWeek } from './parse.ts'
import {
  poolDayTable,
  poolTable,
  positionTable,
  tokenFiveMinutesTable,
  tokenHourTable,
  tokenTable,
  walletTable,
  walletWeekTable,
} from './tables.ts'

type Reader = pg.Pool | pg.ClientBase

const seconds = (column: string, name = column) => `extract(epoch FROM ${column})::double precision AS ${name}`

type Key = 'id' | 'address' | 'base_id'

/** Loads tokens by id or address. */
export async function loadTokens(
  reader: Reader,
  store: RowStore,
  key: Key,
  keys: Iterable<number | string>,
): Promise<void> {
  for (const raw of await select(reader, tokenTable, key, keys, store.tokens)) {
    if (!store.tokens.get(raw.id as number)) store.tokens.add(raw.id as number, toToken(raw), raw.address as string)
  }
}

/** Loads pools by id, address or base token. Returns the ids that were found, ascending. */
export async function loadPools(
  reader: Reader,
  store: RowStore,
  key: Key,
  keys: Iterable<number | string>,
): Promise<{ id: number; baseId: number | null }[]> {
  const rows = await select(reader, poolTable, key, keys, store.pools)
  for (const raw of rows) {
    if (!store.pools.get(raw.id as number)) store.pools.add(raw.id as number, toPool(raw), raw.address as string)
  }
  return rows.map((raw) => ({ id: raw.id as number, baseId: raw.base_id as number | null })).sort((a, b) => a.id - b.id)
}

/** Loads wallets by id or address. */
export async function loadWallets(
  reader: Reader,
  store: RowStore,
  key: Key,
  keys: Iterable<number | string>,
): Promise<void> {
  for (const raw of await select(reader, walletTable, key, keys, store.wallets)) {
    if (!store.wallets.get(raw.id as number)) store.wallets.add(raw.id as number, toWallet(raw), raw.address as string)
  }
}

/** Reads the rows of those keys that the store does not know yet. By base token it reads all, since a base has many pools. */
async function select(
  reader: Reader,
  { name, select }: Pick<Table<never>, 'name' | 'select'>,
  key: Key,
  keys: Iterable<number | string>,
  held: Cache<unknown>,
): Promise<Raw[]> {
  const list = [...new Set(keys)].filter((one) => key === 'base_id' || !held.isKnown(one))
  if (list.length === 0) return []
  const type = key === 'address' ? 'text' : 'integer'
  const text = `SELECT ${select} FROM ${name} t WHERE t.${key} = ANY($1::${type}[])`
  const query = { name: `load ${name} by ${key}`, text, values: [`{${list.join(',')}}`] }
  const { rows } = await reader.query<Raw>(query)
  if (key !== 'base_id' && rows.length < list.length) {
    const found = new Set(rows.map((raw) => raw[key]))
    for (const one of list) if (!found.has(one)) held.miss(one)
  }
  return rows
}

/** Loads positions by token and wallet. */
export async function loadPositions(
  reader: Reader,
  store: RowStore,
  [tokens, wallets]: [tokens: number[], wallets: number[]],
): Promise<void> {
  if (tokens.length === 0) return
  const { rows } = await reader.query<Raw>({
    name: 'load position',
    text: `SELECT ${positionTable.select} FROM position t JOIN unnest($1::integer[], $2::integer[]) AS v(token_id, wallet_id) ON v.token_id = t.token_id AND v.wallet_id = t.wallet_id`,
    values: [`{${tokens.join(',')}}`, `{${wallets.join(',')}}`],
  })
  for (const raw of rows) {
    const row = toPosition(raw)
    if (!store.positions.get(row.tokenId, row.walletId)) store.positions.add(row.tokenId, row.walletId, row)
  }
  if (rows.length === tokens.length) return
  for (const [i, token] of tokens.entries()) store.positions.miss(token, itemAt(wallets, i))
}

/** Wallets that ever held these tokens, by token. `unwritten`: positions that may not be in the table yet. */
export async function loadHolders(
  reader: Reader,
  tokens: number[],
  unwritten: readonly Iterable<PositionRecord>[],
): Promise<Map<number, number[]>> {
  if (tokens.length === 0) return new Map()
  const holders = new Map<number, Set<number>>(tokens.map((id) => [id, new Set()]))
  const { rows } = await reader.query<{ token_id: number; wallet_id: number }>({
    name: 'load holders',
    text: 'SELECT token_id, wallet_id FROM position WHERE token_id = ANY($1::integer[])',
    values: [`{${tokens.join(',')}}`],
  })
  for (const { token_id, wallet_id } of rows) holders.get(token_id)?.add(wallet_id)
  for (const positions of unwritten) for (const { tokenId, walletId } of positions) holders.get(tokenId)?.add(walletId)
  return new Map([...holders].map(([token, wallets]) => [token, [...wallets]]))
}

const leavers = (column: 'volume_micro_usd' | 'holder_delta') => ({
  name: `load leaving ${column}`,
  text: `SELECT token_id, ${seconds('max(t.time)', 'time')}, sum(${column}) AS amount FROM token_block t
    WHERE t.time > to_timestamp($1::double precision) AND t.time <= to_timestamp($2::double precision)
      AND block_number < $3 AND ${column} <> 0
    GROUP BY token_id ORDER BY 2, 1`,
})
const LEAVERS: { readonly [window in keyof Leaving]: ReturnType<typeof leavers> } = {
  volume: leavers('volume_micro_usd'),
  holders: leavers('holder_delta'),
}
const ANY_BLOCK = 2 ** 31 - 1

/**
 * What leaves a trailing window while its start moves from `after` to `until` (seconds since 1970; `after` excluded). The
 * table gives one sum per token, dated at its last row that leaves. `unwritten`: lists of the newest rows, oldest first,
 * which may not be in the table yet.
 */
export async function readLeavers(
  reader: Reader,
  window: keyof Leaving,
  [after, until]: readonly [number, number],
  unwritten: readonly (readonly TokenBlockRecord[])[],
): Promise<Leaver[]> {
  // Unwritten rows may have been written meanwhile; the bound on block_number keeps them from being counted twice.
  const newer = unwritten.filter((list) => list.length > 0)
  const values = [after, until, newer[0]?.[0]?.blockNumber ?? ANY_BLOCK]
  const { rows } = await reader.query<Raw>({ ...LEAVERS[window], values })
  const written = rows.map((raw) => ({
    tokenId: raw.token_id as number,
    time: raw.time as number,
    amount: BigInt(raw.amount as string | number),
  }))
  // Usually empty: a window is longer than the time that unwritten rows span.
  const passing = newer
    .filter(([oldest]) => oldest && oldest.time <= until)
    .flatMap((list) => list.filter(({ time }) => time > after && time <= until))
  return [...written, ...toLeavers(passing, window)]
}

/** Loads the existing rows of one slot of five minutes, one hour, one day and one week. */
export async function loadPeriods(
  reader: Reader,
  store: RowStore,
  wanted: {
    slotTokens: number[]
    slot: number
    hourTokens: number[]
    hour: number
    pools: number[]
    day: number
    wallets: number[]
    week: number
  },
): Promise<void> {
  const load = async <Row>(
    { name, keys: [key = '', period], select }: Table<Row>,
    ids: number[],
    value: number,
    [held, toRow]: readonly [Cache<Row>, (raw: Raw) => Row],
  ): Promise<void> => {
    if (ids.length === 0) return
    const text = `SELECT ${select} FROM ${name} t WHERE t.${key} = ANY($1::integer[]) AND t.${period} = $2`
    const { rows } = await reader.query<Raw>({ name: `load ${name}`, text, values: [`{${ids.join(',')}}`, value] })
    for (const raw of rows) held.add(raw[key] as number, toRow(raw))
    for (const id of ids) held.miss(id)
  }
  const { slotTokens, hourTokens } = wanted
  await load(tokenFiveMinutesTable, slotTokens, wanted.slot, [store.fiveMinutes, toCandle])
  await load(tokenHourTable, hourTokens, wanted.hour, [store.hours, toCandle])
  await load(poolDayTable, wanted.pools, wanted.day, [store.days, toDay])
  await load(walletWeekTable, wanted.wallets, wanted.week, [store.weeks, toWeek])
}

/** The blocks in the database, oldest first: the newest final block and all after it. */
export async function readBlocks(reader: Reader): Promise<BlockRecord[]> {
  const { rows } = await reader.query<Raw>(
    `SELECT number, hash, parent_hash, ${seconds('time')}, event_count, swap_count,
      liquidity_add_count, liquidity_remove_count, transfer_count, token_count, wallet_count, last_token_id,
      last_wallet_id, last_pool_id, unit_ids, unit_usd FROM block ORDER BY number`,
  )
  return rows.map((raw) => ({
    number: raw.number as number,
    hash: raw.hash as string,
    parentHash: raw.parent_hash as string,
    time: raw.time as number,
    counts: toCounts(raw),
    tokenCount: raw.token_count as number,
    walletCount: raw.wallet_count as number,
    lastTokenId: raw.last_token_id as number,
    lastWalletId: raw.last_wallet_id as number,
    lastPoolId: raw.last_pool_id as number,
    units: { ids: raw.unit_ids as number[], usd: raw.unit_usd as number[] },
  }))
}
