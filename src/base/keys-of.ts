// The keys and entries of a record whose type names them all. `Object.keys` has texts, because a value may have more.

export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(record) as Key[]

export const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][]
