// Orders of all tokens that are kept: those that lists always need, and those used last. A block only notes what it changed; an
// order is brought up when somebody asks for it, and a new one of many tokens is made in steps. Pure.
import type { TokenOrder } from '../base/screen.ts'
import { SORT_ORDERS } from '../base/screen.ts'
import { followsNative, type Moment } from './measure-of.ts'
import { type Ranking, rankBy, rankByAddress, rankInSteps, rerank } from './ranking.ts'
import type { Part, Rows } from './rows.ts'

/** Bytes of the orders that are kept, at most, and how many in any case: those that lists always need and one more. */
const RANKING_BYTES = 24_000_000
const LEAST_RANKINGS = 7
const MOST_RANKINGS = 24
/** The order by address, which the others are made from, and those of REST. */
const ALWAYS = new Set([[], ...Object.values(SORT_ORDERS)].map((order) => JSON.stringify(order)))
/** Rows from which on a new order is made in steps. */
const MANY_ROWS = 20_000
/** Rows that an order may be behind, besides an eighth of all. */
const STALE_ROWS = 1_000

interface KeptOrder {
  order: readonly TokenOrder[]
  ranking: Ranking
  /** What has changed since it was brought up. */
  stale: Set<number>
}

/** No orders yet of these rows. */
export function createOrders(rows: Rows, moment: () => Moment) {
  /** The one used last is at the end. */
  const rankings = new Map<string, KeptOrder>()
  /** Orders that are being made in steps, with what has changed since they were begun. */
  const underWay = new Map<string, { stale: Set<number>; made: Promise<void> }>()

  /** Drops orders until the rest fits, but none that lists always need, and never the one used last. */
  const evict = (last: string): void => {
    const most = Math.min(MOST_RANKINGS, Math.max(LEAST_RANKINGS, RANKING_BYTES / (4 * rows.end() + 1)))
    for (const oldest of rankings.keys()) {
      if (rankings.size <= most) break
      if (oldest !== last && !ALWAYS.has(oldest)) rankings.delete(oldest)
    }
  }

  /** The order, kept from now on. */
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

  const makeInSteps = async (
    order: readonly TokenOrder[],
    stale: Set<number>,
    pause: () => Promise<unknown>,
  ): Promise<void> => {
    const byAddress = bringUp([])
    const { length } = byAddress
    const { nativeUsd } = moment()
    const steps = rankInSteps(rows.columns(), byAddress, order, moment())
    let step = steps.next()
    for (; !step.done; step = steps.next()) await pause()
    if (followsNative(order) && nativeUsd !== moment().nativeUsd) return
    const key = JSON.stringify(order)
    rankings.set(key, { order, ranking: { rows: step.value, length }, stale })
    evict(key)
  }

  return {
    bringUp,
    /** The order as it is kept; null where it is not, or has to be brought up first. */
    atHand(order: readonly TokenOrder[]): Ranking | null {
      const kept = rankings.get(JSON.stringify(order))
      return kept?.stale.size === 0 ? kept.ranking : null
    },
    /** Whether a list in this order can be had at once. */
    isReady,
    /** Makes an order while others are served: `pause` resolves when it may go on. */
    makeReady(order: readonly TokenOrder[], pause: () => Promise<unknown>): Promise<void> {
      if (isReady(order)) return Promise.resolve()
      const key = JSON.stringify(order)
      const running = underWay.get(key)
      if (running) return running.made
      const stale = new Set<number>()
      const made = makeInSteps(order, stale, pause).finally(() => underWay.delete(key))
      underWay.set(key, { stale, made })
      return made
    },
    /** These rows changed; `isMoved`: and so did the price of the native coin. */
    note(parts: readonly Part[], isMoved: boolean): void {
      const behind = [...underWay.values(), ...rankings.values()]
      for (const { stale } of behind) for (const part of parts) for (const row of part.rows) stale.add(row)
      for (const [key, { order, stale }] of rankings) {
        // Nobody asked for it for so long that to make it anew is cheaper.
        const isFar = stale.size > STALE_ROWS + (rows.end() >>> 3)
        if (isFar || (isMoved && followsNative(order))) rankings.delete(key)
      }
    },
    bytes: () => [...rankings.values()].reduce((sum, { ranking }) => sum + ranking.rows.byteLength, 0),
  }
}
