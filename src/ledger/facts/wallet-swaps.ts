// Reads the newest 200 trades of many wallets, and the outcomes of the buys among the newest fifty (see aftermath.ts).
import { float64At, int32At, itemAt, numberAt } from '../../base/item-at.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import { UNKNOWN } from '../../base/vocabulary.ts'
import {
  defineRead,
  double,
  findRanges,
  integer,
  orNull,
  type Reader,
  type RowsOf,
  seconds,
} from '../../database/column-query.ts'
import type { HistoryReader, HistorySwap } from '../../history/history.ts'
import { attachHistoryOn } from '../segments.ts'
import { OUTCOME_HOURS, readAftermath } from './aftermath.ts'
import type { Outcomes } from './buy-outcomes.ts'
import type { FactsBlock, WalletSwapFacts } from './facts.ts'
import type { TokenTerms } from './holdings.ts'
import type { Memory } from './memory.ts'
import type { Store } from './store.ts'

/** How many swaps of a wallet are read at most, and among how many of the newest the outcomes of buys count. */
const MOST = 200
const TIMED = 50
const readSwapRows = defineRead(
  'facts wallet swaps',
  {
    walletId: integer('e.wallet_id'),
    n: integer('e.wallet_type_n'),
    tokenId: integer('e.token_id'),
    poolId: integer('e.pool_id'),
    direction: integer('e.direction::int'),
    amountUsd: double('e.amount_usd'),
    time: seconds('e.time'),
    block: integer('e.block_number'),
    quantity: double('e.quantity'),
  },
  (columns) => `SELECT ${columns} FROM unnest($1::int[], $2::int[]) AS w(id, newest)
    CROSS JOIN LATERAL (
      SELECT * FROM event WHERE wallet_id = w.id AND type = 1 AND wallet_type_n > w.newest - ${MOST}) e
    ORDER BY e.wallet_id, e.wallet_type_n`,
)

/** A wallet's number of swaps, which is also the running number of its newest, and its stored outcomes. */
export interface Trader extends Outcomes {
  swapCount: number
}

/** A wallet's newest swaps, with the outcomes to store. */
export interface WalletSwaps {
  /** Oldest first. */
  swaps: WalletSwapFacts[]
  /** The outcomes to store from now on; null if nothing is new. */
  ripe: Outcomes | null
}

/** Swaps by column, oldest first within each wallet; `n` is the running number among the wallet's swaps. */
export type WalletSwapRows = RowsOf<typeof readSwapRows>

/** Reads the newest swaps of the wallets. */
export async function readWalletSwaps(
  client: Reader,
  traders: ReadonlyMap<number, Trader>,
  history: HistoryReader | null | undefined,
): Promise<WalletSwapRows> {
  const asked = [...traders].filter(([, { swapCount }]) => swapCount > 0)
  const values = [asked.map(([id]) => id), asked.map(([, { swapCount }]) => swapCount)]
  const rows = await readSwapRows(client, values)
  return history ? addOldSwaps(client, rows, asked, history) : rows
}

/** Adds the swaps that left the database: those with the lowest numbers among the newest of a wallet. */
async function addOldSwaps(
  client: Reader,
  rows: WalletSwapRows,
  asked: readonly (readonly [number, Trader])[],
  store: HistoryReader,
): Promise<WalletSwapRows> {
  const rangeOf = findRanges(rows.walletId)
  const lacking = asked.filter(([id, { swapCount }]) => {
    const { from, to } = rangeOf(id)
    return to - from < Math.min(swapCount, MOST)
  })
  const history = lacking.length > 0 ? await attachHistoryOn(client, store) : null
  if (!history) return rows
  const bounds = lacking.map(([walletId, { swapCount }]) => ({ walletId, above: Math.max(0, swapCount - MOST) }))
  const old = await history.store.readTraders(history.segments, bounds)
  // Segments may have swaps that the database still has too.
  const firstOf = (walletId: number) => {
    const { from, to } = rangeOf(walletId)
    return to > from ? int32At(rows.n, from) : Number.POSITIVE_INFINITY
  }
  const kept = Array.from(rows.walletId, (walletId, at) => ({
    ...{ walletId, n: int32At(rows.n, at), tokenId: int32At(rows.tokenId, at), poolId: int32At(rows.poolId, at) },
    ...{
      direction: int32At(rows.direction, at),
      amountUsd: float64At(rows.amountUsd, at),
      time: float64At(rows.time, at),
    },
    ...{ block: int32At(rows.block, at), quantity: float64At(rows.quantity, at) },
  }))
  const all = [...old.filter(({ walletId, n }) => n < firstOf(walletId)), ...kept]
  all.sort((a, b) => a.walletId - b.walletId || a.n - b.n)
  const integers = (of: (swap: HistorySwap) => number) => Int32Array.from(all, of)
  const doubles = (of: (swap: HistorySwap) => number) => Float64Array.from(all, of)
  return {
    walletId: integers(({ walletId }) => walletId),
    n: integers(({ n }) => n),
    tokenId: integers(({ tokenId }) => tokenId),
    poolId: integers(({ poolId }) => poolId),
    direction: integers(({ direction }) => direction),
    amountUsd: doubles(({ amountUsd }) => amountUsd),
    time: doubles(({ time }) => time),
    block: integers(({ block }) => block),
    quantity: doubles(({ quantity }) => quantity),
  }
}

