// The blocks after the recording, in rounds. The trades of its last tenth play backwards and forwards in turn, between
// the stories of new tokens. A block depends only on its number, except for its time.
import { itemAt } from '../../base/item-at.ts'
import { createBloom } from '../logs/bloom.ts'
import { digest, invert, listTrades, type RecordedTrade } from './invert.ts'
import type { RecordedBlock, RecordedContract, RecordedLog, RecordedTransaction, Recording } from './recording.ts'
import { createState, type ReplayState } from './state.ts'
import { inRound, readStories, renew, renewContract, roundOf, type Story, type StoryPlan } from './story.ts'

/** Blocks of a round: half an hour of five seconds each. */
const ROUND = 360

/** Blocks of a round, from 0, that a reorganisation replaces once. */
const REPLACED = [44, 226]

const PLANS: readonly StoryPlan[] = [
  { symbol: 'LURE', token: '0x09654ef6aeb0b9215a1091712416294a7704e07f', from: 6, to: 150 },
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

type Groups = ReturnType<typeof groupByBlock>

/** The groups of trades that are complete by the end of a block of a round. */
const doneBy = (groups: Groups, at: number) => Math.floor(((at + 1) * groups.length) / ROUND)

/** The trades of a block of a round: backwards in every second one. */
function playTrades(groups: Groups, round: number, at: number): Action[] {
  const [from, to] = [at === 0 ? 0 : doneBy(groups, at - 1), doneBy(groups, at)]
  const isBack = round % 2 === 0
  const wanted = isBack ? groups.slice(groups.length - to, groups.length - from).reverse() : groups.slice(from, to)
  return wanted.flatMap((trades) => (isBack ? [...trades].reverse() : trades).map((trade) => replay(trade, isBack)))
}

/** What the stories do in a block of a round. */
const playStories = (stories: readonly Story[], round: number, at: number): Action[] =>
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

/** `tip` is part of all hashes, so that another recording gives other blocks. */
function makeBlock(tip: string | undefined, number: number, actions: readonly Action[], version = 0): UntimedBlock {
  const logs = actions.flatMap((action, at) => action.logs.map((log) => ({ ...log, at })))
  return {
    hash: `0x${digest(`${tip} block ${number} ${version}`)}`,
    /** Computed when it is read: the state of a round needs only the logs. */
    get bloom() {
      return createBloom(logs.flatMap(({ address, topics }) => [address, ...topics] as `0x${string}`[]))
    },
    transactions: actions.map(({ transaction }, at) => ({
      ...transaction,
      hash: `0x${digest(`${tip} transaction ${number} ${at}`)}`,
    })),
    logs,
  }
}

/** What the blocks soon after this place will bring. */
function announce(
  stories: readonly Story[],
  { round, at }: { round: number; at: number },
  blockSeconds: number,
): string[] {
  const soon = (block: number) => block - AHEAD === at
  const when = `in about ${Math.round((AHEAD * blockSeconds) / 60)} minutes`
  return [
    ...stories.flatMap(({ plan, pulled, closed }) => [
      ...(soon(plan.from) ? [`${plan.symbol}${round + 2} will be launched ${when}`] : []),
      ...(closed !== null && soon(closed)
        ? [`${plan.symbol}${round + 2}'s owner will stop the sales of its holders ${when}`]
        : []),
      ...(pulled !== null && soon(pulled) ? [`${plan.symbol}${round + 2}'s liquidity will leave ${when}`] : []),
    ]),
    ...REPLACED.filter(soon).map(() => `a reorganisation will replace the newest block ${when}`),
  ]
}

/** The contract of a story in a round that begins at a block. */
function playContract(
  contract: RecordedContract,
  story: Story,
  from: { address: string; round: number },
  start: number,
) {
  const made = renewContract(contract, story.own, from.round, story.plan.token.slice(2) === from.address)
  const { rule } = made
  return {
    ...made,
    born: start,
    ...(rule && story.closed !== null ? { rule: { ...rule, from: start + story.closed } } : {}),
  }
}

/**
 * The state outside the stories: the end of the recording, and the logs played since. A round back and a round
 * forward repeat forever, so their sums are counted once per pair.
 */
function createRepeated(recorded: ReplayState, first: number, blocksOf: (round: number) => UntimedBlock[]) {
  let repeated: ReplayState | undefined
  return (name: string, number: number): string | null => {
    repeated ??= createState({ blocks: [0, 1].flatMap(blocksOf) }, first)
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
}

/** A story's address and its round; null for every other address. */
function originOf(own: Iterable<string>, address: string): { address: string; round: number } | null {
  const round = roundOf(address)
  if (round < 0) return null
  for (const one of own) if (inRound(one, round) === address) return { address: one, round }
  return null
}

/** The rounds of a recording, whose own state is `recorded`. */
export function createRounds(recording: Recording, recorded = createState(recording)): Rounds {
  const { blocks, contracts } = recording
  const first = blocks.length
  const tip = blocks.at(-1)?.hash
  const trades = listTrades(blocks, Math.floor(first * 0.9))
  const groups = groupByBlock(trades.filter(({ logs }) => !logs.some(({ address }) => hasOwner(contracts[address]))))
  const stories = readStories(recording, PLANS)
  const own = new Set(stories.flatMap((story) => [...story.own]))
  const played = new Map<number, ReturnType<typeof playRound>>()
  const place = (number: number) => ({ round: Math.floor((number - first) / ROUND), at: (number - first) % ROUND })

  function playRound(round: number) {
    const numbers = Array.from({ length: ROUND }, (_, at) => first + round * ROUND + at)
    const ofStories = numbers.map((_, at) => playStories(stories, round, at))
    const whole = numbers.map((number, at) =>
      makeBlock(tip, number, [...playTrades(groups, round, at), ...(ofStories[at] ?? [])]),
    )
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

  const origin = (address: string) => originOf(own, address)
  const readRepeated = createRepeated(recorded, first, (round) => open(round).blocks)

  return {
    block(number, version = 0) {
      const { round, at } = place(number)
      const { blocks: made } = open(round)
      const block = itemAt(made, at)
      return version === 0 ? block : makeBlock(tip, number, [], 1)
    },
    isReplaced: (number) => number >= first && REPLACED.includes(place(number).at),
    announce: (number, blockSeconds) => announce(stories, place(number), blockSeconds),
    contract(address) {
      const from = origin(address.slice(2))
      if (!from) return contracts[address]
      const contract = contracts[`0x${from.address}`]
      const story = stories.find(({ own: addresses }) => addresses.has(from.address))
      if (!contract || !story) return undefined
      return playContract(contract, story, from, first + from.round * ROUND)
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

/** Its contract may have been changed since, so the trade's opposite could fail. */
const hasOwner = (contract: RecordedContract | undefined): boolean =>
  contract?.answers[OWNER]?.length === ADDRESS_ANSWER

/** A word in hex. */
const ADDRESS_ANSWER = 66
/** owner() */
const OWNER = '0x8da5cb5b'

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
