// The keys of pools that only the log of their opening has: Uniswap V4's manager stores none, and its position manager
// only those used through it. The pool's 32 bytes are a topic of that log, so one question covers all blocks. If a node
// refuses so many blocks, the state of old blocks shows which half has the opening. A node without old state is asked
// range by range, newest first, because most traded pools are young.
import type { Address } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { TOPICS } from '../logs/events.ts'
import { hexQuantity, isLogs } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { readUint } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'

export interface OpeningsOf {
  manager: Address
  ids: readonly Address[]
  /** The blocks in which they were opened, both included. */
  from: number
  to: number
  /** The call whose answer is above zero once the pool is open. */
  stateOf(id: Address): ContractCall
}

export interface OpeningLogs {
  /** The words of the keys that were found, as hex. Their hash must still prove them. */
  find(asked: OpeningsOf): Promise<Map<Address, `0x${string}`>>
}

/** A range of blocks and the pools that were opened in it. */
interface Piece {
  ids: readonly Address[]
  from: number
  to: number
}

/** Nodes take at most 1,000 topics in one question, and some fewer. */
const MOST_IDS = 200
/** The most ranges asked for one after another, for one batch of blocks. */
export const MOST_RANGES = 64
const AT_ONCE = 8
/** A wider range is tried once: the node may not answer it in time. */
const USUAL_BLOCKS = 2_000

const blocksIn = ({ from, to }: Piece): number => to - from + 1

/** The newest pieces of a range, at most so wide and so many, newest first. */
function newestPieces({ ids, from, to }: Piece, widest: number, most: number): Piece[] {
  const width = Math.min(widest, blocksIn({ ids, from, to }))
  const pieces: Piece[] = []
  for (let end = to; end >= from && pieces.length < most; end -= width)
    pieces.push({ ids, from: Math.max(from, end - width + 1), to: end })
  return pieces
}

const question = (manager: Address, { ids, from, to }: Piece): Call => ({
  method: 'eth_getLogs',
  params: [
    { address: manager, fromBlock: hexQuantity(from), toBlock: hexQuantity(to), topics: [[TOPICS.v4_initialize], ids] },
  ],
  accept: isLogs,
})

/**
 * Splits a piece in two. Each half has the pools opened in it, according to the state between them; null if the node
 * does not have that state.
 */
async function halve(
  ethCall: EthCall,
  { ids, from, to }: Piece,
  stateOf: OpeningsOf['stateOf'],
): Promise<Piece[] | null> {
  const middle = from + Math.floor((to - from) / 2)
  const states = (await ethCall(ids.map(stateOf), middle)).map((state) => readUint(state))
  if (states.includes(null)) return null
  const early = ids.filter((_, at) => states[at] !== 0n)
  const late = ids.filter((_, at) => states[at] === 0n)
  const halves = [
    { ids: early, from, to: middle },
    { ids: late, from: middle + 1, to },
  ]
  return halves.filter((half) => half.ids.length > 0)
}

interface State {
  rpc: Rpc
  ethCall: EthCall
  /** The widest range that the node has not refused, and the widest that it has answered. */
  widest: number
  accepted: number
}

/** Finds openings. The learnt range lasts as long as this object. */
export function createOpeningLogs(rpc: Rpc, ethCall: EthCall): OpeningLogs {
  const state: State = { rpc, ethCall, widest: Number.POSITIVE_INFINITY, accepted: 0 }
  return {
    async find(asked) {
      const found = new Map<Address, `0x${string}`>()
      for (let at = 0; at < asked.ids.length && asked.from <= asked.to; at += MOST_IDS)
        await search(state, asked, { ids: asked.ids.slice(at, at + MOST_IDS), from: asked.from, to: asked.to }, found)
      return found
    },
  }
}

/**
 * Asks for each piece. Returns the pieces that were refused as too large. Throws retryable faults, and drops pieces
 * with other faults.
 */
