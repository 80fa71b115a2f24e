// The order of the tokens' table, by the columns that can be clicked: read from the address and written to it.
import { toSnake } from '../../src/fields/field.ts'
import { PAGE_FIELDS, type PageField, TOKEN_MEASURES } from '../../src/fields/token.ts'
import { USUAL_WINDOW, WINDOW_NAMES, type WindowName } from './time-windows.ts'

export type Direction = 'asc' | 'desc'

/** By name in the address: the field of the API, and the direction of a first click. */
const OWN_ORDERS = {
  trending: { field: 'trending_score', first: 'desc' },
  price: { field: 'price_usd', first: 'desc' },
  /** The field of its window takes the place of this one. */
  change: { field: 'price_change_h24', first: 'desc' },
  market_cap: { field: 'market_cap_usd', first: 'desc' },
  liquidity: { field: 'liquidity_usd', first: 'desc' },
  volume: { field: 'volume_24h_usd', first: 'desc' },
  holders: { field: 'holder_count', first: 'desc' },
  holder_growth: { field: 'holder_growth_1h_pct', first: 'desc' },
  age: { field: 'created_at', first: 'desc' },
  risk: { field: 'risk_score', first: 'asc' },
} as const

export type OrderName = keyof typeof OWN_ORDERS | PageField

/** Fields of the page that have an order. In the types, one field stands for all. */
const FIELD_ORDERS = Object.fromEntries(
  PAGE_FIELDS.filter(({ name }) => TOKEN_MEASURES.some((measure) => measure === name)).map(({ name }) => [
    name,
    { field: toSnake(name) as 'buyer_count', first: 'desc' as const },
  ]),
) as Record<PageField, { field: 'buyer_count'; first: 'desc' }>

const ORDERS = { ...OWN_ORDERS, ...FIELD_ORDERS }

/** Whether the list can have the order of a column. */
export const isOrder = (name: string): name is OrderName => Object.hasOwn(ORDERS, name)

export interface Order {
  name: OrderName
  direction: Direction
}

/** The window of the change of price and of the trades, from the address. */
export const readWindow = (query: Record<string, string>): WindowName =>
  WINDOW_NAMES.find((name) => name === query.window) ?? USUAL_WINDOW

/** The order as the API takes it. */
export const toOrderBy = ({ name, direction }: Order, window: WindowName) => ({
  field: name === 'change' ? (`price_change_${window}` as const) : ORDERS[name].field,
  direction,
})

export function readOrder(query: Record<string, string>): Order {
  const name = query.sort !== undefined && isOrder(query.sort) ? query.sort : 'trending'
  const direction = query.direction === 'asc' || query.direction === 'desc' ? query.direction : ORDERS[name].first
  return { name, direction }
}

/** Leaves out the default. */
export const writeOrder = ({ name, direction }: Order): Record<string, string> => ({
  ...(name !== 'trending' && { sort: name }),
  ...(direction !== ORDERS[name].first && { direction }),
})

/** A click on the column: another column in its first direction, the same one in the other direction. */
export const reorder = (order: Order, name: OrderName): Order =>
  order.name === name
    ? { name, direction: order.direction === 'asc' ? 'desc' : 'asc' }
    : { name, direction: ORDERS[name].first }
