// The conditions of an alert as the filter of the tokens' table, and in words.
import { BOUNDS, type Bounds, type Filter, FLAG_FIELDS, FLAG_NAMES, showBound } from '../filter.ts'
import { FLAGS } from '../words.ts'

type Conditions = { [Field in keyof Bounds]?: number | null } & {
  excludeFlags?: readonly string[] | null
  includeFlags?: readonly string[] | null
}

export function toFilter(conditions: Conditions): Filter {
  const filter: Filter = {}
  for (const { field } of BOUNDS) {
    const value = conditions[field]
    if (typeof value === 'number') filter[field] = value
  }
  for (const [field] of FLAG_FIELDS) {
    const flags = FLAG_NAMES.filter((flag) => conditions[field]?.includes(flag))
    if (flags.length > 0) filter[field] = flags
  }
  return filter
}

export function describeConditions(conditions: Conditions): string {
  const filter = toFilter(conditions)
  const bounds = BOUNDS.flatMap((kind) => {
    const value = filter[kind.field]
    return value === undefined ? [] : [`${kind.label} ${kind.sign} ${showBound(kind, value)}`]
  })
  const flags = (filter.excludeFlags ?? []).map((flag) => `no ${shortOf(flag)}`)
  const wanted = filter.includeFlags?.map(shortOf).join(' or ')
  return [...bounds, ...flags, ...(wanted ? [`flag ${wanted}`] : [])].join(', ') || 'every token'
}

const shortOf = (flag: string): string => FLAGS[flag]?.short.toLowerCase() ?? flag