async function ask(
  state: State,
  manager: Address,
  pieces: readonly Piece[],
  found: Map<Address, `0x${string}`>,
): Promise<Piece[]> {
  if (pieces.length === 0) return []
  const isUsual = pieces.every((piece) => blocksIn(piece) <= USUAL_BLOCKS)
  const calls = pieces.map((piece) => question(manager, piece))
  const answers: RpcAnswer[] = await state.rpc.batch(calls, ...(isUsual ? [] : [1]))
  return pieces.flatMap((piece, at) => {
    const answer = answers[at]
    if (!answer) return []
    if (isAnswered(answer)) {
      state.accepted = Math.max(state.accepted, blocksIn(piece))
      for (const [id, key] of keysIn(answer.result)) found.set(id, key)
      return []
    }
    const { error } = answer
    if (isTooMuch(error, piece)) {
      const told = error.hint.maxBlocks ?? Math.floor(blocksIn(piece) / 2)
      state.widest = Math.min(state.widest, Math.max(1, Math.min(told, blocksIn(piece) - 1)))
      return [piece]
    }
    if (!FINAL.has(error.kind)) throw error
    return []
  })
}

/**
 * Asks range by range, newest first, until all pools are found. It asks for one range at a time until the node
 * accepts one.
 */
async function walk(
  state: State,
  manager: Address,
  { ids, from, to }: Piece,
  found: Map<Address, `0x${string}`>,
): Promise<void> {
  let atOnce = 1
  for (let [last, answered] = [to, 0]; last >= from && answered < MOST_RANGES; ) {
    const open = ids.filter((id) => !found.has(id))
    if (open.length === 0) return
    const pieces = newestPieces({ ids: open, from, to: last }, state.widest, atOnce)
    const refused = await ask(state, manager, pieces, found)
    const [newest] = refused
    answered += pieces.length - refused.length
    atOnce = newest ? 1 : AT_ONCE
    last = newest ? newest.to : (pieces.at(-1)?.from ?? from) - 1
  }
}

async function search(
  state: State,
  { manager, stateOf }: OpeningsOf,
  first: Piece,
  found: Map<Address, `0x${string}`>,
) {
  let pieces = [first]
  while (pieces.length > 0) {
    const narrow = pieces.filter((piece) => blocksIn(piece) <= state.widest)
    const widths = Math.max(...narrow.map(blocksIn))
    // One range alone, until the node has accepted one of this width.
    const asked = widths <= state.accepted ? narrow : narrow.filter((piece) => blocksIn(piece) === widths).slice(0, 1)
    const refused = await ask(state, manager, asked, found)
    const open = pieces.filter((piece) => refused.includes(piece) || !asked.includes(piece))
    const wide = open.filter((piece) => blocksIn(piece) > state.widest)
    const halves = await Promise.all(
      wide.map(async (piece) => ({ piece, halved: await halve(state.ethCall, piece, stateOf) })),
    )
    for (const { piece, halved } of halves) if (halved === null) await walk(state, manager, piece, found)
    pieces = [
      ...open.filter((piece) => blocksIn(piece) <= state.widest),
      ...halves.flatMap(({ halved }) => halved ?? []),
    ]
  }
}

/** Faults that a retry does not fix: these pools then stay unknown. */
const FINAL = new Set(['rejected', 'unsupported', 'pruned', 'execution', 'range', 'size'])

/** Whether a narrower range may be answered: a timeout may mean that the range was too wide. */
const isTooMuch = ({ kind }: RpcError, piece: Piece): boolean =>
  kind === 'transient' ? blocksIn(piece) > USUAL_BLOCKS : (kind === 'range' || kind === 'size') && blocksIn(piece) > 1

/** Both coins are topics; fee, tick spacing and hooks are the first three words. */
function keysIn(logs: unknown): [Address, `0x${string}`][] {
  if (!isLogs(logs)) return []
  return logs.flatMap(({ topics, data }): [Address, `0x${string}`][] => {
    const [, id, ...coins] = topics
    const key = `0x${coins.map((coin) => coin.slice(2)).join('')}${data.slice(2, 2 + 3 * 64)}`.toLowerCase()
    return id && isHex(key) ? [[id.toLowerCase() as Address, key]] : []
  })
}
