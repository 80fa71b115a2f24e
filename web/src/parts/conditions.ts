// A filter in words.
import { BOUNDS, NAMINGS, POWER_NAMES, SWITCHES, showBound, toFilter } from '../filter.ts'
import { shortAddress } from '../format.ts'
import { FLAGS, POWERS } from '../words.ts'

/** `toName`: of a token or wallet by its address. */
export function describeConditions(conditions: object, toName: (address: string) => string = shortAddress): string {
  const filter = toFilter(conditions)
  const bounds = BOUNDS.flatMap((kind) => {
    const value = filter[kind.field]
    return value === undefined ? [] : [`${kind.label} ${kind.sign} ${showBound(kind, value)}`]
  })
  const named = NAMINGS.flatMap(({ field, words }) => {
    const addresses = filter[field]
    return addresses ? [`${words} ${addresses.map(toName).join(' or ')}`] : []
  })
  const flags = (filter.excludeFlags ?? []).map((flag) => `no ${FLAGS[flag]}`)
  const wanted = filter.includeFlags?.map((flag) => FLAGS[flag]).join(' or ')
  const switches = SWITCHES.flatMap(({ field, words }) => {
    const value = filter[field]
    return value === undefined ? [] : [words[value ? 0 : 1].toLowerCase()]
  })
  const { excludePowers, includePowers } = filter
  const powers = [
    ...(excludePowers
      ? [excludePowers.length === POWER_NAMES.length ? NO_POWERS : `nobody can ${toDeeds(excludePowers)}`]
      : []),
    ...(includePowers ? [`somebody can ${toDeeds(includePowers)}`] : []),
  ]
  return (
    [...named, ...bounds, ...flags, ...(wanted ? [`flag ${wanted}`] : []), ...switches, ...powers].join(', ') ||
    'every token'
  )
}

const NO_POWERS = 'nobody has powers'

const toDeeds = (powers: readonly string[]): string => powers.map((power) => POWERS[power] ?? power).join(' or ')
