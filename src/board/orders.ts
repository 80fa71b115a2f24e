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

/** No orders yet of these rows. */
export function createOrders(rows: Rows, moment: () => Moment) {
  /** The one used last is at the end. */
  const rankings = new Map<string, KeptOrder>()
  const underWay = new Map<string, OrderUnderWay>()

  /** Drops orders until the rest fits, but none of the usual ones, and never the one used last. */
  const evict = (last: string): void => {
    const most = Math.min(MOST_RANKINGS, Math.max(LEAST_RANKINGS, RANKING_BYTES / (4 * rows.end() + 1)))
    for (const oldest of rankings.keys()) {
      if (rankings.size <= most) break
      if (oldest !== last && !ALWAYS.has(oldest)) rankings.delete(oldest)
    }
  }

  /** The order, stored from now on. */
  const bringUp = (order: readonly TokenOrder[]): Ranking => {
    const key = JSON.stringify(order)
    const known = rankings.get(key)
    rankings.delete(key)
    const ranking = known ? refresh(known) : make(order)
    rankings.set(key, { order, ranking, stale: new Set() })
    evict(key)
    return ranking
  }
  const refresh = ({ order, ranking, stale }: KeptOrder): Ranking =>
    stale.size === 0 ? ranking : rerank(rows.columns(), ranking, order, stale, moment(), ranking.rows)
  const make = (order: readonly TokenOrder[]): Ranking =>
    order.length === 0
      ? rankByAddress(rows.columns(), rows.end())
      : rankBy(rows.columns(), bringUp([]), order, moment())

  const isReady = (order: readonly TokenOrder[]): boolean =>
    rows.end() < MANY_ROWS || rankings.has(JSON.stringify(order))

  const makeInSteps = async (order: readonly TokenOrder[], pause: () => Promise<unknown>): Promise<void> => {
    const key = JSON.stringify(order)
    if (order.length > 0) await makeReady([], pause)
    const steps =
      order.length > 0
        ? rankInSteps(rows.columns(), bringUp([]), order, moment())
        : rankByAddressInSteps(rows.columns(), rows.end())
    let step = steps.next()
    for (; !step.done; step = steps.next()) await pause()
    const stale = underWay.get(key)?.stale
    if (!stale) return
    rankings.set(key, { order, ranking: { rows: step.value, length: step.value.length }, stale })
    evict(key)
  }

  const makeReady = (order: readonly TokenOrder[], pause: () => Promise<unknown>): Promise<void> => {
    if (isReady(order)) return Promise.resolve()
    const key = JSON.stringify(order)
    const running = underWay.get(key)
    if (running) return running.made
    const begun: OrderUnderWay = { order, stale: new Set(), made: Promise.resolve() }
    underWay.set(key, begun)
    begun.made = makeInSteps(order, pause).finally(() => underWay.delete(key))
    return begun.made
  }

  return {
    bringUp,
    /** The stored order; null if it is missing or must be updated first. */
    atHand(order: readonly TokenOrder[]): Ranking | null {
      const kept = rankings.get(JSON.stringify(order))
      return kept?.stale.size === 0 ? kept.ranking : null
    },
    /** Whether a list in this order is possible at once. */
    isReady,
    /** Makes an order while others are served: `pause` resolves when it may continue. */
    makeReady,
    /** These rows changed, and so did the prices of the units at some indexes (null: none). */
    note(parts: readonly Part[], moved: Uint8Array | null): void {
      const most = STALE_ROWS + (rows.end() >>> 3)
      const behind = [...underWay.values(), ...rankings.values()]
      const areUnitsAsked = behind.some(({ order }) => followsUnits(order))
      const follow = moved && areUnitsAsked ? rowsOfMoved(rows.columns(), rows.end(), moved, most) : []
      for (const kept of behind) {
        const { stale, order } = kept
        if (!stale) continue
        for (const part of parts) for (const row of part.rows) stale.add(row)
        if (moved && followsUnits(order)) for (const row of follow ?? []) stale.add(row)
      }
      // An order that is too far behind is made anew, which is cheaper.
      const isTooFar = ({ order, stale }: Pick<OrderUnderWay, 'order' | 'stale'>) =>
        stale === null || stale.size > most || (follow === null && followsUnits(order))
      for (const [key, kept] of rankings) if (isTooFar(kept)) rankings.delete(key)
      for (const kept of underWay.values()) if (isTooFar(kept)) kept.stale = null
    },
    bytes: () => [...rankings.values()].reduce((sum, { ranking }) => sum + ranking.rows.byteLength, 0),
  }
}
