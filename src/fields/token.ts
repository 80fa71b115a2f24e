// The fields of a token. From their rows follow the columns that the index writes, GraphQL's fields, orders, conditions
// and the columns of the board. A new field is a row in the file of its subject.
import { entriesOf, recordOf } from '../base/keys-of.ts'
import { type ConditionOn, type ConditionsOfRows, type FieldRow, listConditions, rowsWith, type Unit } from './field.ts'
import { CONTRACT_FIELDS } from './token-contract.ts'
import { HOLDER_FIELDS } from './token-holders.ts'
import { LAUNCH_FIELDS } from './token-launch.ts'
import { MARKET_FIELDS } from './token-market.ts'
import { NAMED_FIELDS } from './token-named.ts'
import { RISK_FIELDS } from './token-risk.ts'

export const TOKEN_FIELDS = {
  ...MARKET_FIELDS,
  ...RISK_FIELDS,
  ...HOLDER_FIELDS,
  ...LAUNCH_FIELDS,
  ...CONTRACT_FIELDS,
  ...NAMED_FIELDS,
} as const
type Rows = typeof TOKEN_FIELDS
export type TokenField = keyof Rows

/** The unit of a field; `none` if it is no number. */
export const unitOfField = (field: TokenField): Unit => (TOKEN_FIELDS[field] as FieldRow).unit ?? 'none'

/** The rows as a list. */
const TOKEN_ROWS = entriesOf<TokenField, FieldRow>(TOKEN_FIELDS)

/** The fields whose row has a part. */
type With<Part extends object> = { [Name in TokenField]: Rows[Name] extends Part ? Name : never }[TokenField]

/** A number in a column that the index writes. */
export type StoredNumber = With<{ column: string }>
export const STORED_NUMBERS = TOKEN_ROWS.flatMap(([name, { column, nullable = false }]) =>
  column ? [[name as StoredNumber, column, nullable] as const] : [],
)

/** A number in a column that scores write. It may be unknown. */
export type ScoredNumber = With<{ scored: string }>
export const SCORED_NUMBERS = rowsWith<ScoredNumber, FieldRow>(TOKEN_ROWS, ({ scored }) => scored !== undefined)
export const isScored = (name: string): name is ScoredNumber => SCORED_NUMBERS.some((one) => one === name)

/** A number that may be unknown. */
export type NullableNumber = With<{ nullable: true }>
const NULLABLE_NUMBERS = rowsWith<NullableNumber, FieldRow>(TOKEN_ROWS, ({ nullable }) => nullable === true)
export const isNullable = (name: string): name is NullableNumber => NULLABLE_NUMBERS.some((one) => one === name)

/** A stored number that GraphQL shows as it is. */
export type ShownField = With<{ shown: object }>
export const SHOWN_NUMBERS = TOKEN_ROWS.flatMap(([name, { shown, unit }]) =>
  shown && unit ? [[name as ShownField, { ...shown, unit }] as const] : [],
)

/** Those of tokens in REST and for agents, beside the contract's. */
export const REST_NUMBERS = SHOWN_NUMBERS.filter(([, { rest }]) => rest).map(([name]) => name)

/** Those of the page: columns that a reader can choose. */
export type PageField = With<{ shown: { page: string } }>
export const PAGE_FIELDS = SHOWN_NUMBERS.flatMap(([name, { page: title, unit }]) =>
  title === undefined ? [] : [{ name: name as PageField, title, unit }],
)

/** A number of a token by which an order sorts. */
export type TokenMeasure = With<{ order: string }>
export const TOKEN_MEASURES = rowsWith<TokenMeasure, FieldRow>(TOKEN_ROWS, ({ order }) => order !== undefined)

/** Whole numbers, and doubles, that the board keeps as they are. */
export type BoardCount = With<{ board: 'count' }>
export type BoardDouble = With<{ board: 'double' }>
export const BOARD_COUNTS = rowsWith<BoardCount, FieldRow>(TOKEN_ROWS, ({ board }) => board === 'count')
export const BOARD_DOUBLES = rowsWith<BoardDouble, FieldRow>(TOKEN_ROWS, ({ board }) => board === 'double')

type ConditionsOf = ConditionsOfRows<Rows>
export type ConditionName = keyof ConditionsOf
/** The names of the conditions of a kind. */
export type ConditionsWith<Part> = {
  [Name in ConditionName]: ConditionsOf[Name] extends Part ? Name : never
}[ConditionName]

export type { ConditionsOf }

/** A fact whose values a condition names. */
export type NamedFact = {
  [Name in TokenField]: Rows[Name] extends { conditions: Record<string, { is: infer Is }> }
    ? Is extends 'among'
      ? Name
      : never
    : never
}[TokenField]

/** A condition, with the field that it is on. */
export type ConditionRow = ConditionOn<TokenField>

/** Every condition, in the order of its fields. */
export const CONDITIONS = listConditions<ConditionName, ConditionRow>(Object.fromEntries(TOKEN_ROWS))
export const CONDITION_ROWS = entriesOf<ConditionName, ConditionRow>(CONDITIONS)

/** The conditions that name values, each with its fact. */
export const NAMING_CONDITIONS = CONDITION_ROWS.flatMap(([name, row]) =>
  row.is === 'among' ? [[name as ConditionsWith<{ is: 'among' }>, row.field as NamedFact] as const] : [],
)

/** A number of a token that a condition bounds. The size of a trade is none: there may be several trades. */
export type BoundMeasure = Exclude<
  {
    [Name in TokenField]: Rows[Name] extends { conditions: Record<string, { is: infer Is }> }
      ? Is extends 'least' | 'most'
        ? Name
        : never
      : never
  }[TokenField],
  'tradeUsd'
>
export const isBound = ({ is, field }: ConditionRow): boolean =>
  (is === 'least' || is === 'most') && field !== 'tradeUsd'
/** Whether a condition says which trades are told: it is on no fact of the token. */
export const isOfTold = ({ field }: ConditionRow): boolean => field === 'tradeUsd' || field === 'exits'
export const BOUND_MEASURES = [
  ...new Set(CONDITION_ROWS.filter(([, row]) => isBound(row)).map(([, { field }]) => field)),
] as BoundMeasure[]

/** Stored numbers that alerts bound, in the order of their places in stored bytes. `ledger/alerts/sweep.ts` names others. */
export type AlertNumber = With<{ alertFact: number }> & BoundMeasure
export const ALERT_NUMBERS = TOKEN_ROWS.filter(([, { alertFact }]) => alertFact !== undefined)
  .sort(([, { alertFact: a = 0 }], [, { alertFact: b = 0 }]) => a - b)
  .map(([name]) => name as AlertNumber)

/** These numbers of a token; one that is left out is not known. */
export type AlertNumbers = { [Name in AlertNumber]?: number }
export const alertNumbersOf = (token: Readonly<Partial<Record<AlertNumber, number | null>>>): Required<AlertNumbers> =>
  recordOf(ALERT_NUMBERS, (name) => token[name] ?? Number.NaN)
