// The opposite of a recorded trade: who bought sells the same amount for the same money, and each pool is again as it was
// before. So a stretch of trades can be played backwards and forwards for ever without a jump of any price or balance.
import { createHash } from 'node:crypto'
import { TOPICS } from '../logs/events.ts'
import type { RecordedBlock, RecordedLog, RecordedTransaction } from './recording.ts'

export interface RecordedTrade {
  /** The number of its recorded block. */
  number: number
  transaction: RecordedTransaction
  logs: RecordedLog[]
  /** What the pools of its logs held before it: the data of their last Sync or price. */
  before: Map<string, string>
}

const { transfer, deposit, withdrawal, v2_sync, v2_swap, v3_swap, v3_initialize, v2_mint, v2_burn } = TOPICS
const KINDS: readonly string[] = [transfer, deposit, withdrawal, v2_sync, v2_swap, v3_swap]
const ZERO_TOPIC = `0x${'0'.repeat(64)}`

const topicOf = ({ topics }: RecordedLog): string => topics[0] ?? ''
const wordsOf = ({ data }: RecordedLog): string[] => data.slice(2).match(/.{64}/g) ?? []
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The trades from a block on that have an opposite, oldest first. */
export function listTrades(blocks: readonly RecordedBlock[], from: number): RecordedTrade[] {
  const states = new Map<string, string>()
  const trades: RecordedTrade[] = []
  /** Pools whose liquidity changed meanwhile: the opposite of a trade would not restore them. */
  const changed = new Set<string>()
  blocks.forEach((block, number) => {
    for (const [at, transaction] of block.transactions.entries()) {
      const logs = block.logs.filter((log) => log.at === at)
      if (number >= from && hasOpposite(logs)) trades.push({ number, transaction, logs, before: new Map(states) })
      for (const log of logs) {
        if ([v2_sync, v3_swap, v3_initialize].some((topic) => topic === topicOf(log))) states.set(log.address, log.data)
        if (number >= from && [v2_mint, v2_burn].some((topic) => topic === topicOf(log))) changed.add(log.address)
      }
    }
  })
  return trades.filter(({ logs }) => logs.every(({ address }) => !changed.has(address)))
}

function hasOpposite(logs: readonly RecordedLog[]): boolean {
  const swaps = logs.filter((log) => topicOf(log) === v2_swap || topicOf(log) === v3_swap)
  return (
    swaps.length > 0 &&
    logs.every((log) => KINDS.includes(topicOf(log)) && log.topics[1] !== ZERO_TOPIC && log.topics[2] !== ZERO_TOPIC)
  )
}

/** The logs that take the trade back. */
export function invert({ transaction, logs, before }: RecordedTrade): RecordedLog[] {
  const of = (...topics: string[]) => logs.filter((log) => topics.includes(topicOf(log)))
  const unwraps = of(deposit).map((log) => withTopic(log, withdrawal))
  const trader = `0x${transaction.from.slice(2).padStart(64, '0')}`
  return [
    ...of(withdrawal).map((log) => withTopic(log, deposit)),
    ...of(transfer)
      .reverse()
      .map((log) => ({ ...log, topics: [transfer, log.topics[2] ?? '', log.topics[1] ?? ''] })),
    ...of(v2_sync, v2_swap, v3_swap)
      .reverse()
      .sort((a, b) => Number(isSync(b)) - Number(isSync(a)))
      .map((log) => takeBack(log, before, unwraps.length > 0 ? (log.topics[1] ?? '') : trader)),
    ...unwraps,
  ]
}

const isSync = (log: RecordedLog): boolean => topicOf(log) === v2_sync
const withTopic = (log: RecordedLog, topic: string): RecordedLog => ({
  ...log,
  topics: [topic, ...log.topics.slice(1)],
})

function takeBack(log: RecordedLog, before: Map<string, string>, recipient: string): RecordedLog {
  const earlier = before.get(log.address)
  if (isSync(log)) return { ...log, data: earlier ?? log.data }
  const topics = [topicOf(log), log.topics[1] ?? '', recipient]
  if (topicOf(log) === v2_swap) {
    const [in0 = '', in1 = '', out0 = '', out1 = ''] = wordsOf(log)
    return { ...log, topics, data: `0x${out0}${out1}${in0}${in1}` }
  }
  const [amount0 = '', amount1 = '', , liquidity = ''] = wordsOf(log)
  const words = earlier?.slice(2).match(/.{64}/g) ?? []
  // An initialisation says price and tick, a swap both amounts, price, liquidity and tick.
  const [price = '', tick = ''] = words.length === 2 ? words : [words[2], words[4]]
  return { ...log, topics, data: `0x${negate(amount0)}${negate(amount1)}${price}${liquidity}${tick}` }
}

const negate = (word: string): string =>
  BigInt.asUintN(256, -BigInt.asIntN(256, BigInt(`0x${word}`)))
    .toString(16)
    .padStart(64, '0')
