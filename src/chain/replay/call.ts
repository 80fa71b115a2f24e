// Answers `eth_call` of a recorded chain: recorded answers, and balances, supplies, reserves, prices and pools at a
// block. Input: a call. Output: the returned data. An account without code returns no data; a revert is thrown.

import { RpcError } from '../rpc/error.ts'
import type { RecordedContract } from './recording.ts'
import { EMPTY_WORD, key, type ReplayState } from './state.ts'

export interface CallObject {
  to?: string
  data?: string
  input?: string
}

type Read = (to: string, words: readonly string[], at: (name: string) => string | null) => string | null

const address = (word = '') => word.slice(24)

/** Calls whose answer changes over time, by selector. */
const MOVING: Record<string, Read> = {
  /** totalSupply() */
  '0x18160ddd': (to, _, at) => at(key.supply(to)) ?? EMPTY_WORD,
  /** balanceOf(address) */
  '0x70a08231': (to, [who], at) => at(key.balance(to, address(who))) ?? EMPTY_WORD,
  /** getReserves(): the timestamp of the last change is always 0. */
  '0x0902f1ac': (to, _, at) => `${at(key.reserves(to)) ?? EMPTY_WORD + EMPTY_WORD}${EMPTY_WORD}`,
  /** slot0(): price and tick. The oracle fields are always 0, and the pool is unlocked. */
  '0x3850c7bd': (to, _, at) =>
    `${at(key.price(to)) ?? EMPTY_WORD + EMPTY_WORD}${EMPTY_WORD.repeat(4)}${EMPTY_WORD.slice(1)}1`,
  /** getPair(address,address) */
  '0xe6a43905': (to, [a, b], at) => at(key.pool(to, address(a), address(b), '')) ?? EMPTY_WORD,
  /** getPool(address,address,uint24) */
  '0x1698ee82': (to, [a, b, fee], at) =>
    at(key.pool(to, address(a), address(b), BigInt(`0x${fee}`).toString(16))) ?? EMPTY_WORD,
}

/**
 * The data that the contract returned at the end of the block; throws an `RpcError` of kind `execution` for a revert.
 */
export function answerCall(
  contractAt: (address: string) => RecordedContract | undefined,
  state: ReplayState,
  call: CallObject,
  block: number,
): string {
  const to = (call.to ?? '').toLowerCase()
  const data = (call.data ?? call.input ?? '0x').toLowerCase()
  const contract = contractAt(to)
  if (!contract || contract.born > block) return '0x'
  const selector = data.slice(0, 10)
  const recorded = contract.answers[data]
  if (recorded !== undefined) return recorded ?? revert()
  const read = contract.moving.includes(selector) ? MOVING[selector] : undefined
  if (!read) return revert()
  const words = data.slice(10).match(/.{64}/g) ?? []
  return `0x${read(to, words, (name) => state.read(name, block))}`
}

function revert(): never {
  throw new RpcError('execution', 'demo: execution reverted')
}
