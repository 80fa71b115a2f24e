// The filter and the orders of the list of tokens in GraphQL's form. One error names all their faults.
import { type Fault, invalid } from '../../base/errors.ts'
import { WINDOWS } from '../../base/interval.ts'
import { MOST_MOVERS, type MoverListQuestion } from '../../board/list.ts'
import { type ListCondition, toSnake } from '../../fields/field.ts'
import { checkFilter, isOfAlerts, isOfLists, type TokenFilter } from '../../fields/filter.ts'
import { SORT_ORDERS, type TokenOrder, type TokenScreen } from '../../fields/screen.ts'
import { CONDITION_ROWS, TOKEN_FIELDS, TOKEN_MEASURES } from '../../fields/token.ts'
import { builder } from '../schema/builder.ts'
import { WORD_ENUMS } from '../schema/vocabulary.ts'

/** The most levels of nested filters, including the outer one. */
const MAX_DEPTH = 4
/** The most filters of one list, including nested ones. */
const MAX_FILTERS = 32
/** Bounds on the characters of a search inside a filter; a single one would match nearly everything. */
const SEARCH = { least: 2, most: 64 }

const LEVELS = `${MAX_DEPTH} levels at most.`

const TokenFilterRef = builder.inputRef<GivenScreen>('TokenFilter')

/** A filter as GraphQL passes it to resolvers. */
export type GivenScreen = {
  [Field in keyof Omit<TokenScreen, 'and' | 'or' | 'not'>]?: TokenScreen[Field] | null | undefined
} & {
  and?: readonly GivenScreen[] | null | undefined
  or?: readonly GivenScreen[] | null | undefined
  not?: GivenScreen | null | undefined
}

type InputBuilder = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]['fields']>>[0]

/** The input of a condition. */
function inputOf(t: InputBuilder, { text: description, ...row }: ListCondition) {
  if (row.is === 'rank') return t.field({ type: WORD_ENUMS[row.of], description })
  if (row.is === 'none' || row.is === 'any') return t.field({ type: [WORD_ENUMS[row.of]], description })
  if (row.is === 'yes') return t.boolean({ description })
  if (row.is === 'since') return t.field({ type: 'DateTime', description })
  if (row.is === 'among')
    return row.values === 'texts' ? t.stringList({ description }) : t.field({ type: ['Address'], description })
  return row.whole ? t.int({ description }) : t.float({ description })
}

/** The inputs of these conditions. */
export const inputsOf = (t: InputBuilder, rows: readonly (readonly [string, ListCondition])[]) =>
  Object.fromEntries(rows.map(([name, row]) => [name, inputOf(t, row)])) as object

export const TokenFilterInput = TokenFilterRef.implement({
  description:
    'The conditions for tokens. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, flags that a token must have, and the conditions on contract checks.',
  fields: (t) => ({
    ...inputsOf(t, CONDITION_ROWS),
    search: t.string({
      description: `A part of the symbol or name in any case, or the start of the address; ${SEARCH.least} to ${SEARCH.most} characters.`,
    }),
    and: t.field({ type: [TokenFilterRef], description: `All of these filters must match. ${LEVELS}` }),
    or: t.field({ type: [TokenFilterRef], description: `At least one of these filters must match. ${LEVELS}` }),
    not: t.field({ type: TokenFilterRef, description: `This filter must not match. ${LEVELS}` }),
  }),
})

const fault = (field: string, message: string): Fault => ({
  location: 'argument',
  field,
  message: `${field} ${message}`,
})

/** Returns the filter without its null fields, and every fault of it. */
function parseScreen(given: GivenScreen, path: string, depth: number, count: { left: number }) {
  const faults: Fault[] = []
  count.left -= 1
  const asked = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const screen = Object.fromEntries(asked) as TokenScreen
  for (const { field, fault: message } of checkFilter(screen, (field) => `${path}.${field}`))
    faults.push(fault(field, message))
  for (const [name] of CONDITION_ROWS)
    if (screen[name] !== undefined && !isOfLists(name))
      faults.push(fault(`${path}.${name}`, 'is a condition of alerts alone: it holds in one block only'))
  const { search } = screen
  if (search !== undefined && !isSearchable(search))
    faults.push(
      fault(
        `${path}.search`,
        `must have ${SEARCH.least} to ${SEARCH.most} characters, none of them a control character`,
      ),
    )
  const nested = (field: 'and' | 'or', parts: readonly GivenScreen[]) => {
    if (parts.length === 0) faults.push(fault(`${path}.${field}`, 'must hold a filter, or be left out'))
    return parts.map((part, at) => below(part, `${path}.${field}.${at}`))
  }
  const below = (part: GivenScreen, at: string): TokenScreen => {
    if (depth >= MAX_DEPTH || count.left <= 0) {
      const message =
        depth >= MAX_DEPTH ? `has more than ${MAX_DEPTH} levels` : `is one of more than ${MAX_FILTERS} filters`
      if (count.left >= 0) faults.push(fault(at, message))
      count.left = Math.min(count.left, -1)
      return {}
    }
    const read = parseScreen(part, at, depth + 1, count)
    faults.push(...read.faults)
    return read.screen
  }
  if (given.and) screen.and = nested('and', given.and)
  if (given.or) screen.or = nested('or', given.or)
  if (given.not) screen.not = below(given.not, `${path}.not`)
  return { screen, faults }
}

