// The conditions of alerts, which a list of tokens takes too, and the faults of their values.
import { type ListCondition, toSnake, type WantedOf, type WordsName } from './field.ts'
import { CONDITION_ROWS, CONDITIONS, type ConditionName, type ConditionsOf, type ConditionsWith } from './token.ts'

type Valued<Name extends ConditionName> = { [Each in Name]?: WantedOf<ConditionsOf[Each]> }

/** The conditions of an alert. A field that is left out sets no condition. */
export interface TokenFilter extends Valued<ConditionsWith<{ for: 'all' | 'alerts' | 'moments' }>> {}

/** Every condition on the fields of a token. */
export interface TokenConditions extends Valued<ConditionName> {}

/** Whether an alert takes it: the name is one of its conditions. */
export const isOfAlerts = (name: string): name is keyof TokenFilter =>
  name in CONDITIONS && CONDITIONS[name as ConditionName].for !== 'lists'

/** Whether a list of tokens takes it. */
export const isOfLists = (name: ConditionName): boolean => CONDITIONS[name].for !== 'moments'

/** The conditions that hold in one block only: a wallet trades. */
const MOMENTS = CONDITION_ROWS.filter(([, row]) => row.for === 'moments').map(([name]) => name as keyof TokenFilter)

/** Whether a filter has such a condition. */
export const isMomentary = (filter: TokenFilter): boolean => MOMENTS.some((name) => filter[name] !== undefined)

/** The rows of the conditions of alerts, and the names of these in REST. */
export const ALERT_ROWS = CONDITION_ROWS.filter(([name]) => isOfAlerts(name)) as [
  keyof TokenFilter,
  (typeof CONDITIONS)[ConditionName],
][]
export const ALERT_CONDITIONS = ALERT_ROWS.map(([name]) => toSnake(name))

/** The name of one word of a list. */
const ONE: Readonly<Partial<Record<WordsName, string>>> = { flags: 'a flag', powers: 'a power' }

/** The fault of a number as a bound; null: it has none. */
function checkBound(
  value: number,
  { min = -Infinity, max = Infinity, whole }: { min?: number; max?: number; whole?: true },
): string | null {
  if (whole && Number.isFinite(value) && !Number.isInteger(value)) return 'must be a whole number'
  if (Number.isFinite(value) && value >= min && value <= max) return null
  return `must be a number${max < Infinity ? ` from ${min} to ${max}` : min > -Infinity ? ` >= ${min}` : ''}`
}

/** Every least value of an alert's condition that is above the largest value of the same field. */
export function checkPairs(
  filter: Readonly<Record<string, unknown>>,
  nameOf: (field: ConditionName) => string,
): Misvalued[] {
  return ALERT_ROWS.filter(([, { is }]) => is === 'least').flatMap(([least, { field }]) => {
    const most = ALERT_ROWS.find(([, row]) => row.is === 'most' && row.field === field)?.[0]
    const [low, high] = [filter[least], most && filter[most]]
    if (!most || typeof low !== 'number' || typeof high !== 'number' || low <= high) return []
    return [{ field: nameOf(least), fault: `must not be above ${nameOf(most)}` }]
  })
}

/** A value that is invalid. The fault follows the field's name. */
interface Misvalued {
  field: string
  fault: string
}

/** The invalid values of these conditions, each on its own. `nameOf` gives a condition the name that the caller knows. */
export function checkValues<Name extends string>(
  rows: readonly (readonly [Name, ListCondition])[],
  filter: { readonly [Each in Name]?: unknown },
  nameOf: (field: Name) => string,
): Misvalued[] {
  const faults: Misvalued[] = []
  const addFault = (field: Name, fault: string) => faults.push({ field: nameOf(field), fault })
  for (const [name, row] of rows) {
    const value = filter[name]
    const fault = typeof value === 'number' ? checkBound(value, row as Parameters<typeof checkBound>[1]) : null
    if (fault !== null) addFault(name, fault)
  }
  for (const [name, row] of rows) {
    const value = filter[name]
    if (row.is === 'any' && Array.isArray(value) && value.length === 0)
      addFault(name, `must name ${ONE[row.of] ?? 'a word'}, or be left out`)
    if (row.is === 'among' && Array.isArray(value) && (value.length === 0 || value.length > row.most))
      addFault(name, `must name 1 to ${row.most} ${row.what}`)
  }
  return faults
}

/** The invalid values of a filter of tokens. */
export function checkFilter(filter: TokenConditions, nameOf: (field: ConditionName) => string): Misvalued[] {
  const faults = checkValues(CONDITION_ROWS, filter, nameOf)
  const { boughtBy, soldBy, tradedBy } = filter
  for (const name of ['minAmountUsd', 'maxAmountUsd'] as const)
    if (filter[name] !== undefined && !(boughtBy ?? soldBy ?? tradedBy)) {
      const fault = `needs ${nameOf('boughtBy')}, ${nameOf('soldBy')} or ${nameOf('tradedBy')}`
      faults.push({ field: nameOf(name), fault })
    }
  if (filter.mirrorSales && !boughtBy)
    faults.push({ field: nameOf('mirrorSales'), fault: `needs ${nameOf('boughtBy')}` })
  if (filter.mirrorUnreported && !filter.mirrorSales)
    faults.push({ field: nameOf('mirrorUnreported'), fault: `needs ${nameOf('mirrorSales')}` })
  return [...faults, ...checkPairs({ ...filter }, nameOf)]
}
