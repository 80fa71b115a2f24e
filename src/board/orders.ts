// The stored orders of all tokens: the usual ones of lists, and those used last. A block only records its changes. An
// order is updated when a list needs it, and a new one of many tokens is made in steps. Pure.
import type { TokenOrder } from '../fields/screen.ts'
import { SORT_ORDERS } from '../fields/screen.ts'
import { followsUnits, type Moment } from './measure-of.ts'
import { type Ranking, rankBy, rankByAddress, rankByAddressInSteps, rankInSteps, rerank } from './ranking.ts'
import type { Part, Rows } from './rows.ts'
import { rowsOfMoved } from './units.ts'

/** The most bytes of the stored orders, and their least number: the usual ones of lists and one more. */
const RANKING_BYTES = 24_000_000
const LEAST_RANKINGS = 7
const MOST_RANKINGS = 24
/** The order by address, from which the others are made, and those of REST. */
const ALWAYS = new Set([[], ...Object.values(SORT_ORDERS)].map((order) => JSON.stringify(order)))
/** The number of rows from which a new order is made in steps. */
const MANY_ROWS = 20_000
/** The most rows that an order may be behind, besides an eighth of all. */
const STALE_ROWS = 1_000

interface KeptOrder {
  order: readonly TokenOrder[]
  ranking: Ranking
  /** The changes since its last update. */
  stale: Set<number>
}

/** An order that is being made in steps. */
interface OrderUnderWay {
  order: readonly TokenOrder[]
  /** The changes since its begin; null: too many, so it is abandoned. */
  stale: Set<number> | null
  made: Promise<void>
}

interface OrdersState {
  rows: Rows
  moment: () => Moment
  /** The one used last is at the end. */
  rankings: Map<string, KeptOrder>
  underWay: Map<string, OrderUnderWay>
}

/** Drops orders until the rest fits, but none of the usual ones, and never the one used last. */
function evict(orders: OrdersState, last: string): void {
  const most = Math.min(MOST_RANKINGS, Math.max(LEAST_RANKINGS, RANKING_BYTES / (4 * orders.rows.end() + 1)))
  for (const oldest of orders.rankings.keys()) {
    if (orders.rankings.size <= most) break
    if (oldest !== last && !ALWAYS.has(oldest)) orders.rankings.delete(oldest)
  }
}

/** The order, stored from now on. */
function bringUp(orders: OrdersState, order: readonly TokenOrder[]): Ranking {
  const key = JSON.stringify(order)
  const known = orders.rankings.get(key)
  orders.rankings.delete(key)
  const ranking = known ? refresh(orders, known) : make(orders, order)
  orders.rankings.set(key, { order, ranking, stale: new Set() })
  evict(orders, key)
  return ranking
}

const refresh = (orders: OrdersState, { order, ranking, stale }: KeptOrder): Ranking =>
  stale.size === 0 ? ranking : rerank(orders.rows.columns(), ranking, order, stale, orders.moment(), ranking.rows)

const make = (orders: OrdersState, order: readonly TokenOrder[]): Ranking =>
  order.length === 0
    ? rankByAddress(orders.rows.columns(), orders.rows.end())
    : rankBy(orders.rows.columns(), bringUp(orders, []), order, orders.moment())

const isReady = (orders: OrdersState, order: readonly TokenOrder[]): boolean =>
  orders.rows.end() < MANY_ROWS || orders.rankings.has(JSON.stringify(order))

async function makeInSteps(
  orders: OrdersState,
  order: readonly TokenOrder[],
  pause: () => Promise<unknown>,
): Promise<void> {
  const key = JSON.stringify(order)
  if (order.length > 0) await makeReady(orders, [], pause)
  const steps =
    order.length > 0
      ? rankInSteps(orders.rows.columns(), bringUp(orders, []), order, orders.moment())
      : rankByAddressInSteps(orders.rows.columns(), orders.rows.end())
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  const stale = orders.underWay.get(key)?.stale
  if (!stale) return
  orders.rankings.set(key, { order, ranking: { rows: step.value, length: step.value.length }, stale })
  evict(orders, key)
}

function makeReady(orders: OrdersState, order: readonly TokenOrder[], pause: () => Promise<unknown>): Promise<void> {
  if (isReady(orders, order)) return Promise.resolve()
  const key = JSON.stringify(order)
  const running = orders.underWay.get(key)
  if (running) return running.made
  const begun: OrderUnderWay = { order, stale: new Set(), made: Promise.resolve() }
  orders.underWay.set(key, begun)
  begun.made = makeInSteps(orders, order, pause).finally(() => orders.underWay.delete(key))
  return begun.made
}

function noteChanges(orders: OrdersState, parts: readonly Part[], moved: Uint8Array | null): void {
  const most = STALE_ROWS + (orders.rows.end() >>> 3)
  const behind = [...orders.underWay.values(), ...orders.rankings.values()]
  const areUnitsAsked = behind.some(({ order }) => followsUnits(order))
  const follow = moved && areUnitsAsked ? rowsOfMoved(orders.rows.columns(), orders.rows.end(), moved, most) : []
  for (const kept of behind) {
    const { stale, order } = kept
    if (!stale) continue
    for (const part of parts) for (const row of part.rows) stale.add(row)
    if (moved && followsUnits(order)) for (const row of follow ?? []) stale.add(row)
  }
  // An order that is too far behind is made anew, which is cheaper.
  const isTooFar = ({ order, stale }: Pick<OrderUnderWay, 'order' | 'stale'>) =>
    stale === null || stale.size > most || (follow === null && followsUnits(order))
  for (const [key, kept] of orders.rankings) if (isTooFar(kept)) orders.rankings.delete(key)
  for (const kept of orders.underWay.values()) if (isTooFar(kept)) kept.stale = null
}

export type Orders = ReturnType<typeof createOrders>

/** No orders yet of these rows. */
export function createOrders(rows: Rows, moment: () => Moment) {
  const orders: OrdersState = {
    rows,
    moment,
    rankings: new Map<string, KeptOrder>(),
    underWay: new Map<string, OrderUnderWay>(),
  }
  return {
    bringUp: (order: readonly TokenOrder[]) => bringUp(orders, order),
    /** The stored order; null if it is missing or must be updated first. */
    atHand(order: readonly TokenOrder[]): Ranking | null {
      const kept = orders.rankings.get(JSON.stringify(order))
      return kept?.stale.size === 0 ? kept.ranking : null
    },
    /** Whether a list in this order is possible at once. */
    isReady: (order: readonly TokenOrder[]) => isReady(orders, order),
    /** Makes an order while others are served: `pause` resolves when it may continue. */
    makeReady: (order: readonly TokenOrder[], pause: () => Promise<unknown>) => makeReady(orders, order, pause),
    /** These rows changed, and so did the prices of the units at some indexes (null: none). */
    note: (parts: readonly Part[], moved: Uint8Array | null): void => noteChanges(orders, parts, moved),
    bytes: () => [...orders.rankings.values()].reduce((sum, { ranking }) => sum + ranking.rows.byteLength, 0),
  }
}