/** Whether a text can be searched: it is short, and has no control characters. */
function isSearchable(text: string): boolean {
  const length = [...text].length
  return length >= SEARCH.least && length <= SEARCH.most && !/\p{Cc}/u.test(text)
}

/** Returns the filter. Throws INVALID_PARAMS that names every fault. */
export function readScreen(given: GivenScreen, argument: string): TokenScreen {
  const { screen, faults } = parseScreen(given, argument, 1, { left: MAX_FILTERS })
  if (faults.length > 0) throw invalid(faults)
  return screen
}

/** Returns the conditions of an alert without their null fields, and every fault of them. */
export function parseConditions(given: GivenScreen, argument: string): { filter: TokenFilter; faults: Fault[] } {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const known = asked.filter(([field]) => isOfAlerts(field))
  const filter: TokenFilter = Object.fromEntries(known)
  const faults = checkFilter(filter, (field) => `${argument}.${field}`).map(({ field, fault: message }) =>
    fault(field, message),
  )
  for (const [field] of asked)
    if (!isOfAlerts(field))
      faults.push(
        fault(
          `${argument}.${field}`,
          'is no condition of an alert: it takes the fields of GET /tokens, includeFlags, and what the check of a contract found',
        ),
      )
  return { filter, faults }
}

const MEASURE_OF = new Map(TOKEN_MEASURES.map((measure) => [toSnake(measure), measure]))

/** Turns `price_change_h24` into `priceChange { h24 }`. */
const WINDOW_OF = new Map(WINDOWS.map((window) => [`price_change_${window}`, window]))
const MOVERS = `in percent. Only tokens that were traded in the past 24 hours, had a price then and have one now. Of these the ${MOST_MOVERS} with the most volume. It must be the only key of its order, at the newest block.`

const TokenOrderFieldEnum = builder.enumType('TokenOrderField', {
  description:
    'A number by which a list of tokens can be ordered. Each except the changes of price is a column in memory. Numbers without a column, such as supplies, have no order.',
  values: {
    ...Object.fromEntries(
      [...MEASURE_OF].map(([name, measure]) => [name, { description: TOKEN_FIELDS[measure].order }]),
    ),
    ...Object.fromEntries(
      [...WINDOW_OF].map(([name, window]) => [
        name,
        { description: `The change of the price in USD as \`priceChange { ${window} }\`, ${MOVERS}` },
      ]),
    ),
  },
})

export const SortDirectionEnum = builder.enumType('SortDirection', {
  description: 'The direction of an order.',
  values: { asc: { description: 'The lowest first.' }, desc: { description: 'The highest first.' } } as const,
})

export const TokenOrderInput = builder.inputType('TokenOrder', {
  description: 'A key of an order of tokens. The address, which is unique, comes after the last key.',
  fields: (t) => ({
    field: t.field({ type: TokenOrderFieldEnum, required: true, description: 'The number to order by.' }),
    direction: t.field({ type: SortDirectionEnum, defaultValue: 'desc', description: 'In which direction.' }),
  }),
})

/** Keys of one order. */
const MAX_KEYS = 3

export type GivenOrder = readonly { field: string; direction?: 'asc' | 'desc' | null | undefined }[]

/** The order of a list of tokens; trending if it is left out. Throws INVALID_PARAMS for one that cannot be. */
export function readTokenOrder({ orderBy, asOf }: GivenTokenOrder): { order: readonly TokenOrder[] } | Mover {
  if (!orderBy) return { order: SORT_ORDERS.trending }
  const mover = readMoverOrder(orderBy, 'orderBy')
  if (!mover) return { order: readOrder(orderBy, 'orderBy') }
  if (asOf) throw invalid([fault('orderBy', 'can have a change of price only at the newest block, without asOf')])
  return { mover }
}

interface GivenTokenOrder {
  orderBy?: GivenOrder | null | undefined
  asOf?: object | null | undefined
}

interface Mover {
  mover: MoverListQuestion['order']
}

/**
 * Returns the order by a change of price; null for any other order. Throws INVALID_PARAMS if it is not the only key.
 */
function readMoverOrder(given: GivenOrder, argument: string): MoverListQuestion['order'] | null {
  const key = given.find(({ field }) => WINDOW_OF.has(field))
  const window = key && WINDOW_OF.get(key.field)
  if (!window) return null
  if (given.length > 1) throw invalid([fault(argument, `must have no other key beside ${key.field}`)])
  return { window, descending: key.direction !== 'asc' }
}

/** Returns the order. Throws INVALID_PARAMS for too many keys or a repeated key. */
function readOrder(given: GivenOrder, argument: string): readonly TokenOrder[] {
  const order = given.map(({ field, direction }) => ({
    measure: MEASURE_OF.get(field) ?? 'trendingScore',
    descending: direction !== 'asc',
  }))
  if (order.length === 0 || order.length > MAX_KEYS) throw invalid([fault(argument, `must have 1 to ${MAX_KEYS} keys`)])
  if (new Set(order.map(({ measure }) => measure)).size < order.length)
    throw invalid([fault(argument, 'must name each field once')])
  return order
}

export const BlockInput = builder.inputType('BlockInput', {
  description: 'A block of the chain.',
  fields: (t) => ({ block: t.int({ required: true, description: 'The number of the block.' }) }),
})
