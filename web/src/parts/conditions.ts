// The conditions of an alert as the filter of the tokens' table, and a filter in words.
import {
  BOUNDS,
  type Bounds,
  type Filter,
  FLAG_FIELDS,
  FLAG_NAMES,
  POWER_FIELDS,
  POWER_NAMES,
  SWITCH_FIELDS,
  showBound,
} from '../filter.ts'
import { FLAGS, POWERS } from '../words.ts'

type Conditions = { [Field in keyof Bounds]?: number | null } & {
  [Field in (typeof FLAG_FIELDS | typeof POWER_FIELDS)[number][0]]?: readonly string[] | null
} & { [Field in (typeof SWITCH_FIELDS)[number][0]]?: boolean | null }

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
  for (const [field] of POWER_FIELDS) {
    const powers = POWER_NAMES.filter((power) => conditions[field]?.includes(power))
    if (powers.length > 0) filter[field] = powers
  }
  for (const [field] of SWITCH_FIELDS) {
    const value = conditions[field]
    if (typeof value === 'boolean') filter[field] = value
  }
  return filter
}

/** The condition behind a yes or no. */
export const SWITCHES: Readonly<Record<(typeof SWITCH_FIELDS)[number][0], readonly [yes: string, no: string]>> = {
  sellable: ['Can be sold', 'Cannot be sold'],
  contractChecked: ['Contract checked', 'Contract not checked'],
  ownerChanged: ['Owner changed', 'Owner not changed'],
}

export function describeConditions(conditions: Conditions): string {
  const filter = toFilter(conditions)
  const bounds = BOUNDS.flatMap((kind) => {
    const value = filter[kind.field]
    return value === undefined ? [] : [`${kind.label} ${kind.sign} ${showBound(kind, value)}`]
  })
  const flags = (filter.excludeFlags ?? []).map((flag) => `no ${shortOf(flag)}`)
  const wanted = filter.includeFlags?.map(shortOf).join(' or ')
  const switches = SWITCH_FIELDS.flatMap(([field]) => {
    const value = filter[field]
    return value === undefined ? [] : [SWITCHES[field][value ? 0 : 1].toLowerCase()]
  })
  const { excludePowers, includePowers } = filter
  const powers = [
    ...(excludePowers
      ? [excludePowers.length === POWER_NAMES.length ? NO_POWERS : `nobody can ${toDeeds(excludePowers)}`]
      : []),
    ...(includePowers ? [`somebody can ${toDeeds(includePowers)}`] : []),
  ]
  return (
    [...bounds, ...flags, ...(wanted ? [`flag ${wanted}`] : []), ...switches, ...powers].join(', ') || 'every token'
  )
}

const NO_POWERS = 'nobody has powers'

const toDeeds = (powers: readonly string[]): string => powers.map((power) => POWERS[power] ?? power).join(' or ')

const shortOf = (flag: string): string => FLAGS[flag]?.short.toLowerCase() ?? flag
