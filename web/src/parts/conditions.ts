// The conditions of an alert as the filter of the tokens' table, and in words.
import { BOUNDS, type Filter, FLAG_NAMES, showBound } from '../filter.ts'
import { FLAGS } from '../words.ts'

type Conditions = { [Field in keyof Filter]?: Filter[Field] | null } & { excludeFlags: readonly string[] | null }

export function toFilter(conditions: Conditions): Filter {
  const filter: Filter = {}
  for (const { field } of BOUNDS) {
    const value = conditions[field]
    if (typeof value === 'number') filter[field] = value
  }
  const flags = FLAG_NAMES.filter((flag) => conditions.excludeFlags?.includes(flag))
  if (flags.length > 0) filter.excludeFlags = flags
  return filter
}

export function describeConditions(conditions: Conditions): string {
  const filter = toFilter(conditions)
  const bounds = BOUNDS.flatMap((kind) => {
    const value = filter[kind.field]
    return value === undefined ? [] : [`${kind.label} ${kind.sign} ${showBound(kind, value)}`]
  })
  const flags = (filter.excludeFlags ?? []).map((flag) => `no ${FLAGS[flag]?.short.toLowerCase()}`)
  return [...bounds, ...flags].join(', ') || 'every token'
}
