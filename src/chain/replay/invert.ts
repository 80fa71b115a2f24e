// The opposite of a recorded trade: the buyer sells the same amount for the same money. Each pool then returns to its
// state before the trade. A range of trades can thus play backwards and forwards forever without a jump of any price or
// balance.
import { createHash } from 'node:crypto'
import { TOPICS } from '../logs/events.ts'
import type { RecordedBlock, RecordedLog, RecordedTransaction } from './recording.ts'

export interface RecordedTrade {
  /** The number of its recorded block. */
  number: number
  transaction: RecordedTransaction
  logs: RecordedLog[]
  /** The state of its pools before the trade: the data of their last log with reserves or a price. */
  before: Map<string, string>
}

const { transfer, deposit, withdrawal, v2_sync, v2_swap, v3_swap, v3_initialize, v2_mint, v2_burn } = TOPICS
const { v4_swap, v4_initialize, v4_modify } = TOPICS
const SWAPS: readonly string[] = [v2_swap, v3_swap, v4_swap]
const KINDS: readonly string[] = [transfer, deposit, withdrawal, v2_sync, ...SWAPS]
const STATES: readonly string[] = [v2_sync, v3_swap, v3_initialize, v4_swap, v4_initialize]
const CHANGES: readonly string[] = [v2_mint, v2_burn, v4_modify]
const ZERO_TOPIC = `0x${'0'.repeat(64)}`

const topicOf = ({ topics }: RecordedLog): string => topics[0] ?? ''
/** The key of a pool: its address, or its 32 bytes at its manager. */
const poolOf = (log: RecordedLog): string =>
  [v4_swap, v4_initialize, v4_modify].some((topic) => topic === topicOf(log)) ? (log.topics[1] ?? '') : log.address
const wordsOf = ({ data }: RecordedLog): string[] => data.slice(2).match(/.{64}/g) ?? []
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The trades from a block on that have an opposite, oldest first. */
export function listTrades(blocks: readonly RecordedBlock[], from: number): RecordedTrade[] {
  const states = new Map<string, string>()
  const trades: RecordedTrade[] = []
  /** Pools whose liquidity changed, or that have a trade without an opposite: opposites would not restore them. */
  const changed = new Set<string>()
  blocks.forEach((block, number) => {
    for (const [at, transaction] of block.transactions.entries()) {
      const logs = block.logs.filter((log) => log.at === at)
      const isOpposed = hasOpposite(logs)
      if (number >= from && isOpposed) trades.push({ number, transaction, logs, before: new Map(states) })
      for (const log of logs) {
        const topic = topicOf(log)
        if (STATES.includes(topic)) states.set(poolOf(log), log.data)
        if (number >= from && (CHANGES.includes(topic) || (SWAPS.includes(topic) && !isOpposed)))
          changed.add(poolOf(log))
      }
    }
  })
  return trades.filter(({ logs }) => logs.every((log) => !changed.has(poolOf(log))))
}

function hasOpposite(logs: readonly RecordedLog[]): boolean {
  const swaps = logs.filter((log) => SWAPS.includes(topicOf(log)))
  return (
    swaps.length > 0 &&
    logs.every((log) => KINDS.includes(topicOf(log)) && log.topics[1] !== ZERO_TOPIC && log.topics[2] !== ZERO_TOPIC)
  )
}

/** The logs of the opposite trade. */
export function invert({ transaction, logs, before }: RecordedTrade): RecordedLog[] {
  const of = (...topics: string[]) => logs.filter((log) => topics.includes(topicOf(log)))
  const unwraps = of(deposit).map((log) => withTopic(log, withdrawal))
  const trader = `0x${transaction.from.slice(2).padStart(64, '0')}`
  return [
    ...of(withdrawal).map((log) => withTopic(log, deposit)),
    ...of(transfer)
      .reverse()
      .map((log) => ({ ...log, topics: [transfer, log.topics[2] ?? '', log.topics[1] ?? ''] })),
    ...of(v2_sync, ...SWAPS)
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
  const earlier = before.get(poolOf(log))
  if (isSync(log)) return { ...log, data: earlier ?? log.data }
  if (topicOf(log) === v4_swap) return takeBackManaged(log, earlier)
  const topics = [topicOf(log), log.topics[1] ?? '', recipient]
  if (topicOf(log) === v2_swap) {
    const [in0 = '', in1 = '', out0 = '', out1 = ''] = wordsOf(log)
    return { ...log, topics, data: `0x${out0}${out1}${in0}${in1}` }
  }
  const [amount0 = '', amount1 = '', , liquidity = ''] = wordsOf(log)
  const words = earlier?.slice(2).match(/.{64}/g) ?? []
  // An initialisation logs price and tick; a swap both amounts, price, liquidity and tick.
  const [price = '', tick = ''] = words.length === 2 ? words : [words[2], words[4]]
  return { ...log, topics, data: `0x${negate(amount0)}${negate(amount1)}${price}${liquidity}${tick}` }
}

/**
 * The manager's swap logs the swapper's side. The pool kept the payment less the fee, so it returns that amount. An
 * initialisation logs fee, spacing, hook, price and tick; a swap both amounts, price, liquidity, tick and fee.
 */
function takeBackManaged(log: RecordedLog, earlier = ''): RecordedLog {
  const [amount0 = '', amount1 = '', , liquidity = '', , fee = ''] = wordsOf(log)
  const words = earlier.slice(2).match(/.{64}/g) ?? []
  const [price = '', tick = ''] = words.length === 5 ? words.slice(3) : [words[2], words[4]]
  const back = (amount: string) => negate(withoutFee(amount, fee))
  return { ...log, data: `0x${back(amount0)}${back(amount1)}${price}${liquidity}${tick}${ZERO_TOPIC.slice(2)}` }
}

/** The paid amount less the fee in hundredths of a basis point, rounded up; the received amount unchanged. */
function withoutFee(word: string, fee: string): string {
  const amount = BigInt.asIntN(256, BigInt(`0x${word}`))
  if (amount >= 0n) return word
  const kept = -amount - (-amount * BigInt(`0x${fee}`) + 999_999n) / 1_000_000n
  return BigInt.asUintN(256, -kept).toString(16).padStart(64, '0')
}

const negate = (word: string): string =>
  BigInt.asUintN(256, -BigInt.asIntN(256, BigInt(`0x${word}`)))
    .toString(16)
    .padStart(64, '0')
