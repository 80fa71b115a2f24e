// How facts are read: one flat prepared statement for many tokens or wallets at once, rows as arrays.
import type pg from 'pg'

/** Who asks: a connection, inside the transaction that also stores what comes of it. */
export type Reader = Pick<pg.ClientBase, 'query'>

/** Rows as arrays in the order of the select list; the name makes it a prepared statement. */
export async function readRows<Row extends unknown[]>(
  client: Reader,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({ name, text, values, rowMode: 'array' })
  return rows
}

/** Appends to the list under the key. */
export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
