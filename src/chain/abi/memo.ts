// Addresses come back: the same few thousand stand in most logs of a range. What was read of a text before is not read
// again, and equal texts become one string, which maps find without comparing it letter by letter.

/** A pure function of a text that remembers up to twice `limit` answers; what throws is not remembered. */
export function memoise<Value>(limit: number, read: (text: string) => Value): (text: string) => Value {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const value = old.get(text) ?? read(text)
    if (young.size >= limit) {
      old = young
      young = new Map()
    }
    young.set(text, value)
    return value
  }
}
