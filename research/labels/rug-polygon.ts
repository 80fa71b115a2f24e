// Reads token histories from a folder of SushiSwap tokens on Polygon. Rows have no log index, so those of a block keep
// the file's order. `sync` rows state the pool's reserve after a block.
import { readCells } from './csv.ts'
import { BURN_ADDRESSES, createNumbering, type HistoryEvent, type Rug, type TokenHistory } from './history.ts'
import { isRug, readLabels } from './labels.ts'
import type { LeftOut } from './left-out.ts'
import { createQuotePrices } from './quote-price.ts'

const LABELS = ['token_id', 'label#', 'pair', 'base', 'created#', 'rug_ts', 'dump_ts', 'capped?'] as const
const FILE = 'events.csv.gz'
const EVENTS = [
  'token_id',
  'event',
  'direction',
  'wallet',
  'counterparty',
  'amount_base#',
  'amount_token_raw#',
  'lp#',
  'ts#',
  'block#',
] as const

const TYPES: Readonly<Record<string, HistoryEvent['type'] | null>> = {
  swap: 'swap',
  liquidity_add: 'liquidity_add',
  liquidity_remove: 'liquidity_remove',
  lp_transfer: 'share_transfer',
  sync: 'reserve',
  transfer: null,
}

const CHAIN_ID = 137

/** Reads the tokens of a folder, in the order of its labels. Token transfers are left out, because the folder has those of some tokens only. */
export function readRugPolygon(folder: string, leftOut: LeftOut): TokenHistory[] {
  const number = createNumbering()
  const burnAddresses = new Set(BURN_ADDRESSES.map((address) => number(address) ?? 0))
  const price = createQuotePrices(folder, leftOut)
  const histories = new Map<string, TokenHistory>()
  const marks = new Map<string, Marks>()
  for (const [id, label, pair, base, created, rugTs, dumpTs, capped] of readLabels(folder, LABELS, leftOut)) {
    marks.set(id, { rugTs: Number(rugTs), dumpTs: Number(dumpTs), isCapped: capped.toLowerCase() === 'true' })
    histories.set(id, {
      id,
      chainId: CHAIN_ID,
      createdAt: Number(created),
      rugged: isRug(label),
      rug: null,
      deployer: id,
      siblings: [],
      pool: number(pair) ?? 0,
      burnAddresses,
      quoteUsd: (time) => price(base, time),
      events: [],
      completeUntil: Number(created),
      lastSeenAt: Number(created),
    })
  }
  for (const row of readCells(folder, FILE, EVENTS, leftOut)) {
    const history = histories.get(row[0])
    const type = TYPES[row[1]]
    if (type === undefined || (type === 'swap' && row[2] !== 'buy' && row[2] !== 'sell'))
      leftOut.note(FILE, 'the kind of event is not known', row.join())
    if (!history || !type) continue
    const event = toEvent(row, type, number, history.quoteUsd)
    if (event.type === 'liquidity_add' && history.deployer === history.id && row[3]) history.deployer = row[3]
    history.events.push(event)
  }
  for (const history of histories.values()) {
    history.events.sort((a, b) => a.block - b.block)
    const own = marks.get(history.id) ?? { rugTs: 0, dumpTs: 0, isCapped: false }
    history.rug = findRug(history.events, own)
    truncate(history, own.isCapped)
  }
  return [...histories.values()]
}

interface Marks {
  rugTs: number
  dumpTs: number
  /** The source stopped recording swaps at a limit. */
  isCapped: boolean
}

/**
 * Cuts a history at the newest swap or `sync` row, because some kinds of rows end before others. It is complete up to
 * the last `sync` row, which states the reserve. With capped swaps it is not complete beyond the last swap.
 */
function truncate(history: TokenHistory, isCapped: boolean): void {
  const { events, createdAt } = history
  const reserve = events.findLast(({ type }) => type === 'reserve')
  const swap = events.findLast(({ type }) => type === 'swap')
  const last = Math.max(reserve?.block ?? 0, swap?.block ?? 0)
  history.lastSeenAt = events.at(-1)?.time ?? createdAt
  history.events = events.filter((event) => event.block <= last)
  history.completeUntil = Math.min(reserve?.time ?? createdAt, (isCapped ? swap?.time : null) ?? history.lastSeenAt)
}

function toEvent(
  [, , direction, wallet, counterparty, base, token, shares, ts, block]: readonly string[],
  type: HistoryEvent['type'],
  number: (address: string) => number | null,
  quoteUsd: (time: number) => number,
): HistoryEvent {
  const time = Number(ts)
  return {
    type,
    direction: type === 'swap' ? (direction === 'buy' ? 'buy' : 'sell') : null,
    wallet: number(wallet ?? ''),
    recipient: number(counterparty ?? ''),
    quote: Number(base),
    amountUsd: Number(base) * quoteUsd(time),
    quantity: Number(token),
    shares: Number(shares),
    quoteAfter: null,
    time,
    block: Number(block),
  }
}

/** The rug of the labels. If they have both, a removal of liquidity comes before a dump. */
function findRug(events: readonly HistoryEvent[], marks: Marks): Rug | null {
  const time = marks.rugTs || marks.dumpTs
  if (!time) return null
  const block = events.find((event) => event.time >= time)?.block ?? Number.MAX_SAFE_INTEGER
  return { kind: marks.rugTs ? 'liquidity' : 'dump', block, time: time - 2 }
}
