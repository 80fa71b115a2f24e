// The contract state of a recorded chain at any block, derived from its logs: balances, supplies, reserves, V3 prices,
// and each factory's pools. The recorder checks it against the real chain. Input: a recording. Output: values by key
// and block.
import { TOPICS } from '../logs/events.ts'
import type { RecordedBlock, RecordedLog } from './recording.ts'

export interface ReplayState {
  /** The value of the key (words of 64 hex digits) at the end of the block; null when it was never set. */
  read(key: string, block: number): string | null
}

type LoggedBlock = Pick<RecordedBlock, 'logs'>

/** Numbers take a third of the memory of their texts. */
interface Past {
  /** Words of each value. */
  words: number
  blocks: number[]
  values: bigint[]
}

const ZERO_WORD = '0'.repeat(64)
/** A negative sum, which occurs only in a part of a chain, is in two's complement. */
const format = (value: bigint, words: number) =>
  BigInt.asUintN(256 * words, value)
    .toString(16)
    .padStart(64 * words, '0')
const slice = (data: string, index: number) => data.slice(2 + 64 * index, 66 + 64 * index)
const amount = (data: string, index: number) => BigInt(`0x${slice(data, index)}`)
const holder = (topic = '') => topic.slice(26)

/** Builds the keys of the state. */
export const key = {
  balance: (token: string, who: string) => `${token} balance ${who}`,
  supply: (token: string) => `${token} supply`,
  reserves: (pair: string) => `${pair} reserves`,
  price: (pool: string) => `${pool} price`,
  pool: (factory: string, a: string, b: string, fee: string) =>
    `${factory} ${a < b ? `${a} ${b}` : `${b} ${a}`} ${fee}`,
}

/**
 * The state, built at the first read; `first` is the number of the first block. The last value written in a block is the
 * block's value.
 */
export function createState({ blocks }: { blocks: readonly LoggedBlock[] }, first = 0): ReplayState {
  let past: Map<string, Past> | undefined
  return {
    read(name, block) {
      past ??= readPast(blocks, first)
      const entry = past.get(name)
      if (!entry) return null
      const index = entry.blocks.findLastIndex((number) => number <= block)
      const value = entry.values[index]
      return value === undefined ? null : format(value, entry.words)
    },
  }
}

function readPast(blocks: readonly LoggedBlock[], first: number): Map<string, Past> {
  const past = new Map<string, Past>()
  const amounts = new Map<string, bigint>()
  blocks.forEach((block, index) => {
    const number = first + index
    const write = (name: string, value: bigint, words: number) => {
      const entry = past.get(name) ?? { words, blocks: [], values: [] }
      if (entry.blocks.at(-1) === number) entry.values.pop()
      else entry.blocks.push(number)
      entry.values.push(value)
      past.set(name, entry)
    }
    const add = (name: string, change: bigint) => {
      const sum = (amounts.get(name) ?? 0n) + change
      amounts.set(name, sum)
      write(name, sum, 1)
    }
    const set: SetWords = (name, ...words) => write(name, BigInt(`0x${words.join('')}`), words.length)
    for (const log of block.logs) readLog(log, set, add)
  })
  return past
}

type SetWords = (name: string, ...words: string[]) => void
type Add = (name: string, change: bigint) => void

function readLog({ address, topics, data }: RecordedLog, set: SetWords, add: Add): void {
  const [topic, first, second, third] = topics
  if (topic === TOPICS.transfer && topics.length === 3) {
    const [from, to, value] = [holder(first), holder(second), amount(data, 0)]
    const minted = /^0+$/.test(from)
    const burned = /^0+$/.test(to)
    if (minted) add(key.supply(address), value)
    else add(key.balance(address, from), -value)
    // A pair mints its first shares to the zero address, where they stay. Any other token sent there is burned.
    if (burned && !minted) add(key.supply(address), -value)
    else add(key.balance(address, to), value)
  } else if (topic === TOPICS.deposit) {
    add(key.supply(address), amount(data, 0))
    add(key.balance(address, holder(first)), amount(data, 0))
  } else if (topic === TOPICS.withdrawal) {
    add(key.supply(address), -amount(data, 0))
    add(key.balance(address, holder(first)), -amount(data, 0))
  } else if (topic === TOPICS.v2_sync) set(key.reserves(address), slice(data, 0), slice(data, 1))
  else if (topic === TOPICS.v3_initialize) set(key.price(address), slice(data, 0), slice(data, 1))
  else if (topic === TOPICS.v3_swap) set(key.price(address), slice(data, 2), slice(data, 4))
  else if (topic === TOPICS.pair_created) set(key.pool(address, holder(first), holder(second), ''), slice(data, 0))
  else if (topic === TOPICS.pool_created)
    set(key.pool(address, holder(first), holder(second), BigInt(third ?? 0).toString(16)), slice(data, 1))
}

/** The value of an empty storage slot. */
export const EMPTY_WORD = ZERO_WORD
