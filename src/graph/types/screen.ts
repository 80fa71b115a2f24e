// The filter and the orders of the list of tokens in GraphQL's form. One error names all their faults.
import { type Fault, invalid } from '../../base/errors.ts'
import { checkFilter, FILTER_FIELDS, type TokenFilter } from '../../base/filter.ts'
import { WINDOWS } from '../../base/interval.ts'
import {
  BOUND_FIELDS,
  SORT_ORDERS,
  TOKEN_MEASURES,
  type TokenMeasure,
  type TokenOrder,
  type TokenScreen,
} from '../../base/screen.ts'
import { MOST_MOVERS, type MoverListQuestion } from '../../board/list.ts'
import { builder } from '../schema/builder.ts'
import { ConfidenceEnum, PowerKindEnum, RiskFlagEnum } from '../schema/vocabulary.ts'

/** The most levels of nested filters, including the outer one. */
const MAX_DEPTH = 4
/** The most filters of one list, including nested ones. */
const MAX_FILTERS = 32
const MAX_LAUNCHPADS = 20
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

export const TokenFilterInput = TokenFilterRef.implement({
  description:
    'The conditions for tokens. A field that is left out or null sets no condition. All bounds are inclusive. An alert takes only the fields of GET /tokens, flags that a token must have, and the conditions on contract checks.',
  fields: (t) => ({
    minLiquidityUsd: t.float({ description: 'The least liquidity in USD, 0 or more.' }),
    maxLiquidityUsd: t.float({ description: 'The most liquidity in USD, 0 or more.' }),
    maxMarketCapUsd: t.float({
      description:
        'The largest market cap in USD, 0 or more. A token with an unknown cap counts as 0 here; a least cap excludes it.',
    }),
    minMarketCapUsd: t.float({ description: 'The smallest market cap in USD, 0 or more.' }),
    minVolume24hUsd: t.float({ description: 'The least volume in USD over the trailing 24 hours, 0 or more.' }),
    maxRiskScore: t.float({ description: 'The highest risk score, 0-100.' }),
    minRiskScore: t.float({ description: 'The lowest risk score, 0-100.' }),
    minConfidence: t.field({ type: ConfidenceEnum, description: 'The least confidence of the risk score.' }),
    excludeFlags: t.field({ type: [RiskFlagEnum], description: 'Excludes tokens with any of these flags.' }),
    includeFlags: t.field({ type: [RiskFlagEnum], description: 'Only tokens with at least one of these flags.' }),
    launchpads: t.stringList({
      description: `Only tokens of these launchpads, ${MAX_LAUNCHPADS} at most. Text, because the set is open: a launchpad that the chain lacks has no tokens.`,
    }),
    minHolders: t.int({ description: 'The least number of holders, 0 or more.' }),
    maxHolders: t.int({ description: 'The largest number of holders, 0 or more.' }),
    minHolderGrowth1hPct: t.float({
      description: 'The least growth of the number of holders over the past hour in percent; may be negative.',
    }),
    minAgeHours: t.float({ description: 'The least age in hours, 0 or more.' }),
    maxAgeHours: t.float({ description: 'The greatest age in hours, 0 or more.' }),
    contractChecked: t.boolean({ description: 'Whether a sale of it was tried.' }),
    sellable: t.boolean({
      description: 'Whether it could be sold when it was last tried. A token that was not tried passes neither.',
    }),
    minSellTaxPct: t.float({
      description: 'The least tax of a sale in percent, 0-100, by trial or by real sales, whichever is more.',
    }),
    maxSellTaxPct: t.float({
      description: 'The largest such tax, 0-100. A token whose tax is not known is left out.',
    }),
    excludePowers: t.field({
      type: [PowerKindEnum],
      description:
        'Excludes tokens with one of these powers over their holders, and tokens whose code was not analysed.',
    }),
    includePowers: t.field({
      type: [PowerKindEnum],
      description: 'Only tokens with at least one of these powers over their holders.',
    }),
    ownerChanged: t.boolean({
      description:
        'Whether its owner changed in the day before the newest check. A token whose code was not looked into passes neither.',
    }),
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
  const rest = Object.fromEntries(asked.filter(([field]) => field in FILTER_FIELDS)) as TokenFilter
  for (const { field, fault: message } of checkFilter(rest, (field) => `${path}.${field}`))
    faults.push(fault(field, message))
  for (const field of BOUND_FIELDS) {
    const value = screen[field]
    if (value === undefined || field in FILTER_FIELDS) continue
    const most = field === 'minRiskScore' ? 100 : Infinity
    if (!Number.isFinite(value) || value < 0 || value > most)
      faults.push(fault(`${path}.${field}`, most === 100 ? 'must be a number from 0 to 100' : 'must be a number >= 0'))
  }
  const { launchpads, search } = screen
  if (launchpads && (launchpads.length === 0 || launchpads.length > MAX_LAUNCHPADS))
    faults.push(fault(`${path}.launchpads`, `must name 1 to ${MAX_LAUNCHPADS} launchpads`))
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
  const known = asked.filter(([field]) => field in FILTER_FIELDS)
  const filter: TokenFilter = Object.fromEntries(known)
  const faults = checkFilter(filter, (field) => `${argument}.${field}`).map(({ field, fault: message }) =>
    fault(field, message),
  )
  for (const [field] of asked)
    if (!(field in FILTER_FIELDS))
      faults.push(
        fault(
          `${argument}.${field}`,
          'is no condition of an alert: it takes the fields of GET /tokens, includeFlags, and what the check of a contract found',
        ),
      )
  return { filter, faults }
}

const ORDER_TEXTS: Record<TokenMeasure, string> = {
  trendingScore: 'The trending score.',
  createdAt: 'The time of creation.',
  liquidityUsd: 'The liquidity in USD.',
  peakLiquidityUsd: 'The peak of its liquidity in USD.',
  volume24hUsd: 'The volume in USD over the trailing 24 hours.',
  marketCapUsd: 'The market cap in USD.',
  priceUsd: 'The price in USD.',
  riskScore: 'The risk score.',
  holderCount: 'How many addresses hold it.',
  fundedHolderCount: 'How many of them hold at least $1 of it, without contracts.',
  holderGrowth1hPct: 'The growth of the number of holders over the past hour in percent.',
  buyerCount: 'How many wallets ever bought it.',
  eventCount: 'How many events it has.',
  swapCount: 'How many swaps it has.',
  sellTaxPct:
    'What a sale loses in percent, by trial or by real sales, whichever is more. Tokens without a known tax come last in both directions.',
}

/** Turns `holderGrowth1hPct` into `holder_growth_1h_pct`. */
export const toEnumName = (measure: string) => measure.replaceAll(/([A-Z]|\d+)/g, '_$1').toLowerCase()

const MEASURE_OF = new Map(TOKEN_MEASURES.map((measure) => [toEnumName(measure), measure]))

/** Turns `price_change_h24` into `priceChange { h24 }`. */
const WINDOW_OF = new Map(WINDOWS.map((window) => [`price_change_${window}`, window]))
const MOVERS = `in percent. Only tokens that were traded in the past 24 hours, had a price then and have one now. Of these the ${MOST_MOVERS} with the most volume. It must be the only key of its order, at the newest block.`

const TokenOrderFieldEnum = builder.enumType('TokenOrderField', {
  description:
    'A number by which a list of tokens can be ordered. Each except the changes of price is a column in memory. Numbers without a column, such as supplies, have no order.',
  values: {
    ...Object.fromEntries([...MEASURE_OF].map(([name, measure]) => [name, { description: ORDER_TEXTS[measure] }])),
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