const maturedAt = ({ hourTime }: FactsBlock): number =>
  Math.floor(hourTime / DAY_SECONDS) * DAY_SECONDS - OUTCOME_HOURS * 3_600

/** Computes outcomes, by row of the swaps: for buys whose three days are over and whose outcome is not stored yet. NaN for other rows. */
export async function readOutcomes(
  client: Reader,
  { walletId, n, tokenId, direction, amountUsd, time, quantity }: WalletSwapRows,
  { traders, block }: { traders: ReadonlyMap<number, Trader>; block: FactsBlock },
  memory: Memory,
): Promise<Float64Array> {
  const found = new Float64Array(walletId.length).fill(Number.NaN)
  const over = maturedAt(block)
  const asked: number[] = []
  for (let at = 0; at < walletId.length; at += 1) {
    if (direction[at] !== 1 || float64At(time, at) > over) continue
    const { swapCount, knownN } = traders.get(int32At(walletId, at)) as Trader
    if (int32At(n, at) > Math.max(swapCount - TIMED, knownN)) asked.push(at)
  }
  if (asked.length === 0) return found
  const pick = (column: Int32Array | Float64Array) => asked.map((at) => itemAt(column, at))
  const buys = { tokenIds: pick(tokenId), times: pick(time), quantities: pick(quantity), amountsUsd: pick(amountUsd) }
  const shares = await readAftermath(client, buys, memory)
  for (const [nth, at] of asked.entries()) found[at] = float64At(shares, nth)
  return found
}

/** Returns a function that makes a wallet's swaps when they are needed. `outcomes` has one number per row. */
export function listWalletSwaps(
  rows: WalletSwapRows,
  outcomes: Float64Array,
  terms: Pick<Store<TokenTerms>, 'get'>,
  block: FactsBlock,
): (walletId: number, trader: Trader) => WalletSwaps {
  const { direction, quantity, amountUsd, time, block: number } = rows
  const rangeOf = findRanges(rows.walletId)
  return (walletId, trader) => {
    const { from, to } = rangeOf(walletId)
    const { shares, ripe } = settleOutcomes(rows, { found: outcomes, from, to }, trader, block)
    const swaps: WalletSwapFacts[] = []
    for (let at = from; at < to; at += 1) {
      const tokenId = int32At(rows.tokenId, at)
      swaps.push({
        tokenId,
        poolId: int32At(rows.poolId, at),
        direction: direction[at] === 1 ? 'buy' : 'sell',
        quantity: float64At(quantity, at),
        amountUsd: float64At(amountUsd, at),
        time: float64At(time, at),
        block: int32At(number, at),
        sector: terms.get(tokenId)?.sector ?? UNKNOWN,
        aboveShare3d: orNull(shares[at - from]),
      })
    }
    return { swaps, ripe }
  }
}

/** The outcomes of one wallet's rows (NaN: none), from those that are stored and those that were `found`, and which to store now. */
function settleOutcomes(
  { n, direction, time }: WalletSwapRows,
  { found, from: start, to: end }: { found: Float64Array; from: number; to: number },
  { swapCount, knownN, shares: kept }: Trader,
  block: FactsBlock,
): { shares: number[]; ripe: Outcomes | null } {
  const shares: number[] = []
  const timed: number[] = []
  for (let at = start; at < end; at += 1) {
    shares.push(float64At(found, at))
    if (direction[at] === 1 && int32At(n, at) > swapCount - TIMED) timed.push(at)
  }
  const knownCount = timed.filter((at) => int32At(n, at) <= knownN).length
  const left = kept.length - knownCount
  for (const [nth, at] of timed.entries()) {
    if (nth < knownCount) shares[at - start] = kept[left + nth] ?? Number.NaN
  }
  const ripe = { knownN, shares: kept.slice(left) }
  for (const at of timed.slice(knownCount)) {
    if (!isOver(float64At(time, at), block)) break
    ripe.shares.push(numberAt(shares, at - start))
    ripe.knownN = int32At(n, at)
  }
  return { shares, ripe: ripe.knownN > knownN ? ripe : null }
}

/** Whether the outcome counts, and its last hour is over too, so that it no longer changes. */
const isOver = (time: number, block: FactsBlock): boolean =>
  time <= maturedAt(block) && Math.floor(time / 3_600) + OUTCOME_HOURS < block.hourTime / 3_600
