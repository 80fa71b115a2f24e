// The order of the tokens' table, by the columns that can be clicked: read from the address and written to it.

export type Direction = 'ASC' | 'DESC'

/** By name in the address: the field of the API, and the direction of a first click. */
export const ORDERS = {
  trending: { field: 'TRENDING_SCORE', first: 'DESC' },
  price: { field: 'PRICE_USD', first: 'DESC' },
  market_cap: { field: 'MARKET_CAP_USD', first: 'DESC' },
  liquidity: { field: 'LIQUIDITY_USD', first: 'DESC' },
  volume: { field: 'VOLUME_24H_USD', first: 'DESC' },
  holders: { field: 'HOLDER_COUNT', first: 'DESC' },
  holder_growth: { field: 'HOLDER_GROWTH_1H_PCT', first: 'DESC' },
  age: { field: 'CREATED_AT', first: 'DESC' },
  risk: { field: 'RISK_SCORE', first: 'ASC' },
} as const

export type OrderName = keyof typeof ORDERS

export interface Order {
  name: OrderName
  direction: Direction
}

export function readOrder(query: Record<string, string>): Order {
  const name = query.sort !== undefined && query.sort in ORDERS ? (query.sort as OrderName) : 'trending'
  const direction = query.direction === 'asc' ? 'ASC' : query.direction === 'desc' ? 'DESC' : ORDERS[name].first
  return { name, direction }
}

/** Leaves out the default. */
export const writeOrder = ({ name, direction }: Order): Record<string, string> => ({
  ...(name !== 'trending' && { sort: name }),
  ...(direction !== ORDERS[name].first && { direction: direction.toLowerCase() }),
})

/** A click on the column: another column in its first direction, the same one in the other direction. */
export const reorder = (order: Order, name: OrderName): Order =>
  order.name === name
    ? { name, direction: order.direction === 'ASC' ? 'DESC' : 'ASC' }
    : { name, direction: ORDERS[name].first }
