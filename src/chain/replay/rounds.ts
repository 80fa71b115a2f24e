// The blocks after the recording, in rounds. The trades of its last tenth play backwards and forwards in turn, between
// the stories of new tokens. A block depends only on its number, except for its time.
import { itemAt } from '../../base/item-at.ts'
import { createBloom } from '../logs/bloom.ts'
import { digest, invert, listTrades, type RecordedTrade } from './invert.ts'
import type { RecordedBlock, RecordedContract, RecordedLog, RecordedTransaction, Recording } from './recording.ts'
import { createState, type ReplayState } from './state.ts'
import { inRound, readStory, renew, renewContract, roundOf, type StoryPlan } from './story.ts'

/** Blocks of a round: half an hour of five seconds each. */
const ROUND = 360

/** Blocks of a round, from 0, that a reorganisation replaces once. */
const REPLACED = [44, 226]

const PLANS: readonly StoryPlan[] = [
  { symbol: 'RUGD', token: '0x28d800c0515b40916f195dc0edf4ec6b4fd1f7d6', from: 3, to: 76 },
  { symbol: 'OTTER', token: '0x9c616b018070b55cf94c0a0fa6203b6147727d3e', from: 10, to: 350 },
  { symbol: 'SPIN', token: '0x25f2b8b8213a84f23a909dc9bbddb17f785cb116', from: 26, to: 210 },
  { symbol: 'HIVE', token: '0x5efa7fdd5051f802068d7b02452d29eced2e53d3', from: 95, to: 300 },
  { symbol: 'RUGA', token: '0x7dc1298ec1d27c982be20f72bac4bb9df33561db', from: 190, to: 290 },
]

/** How many blocks ahead an event is announced. */
const AHEAD = 24
/** Rounds whose blocks are kept in memory. */
const KEPT = 3

type UntimedBlock = Omit<RecordedBlock, 'time'>

export interface Rounds {
  /** The block of a number after the recording; `version` 1 is the one that a reorganisation replaces. */
  block(number: number, version?: 0 | 1): UntimedBlock
  /** Whether the block is first shown in another version. */
  isReplaced(number: number): boolean
  /** The coming event of the block, in a sentence; `blockSeconds` is the time between two blocks. */
  announce(number: number, blockSeconds: number): string[]
  contract(address: string): RecordedContract | undefined
  state: ReplayState
}

interface Action {
  transaction: RecordedTransaction
  logs: RecordedLog[]
}

