// Finds the swaps that are one side of a round trip. The wallet bought and sold the token in the same pool within one
// second, and so in one block or in blocks of one second. It reads many swaps in one statement; each reads a fixed number
// of the wallet's neighbouring events.
import type { OldEvent } from '../../history/history.ts'
import { toMicros } from '../../history/numbers.ts'
import type { OpenHistory } from '../segments.ts'
import type { Reading, SelectText } from './consistent-read.ts'
import { findHistory } from './old-events.ts'

/** Whether a swap, by its running number, is one side of a round trip. */
export interface RoundTripRow {
  n: number
  isRoundTrip: boolean
}

/** Events of the wallet before and after the swap that are read. */
const NEIGHBOURS = 25

const TEXT: SelectText = `SELECT e.n, EXISTS (SELECT FROM event o
    WHERE o.wallet_id = e.wallet_id AND o.wallet_n BETWEEN e.wallet_n - ${NEIGHBOURS} AND e.wallet_n + ${NEIGHBOURS}
      AND o.time = e.time AND o.pool_id = e.pool_id AND o.token_id = e.token_id
      AND o.type = 1 AND o.direction <> e.direction) AS "isRoundTrip"
  FROM event e WHERE e.n = ANY ($1::bigint[])`

/** The swaps with these running numbers, in any order. */
export async function readRoundTrips(reading: Reading, ns: readonly number[]): Promise<RoundTripRow[]> {
  const history = await findHistory(reading)
  // A round trip is within one second, and a second is either in the history or not.
  const isOld = (n: number) => history !== null && n <= history.lastN
  const [old, kept] = [ns.filter(isOld), ns.filter((n) => !isOld(n))]
  const [rows, oldRows] = await Promise.all([
    kept.length > 0
      ? reading.query<RoundTripRow>({ name: 'round trips', text: TEXT, values: [kept] })
      : Promise.resolve([]),
    history && old.length > 0 ? findOld(history, old) : Promise.resolve([]),
  ])
  return [...rows, ...oldRows]
}

const isOther = (a: OldEvent, b: OldEvent): boolean =>
  (['wallet_id', 'time', 'pool_id', 'token_id'] as const).every((key) => a[key] === b[key]) &&
  a.direction !== b.direction

async function findOld({ store, segments }: OpenHistory, ns: readonly number[]): Promise<RoundTripRow[]> {
  const swaps = await store.readNumbers(segments, ns)
  const others = await store.readSwapsAt(segments, {
    tokenIds: swaps.map(({ token_id }) => Number(token_id)),
    times: swaps.map(({ time }) => toMicros(String(time))),
  })
  const found = swaps.map(async (swap) => {
    const candidates = swap.type === 1 ? others.filter((other) => isOther(swap, other)) : []
    const isRoundTrip = await isAnyNear({ store, segments }, swap, candidates)
    return { n: swap.n, isRoundTrip }
  })
  return Promise.all(found)
}

/** Whether one of these events of the same wallet is within its neighbours. */
async function isAnyNear(
  { store, segments }: Pick<OpenHistory, 'store' | 'segments'>,
  swap: OldEvent,
  others: readonly OldEvent[],
): Promise<boolean> {
  if (others.length === 0) return false
  if (others.some(({ n }) => Math.abs(n - swap.n) <= NEIGHBOURS)) return true
  const numbers = await store.readWalletNumbers(segments, Number(swap.wallet_id), [swap.n, ...others.map(({ n }) => n)])
  const own = numbers.get(swap.n) ?? Number.NaN
  return others.some(({ n }) => Math.abs((numbers.get(n) ?? Number.NaN) - own) <= NEIGHBOURS)
}
