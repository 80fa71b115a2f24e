// Filtered, sorted lists of tokens as they change: one evaluation per block for all readers of equal lists. A reader
// has a list, and each message leads from it to the newest one, so a slow reader skips blocks and loses nothing.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { keysOf } from '../base/keys-of.ts'
import type { Board } from '../board/board.ts'
import type { BoardFeed } from '../board/feed.ts'
import { SORT_ORDERS, type TokenScreen } from '../fields/screen.ts'
import type { Outage } from '../telemetry/outage.ts'
import { createSharedLog, type SharedLog } from './log.ts'
import { lookAtEachMove } from './look.ts'

/** Screens that are made without a pause for others. */
const AT_ONCE = 10

export const SCREEN_SORTS = keysOf(SORT_ORDERS)

export interface ScreenQuestion {
  screen: TokenScreen
  sort: keyof typeof SORT_ORDERS
  /** The first so many tokens of the list. */
  limit: number
}

interface Block {
  number: number
  hash: string
}

/** A token in its place, from 1. */
export interface PlacedToken {
  place: number
  isNew: boolean
  address: string
}

/**
 * What became of a list. Take away the tokens of `left` and `placed`, then put those of `placed` in their places, the
 * lowest first.
 */
export interface ScreenUpdate {
  block: Block
  /** The reader's place after this message. */
  cursor: string
  /** Whether the reader must begin with an empty list. */
  reset: boolean
  /** Whether a block was rolled back since the message before. */
  retracted: boolean
  left: readonly string[]
  placed: readonly PlacedToken[]
}

/** An update, and whether several readers follow the list. */
export interface ToldUpdate {
  update: ScreenUpdate
  isShared: boolean
}

/** The list of a screen from a block on. */
interface Version {
  block: Block
  list: readonly string[]
  /** How many reorganisations came before; null: unknown, and other than any. */
  forks: number | null
}

interface Screen {
  question: ScreenQuestion
  readers: number
  now: Version
  /** Only the newest entry counts: it wakes the readers. */
  log: SharedLog<true>
}

/** A place as text: block, the begin of its hash, and a digest of the list. */
const formatPlace = ({ block, list }: Version): string => `${block.number}.${block.hash.slice(2, 10)}.${digestOf(list)}`

const digestOf = (list: readonly string[]): string =>
  createHash('sha256').update(list.join()).digest('hex').slice(0, 16)

const PLACE = /^(0|[1-9][0-9]{0,9})\.([0-9a-f]{8})\.([0-9a-f]{16})$/

/** Whether the text may be the cursor of a screen. */
export const isScreenPlace = (text: string): boolean => PLACE.test(text)

