// The form of a row in a table of fields. A row declares a field once, and other files follow from its parts.
import {
  ATTRIBUTIONS,
  CLASSIFICATIONS,
  CONFIDENCES,
  DIRECTIONS,
  EVENT_TYPES,
  POWER_KINDS,
  RISK_FLAGS,
  WALLET_KINDS,
} from '../base/vocabulary.ts'

/** The words that a value may have, and a condition may name. */
export const WORDS = {
  flags: RISK_FLAGS,
  powers: POWER_KINDS,
  confidence: CONFIDENCES,
  classifications: CLASSIFICATIONS,
  kinds: WALLET_KINDS,
  eventTypes: EVENT_TYPES,
  directions: DIRECTIONS,
  attributions: ATTRIBUTIONS,
} as const
export type WordsName = keyof typeof WORDS

/**
 * Who takes a condition. `all`: lists, alerts, and REST's list of tokens. `alerts`: the same without REST's list.
 * `lists`: lists of GraphQL and agents alone. `moments`: alerts alone, because it holds in one block only.
 */
type Taker = 'all' | 'alerts' | 'lists' | 'moments'

interface AnyCondition {
  /** GraphQL's and agents' description. */
  text: string
  for: Taker
  /** In a message: why the token began to meet it; `{}` is the value. */
  began?: string
}

/** An inclusive bound on the field. */
interface Bound extends AnyCondition {
  is: 'least' | 'most'
  /** The limits of the bound itself. */
  min?: number
  max?: number
  /** Whether it is a whole number. */
  whole?: true
  /** Its label on the page, and the values that a click sets; left out: the page has no such filter. */
  page?: readonly [label: string, presets: readonly number[]]
}

/** `none`: it has none of the words. `any`: it has at least one. `rank`: at least this word. */
interface OfWords extends AnyCondition {
  is: 'none' | 'any' | 'rank'
  of: WordsName
}

/** True or false. */
interface YesOrNo extends AnyCondition {
  is: 'yes'
  /** The page's words for both. */
  page?: readonly [yes: string, no: string]
}

/** One of some texts, or one of some addresses. A fact of several texts passes with any of them. */
interface Among extends AnyCondition {
  is: 'among'
  values: 'texts' | 'addresses'
  /** How many it names at most. */
  most: number
  /** What it names, as a fault says it. */
  what: string
}

/** At this time or later. */
interface Since extends AnyCondition {
  is: 'since'
}

/** A type for each kind, so that a check of `is` tells the rest. */
type ByKind<Given extends { is: string }> = Given extends unknown
  ? { [Is in Given['is']]: Omit<Given, 'is'> & { is: Is } }[Given['is']]
  : never

export type Condition = ByKind<Bound> | ByKind<OfWords> | YesOrNo | Among
/** A condition of lists that alerts do not have, too. */
export type ListCondition = Condition | Since

/** The value of a condition. */
export type WantedOf<Given> = Given extends { is: 'least' | 'most' }
  ? number
  : Given extends { is: 'rank'; of: infer Of extends WordsName }
    ? (typeof WORDS)[Of][number]
    : Given extends { of: infer Of extends WordsName }
      ? readonly (typeof WORDS)[Of][number][]
      : Given extends { is: 'among' }
        ? readonly string[]
        : Given extends { is: 'since' }
          ? Date
          : boolean

/** The unit of a number. Each reader of numbers has one form for it. */
export type Unit = 'count' | 'USD' | 'percent' | 'hours' | 'points, 0-100' | 'none'

/** A stored number that GraphQL shows as it is. */
interface ShownNumber {
  type: 'Int' | 'Float'
  /** One sentence: the description in GraphQL, REST and `schema.prisma`. It says when the value is not known. */
  text: string
  example: number
  /** Whether tokens of REST and of agents have it. */
  rest?: true
  /** Its title on the page: as a column that a reader can choose, and as a fact of a token. */
  page?: string
}

/** What only a number has. */
interface NumberParts {
  /** GraphQL, REST, agents, the page, messages and exports write it in this unit. */
  unit: Unit
  /** The column that the index writes, named as the field: rows in memory, and statements follow from it. */
  column?: 'integer' | 'double'
  /** Null is unknown: it passes no bound, and comes last in both directions of an order. */
  nullable?: true
  /** The SQL of the column for tokens that an earlier version has indexed, in the table `token`. A new column needs it. */
  earlier?: string
  /** The column that scores write, named as the field: in percent, to two decimals. It has `nullable`. */
  scored?: 'percent'
  shown?: ShownNumber
  /** Its meaning in exports and SQL, which have a column with its name. */
  exported?: string
  /** The board's column for it, if that has no form of its own: a whole number up to 2^31, or a double. */
  board?: 'count' | 'double'
  /** Its place among the facts that alerts store: the next free one, which never changes. */
  alertFact?: number
}

/** A field of a noun, or a number that only orders and conditions read. */
export type FieldRow = (NumberParts | { [Part in keyof NumberParts]?: never }) & {
  /** The description of an order by it. */
  order?: string
  /** By their names in GraphQL. */
  conditions?: Readonly<Record<string, Condition>>
}

type UnionToIntersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never

/** The conditions of all rows, by name. */
export type ConditionsOfRows<Rows> = UnionToIntersection<
  { [Name in keyof Rows]: Rows[Name] extends { conditions: infer Conditions } ? Conditions : never }[keyof Rows]
>

/** A condition of a noun, with the field that it is on. */
export type ConditionOn<Field, Kind = Condition> = Kind & { field: Field }

/** The names of the rows that have a part. */
export const rowsWith = <Name extends string, Row>(
  rows: readonly (readonly [string, Row])[],
  has: (row: Row) => boolean,
): readonly Name[] => rows.filter(([, row]) => has(row)).map(([name]) => name as Name)

/** Every condition of the rows, in the order of their fields. */
export const listConditions = <Name extends string, On>(
  rows: Readonly<Record<string, { conditions?: Readonly<Record<string, ListCondition>> }>>,
) =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([field, { conditions = {} }]) =>
      Object.entries(conditions).map(([name, condition]) => [name, { ...condition, field }]),
    ),
  ) as Record<Name, On>

/** Moves the values of these conditions into one `filter`. */
export function liftConditions(
  conditions: Readonly<Record<string, ListCondition>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const [filter, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in conditions === wanted)),
  )
  return { ...others, filter }
}

/** The words of a value, as its meaning names them. */
export const listWords = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

/** `minHolderGrowth1hPct` becomes `min_holder_growth_1h_pct`: the name in REST, in enums and in files. */
export const toSnake = (name: string): string => name.replaceAll(/([A-Z]|\d+)/g, '_$1').toLowerCase()
