// Pure. Whether an answer that a page shows still has the shape of the real one, and the real one cut as the page has it.

/** Where the two differ in shape, as paths; empty: nowhere. Null stands for any one value; lists may be of other lengths. */
export function differences(shown: unknown, real: unknown, path = ''): string[] {
  const kinds = [kindOf(shown), kindOf(real)]
  if (kinds.includes('null')) return kinds.includes('object') ? [`${path}: ${kinds.join(' is now ')}`] : []
  if (kinds[0] !== kinds[1]) return [`${path}: ${kinds.join(' is now ')}`]
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length > 0 && real.length === 0) return [`${path}: the list is empty now`]
    return shown.flatMap((item, index) => differences(item, real[Math.min(index, real.length - 1)], `${path}[${index}]`))
  }
  if (!isRecord(shown) || !isRecord(real)) return []
  return [...new Set([...Object.keys(shown), ...Object.keys(real)])].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    if (!(name in shown)) return [`${at}: is not shown`]
    if (!(name in real)) return [`${at}: is no more`]
    return differences(shown[name], real[name], at)
  })
}

/** The real answer with every list cut to the length of the shown one. */
export function cutLike(shown: unknown, real: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(real)) {
    return real.slice(0, Math.max(shown.length, 1)).map((item, index) => cutLike(shown[index] ?? shown[0], item))
  }
  if (!isRecord(real)) return real
  const known = isRecord(shown) ? shown : {}
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, cutLike(known[name], value)]))
}

const isRecord = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object'

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