/** The longest rising part of distinct numbers. */
function longestRising(numbers: readonly number[]): Set<number> {
  /** For each length the index of the smallest last number of a rising part. */
  const ends: number[] = []
  const before: number[] = []
  const at = (index: number | undefined) => numbers[index ?? -1] ?? Number.POSITIVE_INFINITY
  for (const [index, number] of numbers.entries()) {
    const found = ends.findIndex((end) => at(end) > number)
    const length = found < 0 ? ends.length : found
    before[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const rising = new Set<number>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) rising.add(at(index))
  return rising
}

/** The fewest steps from the one list to the other. */
export function stepsBetween(had: readonly string[], now: readonly string[]): Pick<ScreenUpdate, 'left' | 'placed'> {
  const was = new Map(had.map((address, place) => [address, place]))
  const is = new Set(now)
  const stay = longestRising(now.flatMap((address) => was.get(address) ?? []))
  return {
    left: had.filter((address) => !is.has(address)),
    placed: now.flatMap((address, index) =>
      stay.has(was.get(address) ?? -1) ? [] : [{ place: index + 1, isNew: !was.has(address), address }],
    ),
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((address, at) => address === b[at])

const NOTHING: Version = { block: { number: 0, hash: '' }, list: [], forks: null }

/** Messages by the versions between which they lead. Readers at the same place share one, which nobody else keeps. */
const known = new WeakMap<Version, WeakMap<Version, WeakRef<ScreenUpdate>>>()

function updateOf(had: Version, now: Version): ScreenUpdate {
  const made = known.get(now) ?? new WeakMap<Version, WeakRef<ScreenUpdate>>()
  known.set(now, made)
  const update = made.get(had)?.deref() ?? {
    block: now.block,
    cursor: formatPlace(now),
    reset: had === NOTHING,
    retracted: had !== NOTHING && had.forks !== now.forks,
    ...stepsBetween(had.list, now.list),
  }
  made.set(had, new WeakRef(update))
  return update
}

export interface Screens {
  /** The list from a place on, or all of it. Throws SERVICE_UNAVAILABLE while the tokens are loaded. */
  open(question: ScreenQuestion, after: string | null, signal: AbortSignal): AsyncGenerator<ToldUpdate, void, void>
  /** Lists that are made at each block. */
  count(): number
  stop(): void
}

const readList = (board: Board, { screen, sort, limit }: ScreenQuestion, at?: Parameters<Board['listAt']>[0]) => {
  const question = { screen, order: SORT_ORDERS[sort], offset: 0, limit }
  return (at ? board.listAt(at, question) : board.list(question)).ids.map(board.addressOf)
}

/** The version that a reader has, if the board still knows it; otherwise nothing. */
function versionAt(board: Board, { question, now }: Screen, after: string | null): Version {
  const [, number, hash = '', digest] = PLACE.exec(after ?? '') ?? []
  if (digest === undefined) return NOTHING
  const isOnChain = (block: Block) => block.number === Number(number) && block.hash.slice(2, 10) === hash
  const then = board.past().find((block) => block.number === Number(number))
  const [forks, block] = [then && isOnChain(then) ? now.forks : null, now.block]
  if (digestOf(now.list) === digest) return isOnChain(block) || forks !== null ? now : { ...now, forks }
  if (!then) return NOTHING
  const list = readList(board, question, then)
  return digestOf(list) === digest ? { block, list, forks } : NOTHING
}

/** What leads a reader from a version to each later one. */
async function* follow(screen: Screen, begun: Version, signal: AbortSignal) {
  let had = begun
  while (!signal.aborted) {
    const next = screen.log.next()
    const { now } = screen
    if (now !== NOTHING && (had === NOTHING || !isSame(had.list, now.list))) {
      yield { update: updateOf(had, now), isShared: screen.readers > 1 }
      had = now
    }
    await screen.log.until(next, signal)
  }
}

/** Makes the lists that have readers whenever the board moves. */
export function createScreens(board: Pick<BoardFeed, 'newest' | 'onMove' | 'isLoaded'>, outage: Outage): Screens {
  const screens = new Map<string, Screen>()
  let forks = 0
  let last: Block | null = null

  /** Counts a reorganisation if the last block is gone. */
  const look = (at: Board): Block | null => {
    const block = at.block()
    const { hash } = last ?? {}
    if (hash !== undefined && block?.hash !== hash && !at.past().some((past) => past.hash === hash)) forks += 1
    last = block
    return block
  }
  const renew = (screen: Screen, at: Board): void => {
    const block = look(at)
    if (!block) return
    const list = readList(at, screen.question)
    const { now } = screen
    const isKept = isSame(list, now.list)
    if (isKept && now.forks === forks) {
      now.block = block
      return
    }
    screen.now = { block, list: isKept ? now.list : list, forks }
    if (!isKept) screen.log.push(true)
  }
  const renewAll = async () => {
    for (const [at, screen] of [...screens.values()].entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
      // The next move comes when the tokens are loaded.
      if (!board.isLoaded()) return
      renew(screen, board.newest())
    }
  }
  const looks = lookAtEachMove({ onChange: board.onMove }, renewAll, outage)

  const enter = (question: ScreenQuestion, signal: AbortSignal): Screen => {
    const key = JSON.stringify(question)
    const screen = screens.get(key) ?? { question, readers: 0, now: NOTHING, log: createSharedLog<true>(1, () => 1) }
    renew(screen, board.newest())
    screens.set(key, screen)
    screen.readers += 1
    const leave = () => {
      screen.readers -= 1
      if (screen.readers === 0) screens.delete(key)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return screen
  }
  return {
    open: (question, after, signal) => {
      const screen = enter(question, signal)
      return follow(screen, versionAt(board.newest(), screen, after), signal)
    },
    count: () => screens.size,
    stop: looks.stop,
  }
}
