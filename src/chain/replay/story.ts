// Tokens of the recording whose life plays again as new tokens with new pools. Each round of the moving demo has its
// own launches, a pull, wash trades and a cluster. Input: the recording. Output: the transactions of each story, and
// their form and that of contract answers in a round.
import { TOPICS } from '../logs/events.ts'
import { digest } from './invert.ts'
import type { RecordedBlock, RecordedContract, RecordedLog, RecordedTransaction, Recording } from './recording.ts'

/** A token of the recording, and its place in a round. */
export interface StoryPlan {
  token: string
  symbol: string
  /** Blocks of the round, from 0. */
  from: number
  to: number
}

interface StoryEvent {
  transaction: RecordedTransaction
  logs: RecordedLog[]
  /** The block of the round. */
  block: number
}

export interface Story {
  plan: StoryPlan
  events: readonly StoryEvent[]
  /** Addresses without 0x that are new in each round: the token and its pools. */
  own: ReadonlySet<string>
  /** The block of the round in which its liquidity leaves; null if it stays. */
  pulled: number | null
  /** The block of the round in which its owner closes it; null if it stays open. */
  closed: number | null
}

/** Collects the transactions of each token in one pass and spreads them over its part of the round by their times. */
export function readStories({ blocks, contracts }: Recording, plans: readonly StoryPlan[]): Story[] {
  const readers = plans.map((plan) => createStoryReader(plan, contracts[plan.token]?.rule?.from))
  for (const [number, block] of blocks.entries()) for (const reader of readers) reader.add(number, block)
  return readers.map((reader) => reader.end())
}

function createStoryReader(plan: StoryPlan, closedFrom: number | undefined) {
  const own = new Set([plan.token.slice(2)])
  const found: { transaction: RecordedTransaction; logs: RecordedLog[]; time: number }[] = []
  let closedAt: number | null = null
  return {
    add(number: number, { time, transactions, logs: all }: RecordedBlock): void {
      if (number === closedFrom) closedAt = time
      for (const [at, transaction] of transactions.entries()) {
        const logs = all.filter((log) => log.at === at)
        if (!logs.some((log) => isAbout(log, own)) && !names(transaction, plan.token)) continue
        for (const { topics, data } of logs) if (topics[0] === TOPICS.pair_created) own.add(data.slice(26, 66))
        found.push({ transaction, logs, time })
      }
    },
    end(): Story {
      const start = found[0]?.time ?? 0
      const pull = found.findIndex(({ logs }) => logs.some(({ topics }) => topics[0] === TOPICS.v2_burn))
      // The story ends with the pull, else with the last trade.
      const end = pull === -1 ? (found.at(-1)?.time ?? 1) : (found[pull]?.time ?? 1)
      const placeOf = (time: number) =>
        plan.from + Math.round(((time - start) / Math.max(1, end - start)) * (plan.to - plan.from))
      const events = found
        .slice(0, pull === -1 ? found.length : pull + 1)
        .map(({ transaction, logs, time }) => ({ transaction, logs, block: placeOf(time) }))
      const closed = closedAt === null ? null : placeOf(closedAt)
      return { plan, events, own, pulled: pull === -1 ? null : plan.to, closed }
    },
  }
}

/** A transaction without logs: an owner's act, or a sale that failed. */
const names = ({ to, input }: RecordedTransaction, token: string): boolean =>
  to === token || input.includes(token.slice(2))

const isAbout = ({ address, topics, data }: RecordedLog, own: ReadonlySet<string>): boolean =>
  own.has(address.slice(2)) || topics.some((topic) => own.has(topic.slice(26))) || own.has(data.slice(26, 66))

/** Bits that make a round's number in an address look like the rest of it. */
const MASK = 0x5b_c3_97_4d

/**
 * The address in a round of an address without 0x. The first two bytes stay, so that two tokens of a pool keep their
 * order; the next four are the round.
 */
export const inRound = (address: string, round: number): string =>
  address.slice(0, 4) + (round ^ MASK).toString(16).padStart(8, '0') + digest(`${round} ${address}`).slice(0, 28)

/** The round in an address; any number for an address outside the stories. */
export const roundOf = (address: string): number => Number.parseInt(address.slice(4, 12), 16) ^ MASK

/** Replaces the story's own addresses in a text of hex words. */
export function renew(text: string, own: ReadonlySet<string>, round: number): string {
  let renewed = text
  for (const address of own) renewed = renewed.replaceAll(address, inRound(address, round))
  return renewed
}

/** The answers of a story's contract in a round: other addresses, and a name and symbol with the round's number. */
export function renewContract(
  contract: RecordedContract,
  own: ReadonlySet<string>,
  round: number,
  isToken: boolean,
): RecordedContract {
  const entries = Object.entries(contract.answers).map(([call, answer]) => {
    if (answer === null) return [call, null]
    if (isToken && (call === NAME || call === SYMBOL)) return [call, addNumber(answer, round + 2, call === NAME)]
    return [renew(call, own, round), renew(answer, own, round)]
  })
  return { ...contract, answers: Object.fromEntries(entries) }
}

const NAME = '0x06fdde03'
const SYMBOL = '0x95d89b41'

/** An ABI-encoded string followed by a number. */
function addNumber(answer: string, number: number, isName: boolean): string {
  const length = Number.parseInt(answer.slice(66, 130), 16)
  const text = Buffer.from(answer.slice(130, 130 + length * 2), 'hex').toString()
  const bytes = Buffer.from(isName ? `${text} ${number}` : `${text}${number}`)
  const word = (value: number) => value.toString(16).padStart(64, '0')
  return `0x${word(32)}${word(bytes.length)}${bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')}`
}
