// The filter of the tokens' table. The address of the page holds it under the names of REST, so that a link shows its
// sender's view.
import { HIGHEST_OF_LEVELS, RISK_CUTS, toRiskLevel } from '../../src/base/risk-level.ts'
import { toSnake, type Unit, WORDS } from '../../src/fields/field.ts'
import { ALERT_ROWS, isOfLists, type TokenFilter } from '../../src/fields/filter.ts'
import { unitOfField } from '../../src/fields/token.ts'
import { showNumber } from './format.ts'
import { isAddress } from './is-address.ts'

type Open<Value> = Value extends readonly (infer Word)[] ? Word[] : Value

export type Filter = { -readonly [Name in keyof TokenFilter]: Open<TokenFilter[Name]> }
type Condition = (typeof ALERT_ROWS)[number][1]

/** The fields of a kind of the filter, by the type of their values. */
type FieldOf<Value> = { [Name in keyof Filter]-?: Value extends Filter[Name] ? Name : never }[keyof Filter]
const namesOf = <Value>(has: (row: Condition) => boolean) =>
  ALERT_ROWS.filter(([, row]) => has(row)).map(([name]) => name as FieldOf<Value>)

export const FLAG_NAMES = WORDS.flags
export type FlagName = (typeof FLAG_NAMES)[number]
export const POWER_NAMES = WORDS.powers
type PowerName = (typeof POWER_NAMES)[number]

export const POWER_FIELDS = namesOf<PowerName[]>((row) => 'of' in row && row.of === 'powers')

export interface BoundKind {
  field: FieldOf<number>
  label: string
  unit: Unit
  sign: '≥' | '≤'
  presets: readonly number[]
}

export const BOUNDS: readonly BoundKind[] = ALERT_ROWS.flatMap(([name, row]) => {
  if ((row.is !== 'least' && row.is !== 'most') || !row.page) return []
  const [label, presets] = row.page
  return [
    {
      field: name as FieldOf<number>,
      label,
      unit: unitOfField(row.field),
      sign: row.is === 'least' ? '≥' : '≤',
      presets,
    },
  ]
})

interface Switch {
  field: FieldOf<boolean>
  words: readonly [yes: string, no: string]
}

/** The yes-or-no conditions. */
export const SWITCHES: readonly Switch[] = ALERT_ROWS.flatMap(([name, row]) =>
  row.is === 'yes' && row.page ? [{ field: name as FieldOf<boolean>, words: row.page }] : [],
)

interface Naming {
  field: Extract<FieldOf<string[]>, 'tokens' | 'boughtBy' | 'soldBy' | 'tradedBy'>
  words: string
}

const NAMING_WORDS: Readonly<Record<Naming['field'], string>> = {
  tokens: 'only',
  boughtBy: 'bought by',
  soldBy: 'sold by',
  tradedBy: 'traded by',
}

/** The conditions that name tokens or wallets. */
export const NAMINGS = Object.entries(NAMING_WORDS).map(([field, words]) => ({ field, words })) as Naming[]

/** Whether it names wallets: without one, no condition is of trades. */
export const namesWallets = ({ boughtBy, soldBy, tradedBy }: Filter): boolean =>
  (boughtBy ?? soldBy ?? tradedBy) !== undefined

/** The bounds that fit a filter: those of trades need a wallet. */
export const boundsFor = (filter: Filter): readonly BoundKind[] =>
  BOUNDS.filter(({ field }) => isOfLists(field) || namesWallets(filter))

/** The switches that fit a filter: those of trades need a wallet. */
export const switchesFor = (filter: Filter): readonly Switch[] =>
  SWITCHES.filter(({ field }) => isOfLists(field) || filter.boughtBy !== undefined)

/** The filter without the conditions that hold in one block only, which no list takes. */
export const forList = (filter: Filter): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => isOfLists(name as keyof TokenFilter)))

/** A message of the server with the labels on the page: `filter.maxRiskScore` is “Risk ≤”. */
export function underLabels(message: string): string {
  return message.replace(/\b(?:filter|input\.conditions)\.(\w+)/g, (path, field) => {
    const known = BOUNDS.find((one) => one.field === field)
    return known ? `“${known.label} ${known.sign}”` : path
  })
}

/** The value of a condition in an address; undefined: it is invalid, or sets no condition. */
function readValue(row: Condition, text: string): unknown {
  if (row.is === 'yes') return text === 'true' || text === 'false' ? text === 'true' : undefined
  if ('of' in row) return pickWords(row, text.split(','))
  if (row.is === 'among') return pickAddresses(text.toLowerCase().split(','), row.most)
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
}

function pickAddresses(named: readonly string[], most: number): string[] | undefined {
  const addresses = [...new Set(named.filter(isAddress))].slice(0, most)
  return addresses.length > 0 ? addresses : undefined
}

function pickWords({ of }: Extract<Condition, { of: string }>, named: readonly unknown[]): string[] | undefined {
  const words = WORDS[of].filter((word) => named.includes(word))
  return words.length > 0 ? words : undefined
}

const toFilterOf = (read: (name: keyof TokenFilter, row: Condition) => unknown): Filter =>
  Object.fromEntries(
    ALERT_ROWS.map(([name, row]) => [name, read(name, row)]).filter(([, value]) => value !== undefined),
  )

/** Invalid numbers, flags, powers and answers in an address are left out. */
export const readFilter = (query: Record<string, string>): Filter =>
  toFilterOf((name, row) => readValue(row, query[toSnake(name)] ?? ''))

/** The conditions of an alert as a filter; a condition that is null is not set. */
export const toFilter = (conditions: object): Filter =>
  toFilterOf((name, row) => {
    const value = (conditions as Readonly<Record<string, unknown>>)[name] ?? undefined
    return Array.isArray(value) && 'of' in row ? pickWords(row, value) : value
  })

export const writeFilter = (filter: Filter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter)
      .map(([name, value]) => [toSnake(name), Array.isArray(value) ? value.join(',') : String(value ?? '')])
      .filter(([, text]) => text !== ''),
  )

/** The conditions of an alert in a query. For the types, the first one stands for all. */
export const CONDITION_FIELDS = ALERT_ROWS.map(([name]) => name).join(' ') as 'minLiquidityUsd'

/** The address of the tokens' table with these words in it. */
export function tokensAddress(query: Record<string, string | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, value)
  const text = search.toString().replaceAll('%2C', ',')
  return text ? `/?${text}` : '/'
}

/** The bound's value in its unit; the bound of a risk by the highest level that it lets pass. */
export function showBound({ unit, field }: BoundKind, value: number): string {
  if (field === 'maxRiskScore' && Object.values<number>(HIGHEST_OF_LEVELS).includes(value)) return toRiskLevel(value)
  if (field === 'minRiskScore' && Object.values<number>(RISK_CUTS).includes(value)) return toRiskLevel(value)
  return showNumber(unit, value)
}
