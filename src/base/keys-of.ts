// Records whose type names all of their keys. `Object.keys` gives texts, because a value may have more keys.

export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(record) as Key[]

export const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][]

/** A record with these keys. */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  of: (key: Key, at: number) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key, at) => [key, of(key, at)])) as Record<Key, Value>
