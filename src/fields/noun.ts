// The form of a row in the table of a noun that statements read: wallets, events, pools and holders. Statements, GraphQL's
// fields, orders and filter, REST's parameters, exports and SQL follow from its parts.
import { entriesOf } from '../base/keys-of.ts'
import type { ListCondition, WORDS, WordsName } from './field.ts'

/**
 * The forms of a value. `count` and `whole`: whole numbers, with and without the unit; `usd`; `points`: 0-100; `share`:
 * 0-1; `quantity`: whole tokens; `quote`: whole quote tokens; `flag`: true or false.
 */
export type Form =
  | ('text' | 'address' | 'hash' | 'time' | 'flag')
  | ('count' | 'whole' | 'usd' | 'points' | 'percent' | 'share' | 'quantity' | 'quote')

export interface NounField {
  form: Form
  /** It has one of these words. */
  of?: WordsName
  /** Its SQL over the tables of the noun. Left out: the reader of an order, or of an export, has its own. */
  sql?: string
  /** The SQL of the number that stands for its word: answers read it in place of the word. */
  stored?: string
  /** Null is unknown. */
  nullable?: true
  /** GraphQL shows the digits of a measurement: nine. */
  measured?: true
  /** GraphQL's description, if the API shows the value as it is stored. */
  text?: string
  /** Its meaning in exports and SQL, which have a column with its name. */
  exported?: string
  /** The name of the column, if it is not that of the field. */
  wire?: string
  /** The description of an order by it. */
  order?: string
  /** Whether REST's list has it, beside the contract's. */
  rest?: true
  /** By their names in GraphQL. */
  conditions?: Readonly<Record<string, ListCondition>>
}

/** The value of a field. */
type ValueOf<Row> =
  | (Row extends { of: infer Of extends WordsName }
      ? (typeof WORDS)[Of][number]
      : Row extends { form: 'text' | 'address' | 'hash' }
        ? string
        : Row extends { form: 'time' }
          ? Date
          : Row extends { form: 'flag' }
            ? boolean
            : number)
  | (Row extends { nullable: true } ? null : never)

/** The fields that GraphQL shows, with their values. */
export type ShownOf<Rows> = {
  -readonly [Name in keyof Rows as Rows[Name] extends { text: string } ? Name : never]: ValueOf<Rows[Name]>
}

/** The rows as a list. */
export const rowsOfNoun = <Name extends string>(rows: Readonly<Record<Name, NounField>>): [Name, NounField][] =>
  entriesOf(rows)

/** The rows of fields that GraphQL shows. */
export const shownRowsOf = (rows: Readonly<Record<string, NounField>>): [string, NounField][] =>
  rowsOfNoun(rows).filter(([, { text }]) => text !== undefined)

/** The columns of the fields, under their names. */
export const selectOf = (rows: readonly (readonly [string, NounField])[]): string =>
  rows.map(([name, { sql, stored = sql }]) => `${stored} AS "${name}"`).join(', ')
