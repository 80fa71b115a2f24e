// Reads token histories from a folder of Uniswap V2 pools against WETH. Swaps come from Sync logs, which do not name the
// trader, so they have no wallet. Rug blocks are rounded to seven digits, so the true block is found among the events near it.
import { dropRepeated, readCells } from './csv.ts'
import { BURN_ADDRESSES, createNumbering, type HistoryEvent, type Rug, type TokenHistory } from './history.ts'
import { isRug, readLabels } from './labels.ts'
import type { LeftOut } from './left-out.ts'
import { createQuotePrices } from './quote-price.ts'

/** By how many blocks `rug_block_by_rule` may be off through rounding. */
const ROUNDING_BLOCKS = 5
const BLOCK_SECONDS = 13

const LABELS = ['token_id', 'label#', 'rug_block_by_rule', 'rug_kind_by_rule', 'first_ts#'] as const
const FILE = 'events.csv.gz'
const EVENTS = [
  'token_id',
  'event',
  'direction',
  'wallet',
  'counterparty',
  'amount_weth#',
  'amount_token#',
  'lp_amount#',
  'reserve_weth_after#',
  'ts#',
  'block#',
  'log_index#',
] as const

type Placed = HistoryEvent & { logIndex: number }

const CHAIN_ID = 1

/** Reads the tokens of a folder, in the order of its labels. */
export function readRugEthereum(folder: string, leftOut: LeftOut): TokenHistory[] {
  const number = createNumbering()
  const burnAddresses = new Set(BURN_ADDRESSES.map((address) => number(address) ?? 0))
  const price = createQuotePrices(folder, leftOut)
  const quoteUsd = (time: number) => price('WETH', time)
  const { events, deployers } = readEvents(folder, number, quoteUsd, leftOut)
  return readLabels(folder, LABELS, leftOut).map(([id, label, rugBlock, kind, firstTs]) => {
    const own = (events.get(id) ?? []).sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    return {
      id,
      chainId: CHAIN_ID,
      createdAt: Number(firstTs),
      rugged: isRug(label),
      rug: findRug(own, Number(rugBlock), kind),
      deployer: deployers.get(id) || id,
      siblings: [],
      pool: 0,
      burnAddresses,
      quoteUsd,
      events: own,
      completeUntil: own.at(-1)?.time ?? Number(firstTs),
      lastSeenAt: own.at(-1)?.time ?? Number(firstTs),
    }
  })
}

function readEvents(
  folder: string,
  number: (address: string) => number | null,
  quoteUsd: (time: number) => number,
  leftOut: LeftOut,
) {
  const events = new Map<string, Placed[]>()
  const deployers = new Map<string, string>()
  for (const row of dropRepeated(readCells(folder, FILE, EVENTS, leftOut), FILE, leftOut)) {
    const [id, event, direction, wallet, counterparty, weth, token, shares, after, ts, block, logIndex] = row
    const type = TYPES[event]
    if (!type || (type === 'swap' && direction !== 'buy' && direction !== 'sell')) {
      leftOut.note(FILE, 'the kind of event is not known', row.join())
      continue
    }
    if (type === 'liquidity_add' && !deployers.has(id)) deployers.set(id, wallet)
    const time = Number(ts)
    const moved = {
      direction: type === 'swap' ? (direction === 'buy' ? ('buy' as const) : ('sell' as const)) : null,
      wallet: number(wallet),
      recipient: number(counterparty),
      quote: Number(weth),
      amountUsd: Number(weth) * quoteUsd(time),
      quantity: Number(token),
      shares: Number(shares),
      quoteAfter: type === 'share_transfer' ? null : Number(after),
      time,
      block: Number(block),
      logIndex: Number(logIndex),
    }
    const list = events.get(id) ?? []
    events.set(id, list)
    list.push({ ...moved, type, quote: type === 'reserve' ? Number(after) : moved.quote })
  }
  return { events, deployers }
}

const TYPES: Readonly<Record<string, HistoryEvent['type']>> = {
  swap: 'swap',
  liquidity_add: 'liquidity_add',
  liquidity_remove: 'liquidity_remove',
  lp_transfer: 'share_transfer',
  sync_other: 'reserve',
}

/** The event near the label's block at which the reserve fell most; null if there is none. */
function findRug(events: readonly HistoryEvent[], near: number, kind: string): Rug | null {
  if (!(near > 0)) return null
  let reserve = 0
  let deepest = 0
  let rug: Rug | null = null
  for (const event of events) {
    if (event.quoteAfter === null) continue
    const fall = reserve > 0 ? 1 - event.quoteAfter / reserve : 0
    reserve = event.quoteAfter
    if (Math.abs(event.block - near) > ROUNDING_BLOCKS || fall <= deepest) continue
    deepest = fall
    rug = { kind: kind === 'lp' ? 'liquidity' : 'dump', block: event.block, time: event.time - BLOCK_SECONDS }
  }
  return rug
}
