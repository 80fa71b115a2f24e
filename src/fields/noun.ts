// The form of a row in the table of a noun that statements read: wallets, and what follows them. Statements, GraphQL's
// fields, orders and filter, REST's parameters, exports and SQL follow from its parts.
import type { ListCondition, WORDS, WordsName } from './field.ts'

/**
 * The forms of a value. `text`; `time`; `count` and `whole`: whole numbers, with and without the unit; `usd`; `points`:
 * 0-100; `share`: 0-1.
 */
export type Form = 'text' | 'time' | 'count' | 'whole' | 'usd' | 'points' | 'share'

export interface NounField {
  form: Form
  /** It has one of these words. */
  of?: WordsName
  /** Its SQL over the tables of the noun. Left out: no column of a row, but the number of an order. */
  sql?: string
  /** Null is unknown. */
  nullable?: true
  /** GraphQL's description, if the API shows the value as it is stored. */
  text?: string
  /** Its meaning in exports and SQL, which have a column with its name. */
  exported?: string
  /** The description of an order by it. */
  order?: string
  /** Whether REST's list has it, beside the contract's. */
  rest?: true
  /** By their names in GraphQL. */
  conditions?: Readonly<Record<string, ListCondition>>
}

/** The value of a field. */
export type ValueOf<Row> =
  | (Row extends { of: infer Of extends WordsName }
      ? (typeof WORDS)[Of][number]
      : Row extends { form: 'text' }
        ? string
        : Row extends { form: 'time' }
          ? Date
          : number)
  | (Row extends { nullable: true } ? null : never)

/** The columns of the fields, under their names. */
export const selectOf = (rows: readonly (readonly [string, NounField])[]): string =>
  rows.map(([name, { sql }]) => `${sql} AS "${name}"`).join(', ')
