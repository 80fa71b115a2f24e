// Loads rows from the database into the store. A row already in the store is at least as new as the table's, and stays.
// Every statement costs one index look-up per key, whatever the table's size.

import { numberAt } from '../../../base/item-at.ts'
import type { Cache } from '../../../book/rows/cache.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import {
  type KeptRow,
  newCandle,
  newPool,
  newPoolDay,
  newPosition,
  newToken,
  newWallet,
  newWalletDay,
  newWalletWeek,
  type PoolRecord,
  type PositionRecord,
  type TokenBlockRecord,
} from '../../../book/rows/rows.ts'
import { toLeavers } from '../../../book/rows/windows.ts'
import type { Leaver, Leaving } from '../../../book/rows/working-set.ts'
import type { pg } from '../../../database/client.ts'
import type { Raw } from '../../../database/fields.ts'
import type { Table } from '../../../database/table.ts'
import {
  poolDayTable,
  poolTable,
  positionTable,
  toKept,
  tokenFiveMinutesTable,
  tokenHourTable,
  tokenMinuteTable,
  tokenTable,
  walletDayTable,
  walletTable,
  walletWeekTable,
} from '../../tables.ts'

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
  for (const raw of await select(reader, tokenTable, { key, keys }, store.tokens)) {
    const token = toKept(tokenTable, newToken(), raw)
    if (!store.tokens.get(token.id)) store.tokens.add(token.id, token, token.address)
  }
}

/** Loads pools by id, address or base token. Returns the ids that were found, ascending. */
export async function loadPools(
  reader: Reader,
  store: RowStore,
  key: Key,
  keys: Iterable<number | string>,
): Promise<PoolRecord[]> {
  const found = (await select(reader, poolTable, { key, keys }, store.pools)).map((raw) =>
    toKept(poolTable, newPool(), raw),
  )
  for (const pool of found) if (!store.pools.get(pool.id)) store.pools.add(pool.id, pool, pool.address)
  return found.sort((a, b) => a.id - b.id)
}

/** Loads wallets by id or address. */
export async function loadWallets(
  reader: Reader,
  store: RowStore,
  key: Key,
  keys: Iterable<number | string>,
): Promise<void> {
  for (const raw of await select(reader, walletTable, { key, keys }, store.wallets)) {
    const wallet = toKept(walletTable, newWallet(), raw)
    if (!store.wallets.get(wallet.id)) store.wallets.add(wallet.id, wallet, wallet.address)
  }
}

/**
 * Reads the rows of the keys that the store does not know yet. By base token it reads all, because a base has many
 * pools.
 */
async function select(
  reader: Reader,
  { name, select }: Pick<Table<never>, 'name' | 'select'>,
  { key, keys }: { key: Key; keys: Iterable<number | string> },
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
    const row = toKept(positionTable, newPosition(), raw)
    if (!store.positions.get(row.tokenId, row.walletId)) store.positions.add(row.tokenId, row.walletId, row)
  }
  if (rows.length === tokens.length) return
  for (const [i, token] of tokens.entries()) store.positions.miss(token, numberAt(wallets, i))
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
 * The sums that leave a trailing window while its start moves from `after` to `until` (seconds since 1970; `after`
 * excluded). The table gives one sum per token, dated at its last row that leaves. `unwritten`: lists of the newest
 * rows, oldest first, which may not be in the table yet.
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
  const { rows } = await reader.query<{ token_id: number; time: number; amount: string | number }>({
    ...LEAVERS[window],
    values,
  })
  const written = rows.map(({ token_id, time, amount }) => ({ tokenId: token_id, time, amount: BigInt(amount) }))
  // Usually empty: a window is longer than the time that unwritten rows span.
  const passing = newer
    .filter(([oldest]) => oldest && oldest.time <= until)
    .flatMap((list) => list.filter(({ time }) => time > after && time <= until))
  return [...written, ...toLeavers(passing, window)]
}

/** Loads the existing rows of one minute, one slot of five minutes, one hour, one day and one week. */
export async function loadPeriods(
  reader: Reader,
  store: RowStore,
  wanted: {
    minuteTokens: number[]
    minute: number
    slotTokens: number[]
    slot: number
    hourTokens: number[]
    hour: number
    pools: number[]
    day: number
    wallets: number[]
    week: number
    tradersOfDay: number[]
  },
): Promise<void> {
  const load = async <Row extends KeptRow>(
    table: Table<Omit<Row, 'fresh'>>,
    ids: number[],
    value: number,
    [held, newRow]: readonly [Cache<Row>, () => Row],
  ): Promise<void> => {
    if (ids.length === 0) return
    const [key = '', period] = table.keys
    const text = `SELECT ${table.select} FROM ${table.name} t WHERE t.${key} = ANY($1::integer[]) AND t.${period} = $2`
    const query = { name: `load ${table.name}`, text, values: [`{${ids.join(',')}}`, value] }
    const { rows } = await reader.query<Raw>(query)
    for (const raw of rows) held.add(Number(raw[key]), toKept(table, newRow(), raw))
    for (const id of ids) held.miss(id)
  }
  const { minuteTokens, slotTokens, hourTokens } = wanted
  await load(tokenMinuteTable, minuteTokens, wanted.minute, [store.minutes, newCandle])
  await load(tokenFiveMinutesTable, slotTokens, wanted.slot, [store.fiveMinutes, newCandle])
  await load(tokenHourTable, hourTokens, wanted.hour, [store.hours, newCandle])
  await load(poolDayTable, wanted.pools, wanted.day, [store.days, newPoolDay])
  await load(walletWeekTable, wanted.wallets, wanted.week, [store.weeks, newWalletWeek])
  await load(walletDayTable, wanted.tradersOfDay, wanted.day, [store.walletDays, newWalletDay])
}