/** The rounds of a recording, whose own state is `recorded`. */
export function createRounds(recording: Recording, recorded = createState(recording)): Rounds {
  const { blocks, contracts } = recording
  const first = blocks.length
  /** Part of all hashes, so that another recording gives other blocks. */
  const tip = blocks.at(-1)?.hash
  const groups = groupByBlock(listTrades(blocks, Math.floor(first * 0.9)))
  const stories = PLANS.map((plan) => readStory(recording, plan))
  const own = new Set(stories.flatMap((story) => [...story.own]))
  let repeated: ReplayState | undefined
  const played = new Map<number, ReturnType<typeof playRound>>()
  const place = (number: number) => ({ round: Math.floor((number - first) / ROUND), at: (number - first) % ROUND })

  /** The groups of trades that are complete by the end of a block of a round. */
  const doneBy = (at: number) => Math.floor(((at + 1) * groups.length) / ROUND)

  function tradesOf(round: number, at: number): Action[] {
    const [from, to] = [at === 0 ? 0 : doneBy(at - 1), doneBy(at)]
    const isBack = round % 2 === 0
    const wanted = isBack ? groups.slice(groups.length - to, groups.length - from).reverse() : groups.slice(from, to)
    return wanted.flatMap((trades) => (isBack ? [...trades].reverse() : trades).map((trade) => replay(trade, isBack)))
  }

  const storiesOf = (round: number, at: number): Action[] =>
    stories.flatMap((story) =>
      story.events
        .filter(({ block }) => block === at)
        .map(({ transaction, logs }) => ({
          transaction: {
            ...transaction,
            to: transaction.to && renew(transaction.to, story.own, round),
            input: renew(transaction.input, story.own, round),
          },
          logs: logs.map(({ address, topics, data, at }) => ({
            address: renew(address, story.own, round),
            topics: topics.map((topic) => renew(topic, story.own, round)),
            data: renew(data, story.own, round),
            at,
          })),
        })),
    )

  function makeBlock(number: number, actions: readonly Action[], version: number): UntimedBlock {
    const logs = actions.flatMap((action, at) => action.logs.map((log) => ({ ...log, at })))
    const values = logs.flatMap(({ address, topics }) => [address, ...topics]) as `0x${string}`[]
    return {
      hash: `0x${digest(`${tip} block ${number} ${version}`)}`,
      bloom: createBloom(values),
      transactions: actions.map(({ transaction }, at) => ({
        ...transaction,
        hash: `0x${digest(`${tip} transaction ${number} ${at}`)}`,
      })),
      logs,
    }
  }

  function playRound(round: number) {
    const numbers = Array.from({ length: ROUND }, (_, at) => first + round * ROUND + at)
    const ofStories = numbers.map((_, at) => storiesOf(round, at))
    const whole = numbers.map((number, at) => makeBlock(number, [...tradesOf(round, at), ...(ofStories[at] ?? [])], 0))
    const alone = ofStories.map((actions) => ({ logs: actions.flatMap(({ logs }) => logs) }))
    return { blocks: whole, state: createState({ blocks: alone }, first + round * ROUND) }
  }

  function open(round: number) {
    const known = played.get(round)
    if (known) return known
    const made = playRound(round)
    played.set(round, made)
    for (const old of played.keys()) if (played.size > KEPT) played.delete(old)
    return made
  }

  /** A story's address and its round; null for every other address. */
  function origin(address: string): { address: string; round: number } | null {
    const round = roundOf(address)
    if (round < 0) return null
    for (const one of own) if (inRound(one, round) === address) return { address: one, round }
    return null
  }

  /**
   * The state outside the stories: the end of the recording, and the logs played since. A round back and a round
   * forward repeat forever, so their sums are counted once per pair.
   */
  function readRepeated(name: string, number: number): string | null {
    repeated ??= createState({ blocks: [0, 1].flatMap((round) => open(round).blocks) }, first)
    const end = first + 2 * ROUND - 1
    const pairs = Math.floor((number - first) / (2 * ROUND))
    const value = repeated.read(name, number - pairs * 2 * ROUND)
    if (!/ (balance|supply)/.test(name))
      return value ?? (pairs > 0 ? repeated.read(name, end) : null) ?? recorded.read(name, first - 1)
    const pair = repeated.read(name, end)
    if (pair === null) return recorded.read(name, first - 1)
    const sum = signed(recorded.read(name, first - 1)) + BigInt(pairs) * signed(pair) + signed(value)
    return sum.toString(16).padStart(64, '0')
  }

  return {
    block(number, version = 0) {
      const { round, at } = place(number)
      const { blocks: made } = open(round)
      const block = itemAt(made, at)
      return version === 0 ? block : makeBlock(number, [], 1)
    },
    isReplaced: (number) => number >= first && REPLACED.includes(place(number).at),
    announce(number, blockSeconds) {
      const { round, at } = place(number)
      const soon = (block: number) => block - AHEAD === at
      const when = `in about ${Math.round((AHEAD * blockSeconds) / 60)} minutes`
      return [
        ...stories.flatMap(({ plan, pulled }) => [
          ...(soon(plan.from) ? [`${plan.symbol}${round + 2} will be launched ${when}`] : []),
          ...(pulled !== null && soon(pulled) ? [`${plan.symbol}${round + 2}'s liquidity will leave ${when}`] : []),
        ]),
        ...REPLACED.filter(soon).map(() => `a reorganisation will replace the newest block ${when}`),
      ]
    },
    contract(address) {
      const from = origin(address.slice(2))
      if (!from) return contracts[address]
      const contract = contracts[`0x${from.address}`]
      const story = stories.find(({ own: addresses }) => addresses.has(from.address))
      if (!contract || !story) return undefined
      const made = renewContract(contract, story.own, from.round, story.plan.token.slice(2) === from.address)
      return { ...made, born: first + from.round * ROUND }
    },
    state: {
      read(name, number) {
        if (number < first) return recorded.read(name, number)
        const from = (name.match(/[0-9a-f]{40}/g) ?? []).map(origin).find((found) => found !== null)
        if (from) return open(from.round).state.read(name, number)
        return readRepeated(name, number)
      },
    },
  }
}

const signed = (word: string | null): bigint => (word === null ? 0n : BigInt.asIntN(256, BigInt(`0x${word}`)))

const replay = (trade: RecordedTrade, isBack: boolean): Action => ({
  transaction: trade.transaction,
  logs: isBack ? invert(trade) : trade.logs,
})

function groupByBlock(trades: readonly RecordedTrade[]): RecordedTrade[][] {
  const groups = new Map<number, RecordedTrade[]>()
  for (const trade of trades) groups.set(trade.number, [...(groups.get(trade.number) ?? []), trade])
  return [...groups.values()]
}
