// Finds tokens that begin to match a filter, cease to match, or match and changed. When the chain moves, one query
// reads the changed tokens. Each filter is then applied to their old and new facts, as in alerts.
import { movedUnits, presentCap, toUsdByUnit, type UsdByUnit } from '../base/present.ts'
import type { TokenScreen } from '../base/screen.ts'
import { passes, type ScreenFacts } from '../base/screen-match.ts'
import type { Database } from '../database/client.ts'
import type { HeadWatch } from '../ledger/head.ts'
import { type FilteredToken, readChangedFacts } from '../ledger/read/token-facts.ts'
import type { Outage } from '../telemetry/outage.ts'
import { createCapBounds } from './cap-bounds.ts'
import { areEqual, createFactColumns, type StoredFacts, type TokenLabel, toStored } from './fact-columns.ts'
import { createSharedLog } from './log.ts'
import { lookAtEachMove } from './look.ts'
import { StreamEnd } from './message.ts'

/** The most changes in memory. */
const LOG_CHANGES = 20_000
/** Tokens whose last change is remembered, for a reorganisation that retracts it. */
const REMEMBERED = 50_000

export const LIST_CHANGES = ['enters', 'leaves', 'changes'] as const
export type ListChange = (typeof LIST_CHANGES)[number]

/** The change of a token in a list. */
export interface ListStep {
  address: string
  change: ListChange
}

/** A changed token, before and after; null: it did not exist. */
interface Change {
  address: string
  before: ScreenFacts | null
  after: ScreenFacts | null
}

/** The parts of a block on which a token's facts depend. */
interface Moment {
  timeMs: number
  usd: UsdByUnit
}

const toFacts = (label: TokenLabel, stored: StoredFacts | null, { timeMs, usd }: Moment): ScreenFacts | null =>
  stored && { ...label, ...stored, marketCapUsd: presentCap(stored, usd), nowMs: timeMs }

/** The changes of a filter's list; readers with the same filter share them. */
function createSteps() {
  const known = new WeakMap<readonly Change[], Map<string, ListStep[]>>()
  const stepsOf = (screen: TokenScreen, changes: readonly Change[]): ListStep[] =>
    changes.flatMap(({ address, before, after }) => {
      const was = before !== null && passes(screen, before)
      const is = after !== null && passes(screen, after)
      if (!was && !is) return []
      return [{ address, change: was && is ? 'changes' : is ? 'enters' : 'leaves' } satisfies ListStep]
    })
  return (screen: TokenScreen, key: string, changes: readonly Change[]): ListStep[] => {
    const byScreen = known.get(changes) ?? new Map<string, ListStep[]>()
    known.set(changes, byScreen)
    const steps = byScreen.get(key) ?? stepsOf(screen, changes)
    byScreen.set(key, steps)
    return steps
  }
}

export interface TokenList {
  /** The changes of the filter's list from now on. Ends with the signal, and throws a `StreamEnd` for a slow reader. */
  follow(screen: TokenScreen, signal: AbortSignal): AsyncGenerator<ListStep[], void, void>
  stop(): void
}

/** Watches the tokens of a ledger while there are readers. */
export function createTokenList(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  head: HeadWatch,
  outage: Outage,
): TokenList {
  const log = createSharedLog<readonly Change[]>(LOG_CHANGES, (changes) => changes.length)
  const stepsOf = createSteps()
  const columns = createFactColumns()
  /** The block of each of the newest changes, and the names of their tokens, oldest first. */
  const remembered = new Map<number, { block: number; label: TokenLabel }>()
  let forgottenUpTo = -1
  let readers = 0
  /** The block of the columns; null: they are not read yet. */
  let seen: (Moment & { block: number; generation: number }) | null = null
  /** The bounds of market caps in the readers' filters, ascending. */
  const caps = createCapBounds()

  const remember = (id: number, block: number, label: TokenLabel) => {
    remembered.delete(id)
    remembered.set(id, { block, label })
    const [oldest] = remembered.size > REMEMBERED ? remembered : []
    if (!oldest) return
    forgottenUpTo = Math.max(forgottenUpTo, oldest[1].block)
    remembered.delete(oldest[0])
  }
  /** Grows when the columns are discarded, perhaps while they are still being read. */
  let turn = 0
  const clear = () => {
    turn += 1
    log.clear()
    columns.clear()
    remembered.clear()
    forgottenUpTo = -1
    seen = null
  }

  /** The changes since a block, or of the named tokens; null: another reorganisation came in between. */
  const readAll = async (
    sinceBlock: number,
    ids: readonly number[],
    onChunk: (facts: readonly FilteredToken[]) => void,
  ) => {
    let generation: number | undefined
    for (let afterId = 0; ; ) {
      const { fork, facts, isAll } = await readChangedFacts(pool, { sinceBlock, ids, afterId })
      if (generation !== undefined && fork.generation !== generation) return null
      generation = fork.generation
      onChunk(facts)
      afterId = facts.at(-1)?.id ?? 0
      if (isAll) return fork
    }
  }

  const load = async () => {
    const { number: block, time, units } = head.current()
    const begun = turn
    columns.clear()
    const fork = await readAll(0, [], (facts) => {
      for (const row of facts) columns.set(row.id, toStored(row).facts)
    })
    if (fork && turn === begun)
      seen = { block, timeMs: time.getTime(), usd: toUsdByUnit(units), generation: fork.generation }
  }

  const compare = async (known: NonNullable<typeof seen>) => {
    const { number: block, time, units } = head.current()
    const now = { timeMs: time.getTime(), usd: toUsdByUnit(units) }
    const { fork } = await readChangedFacts(pool, { sinceBlock: 2 ** 31 - 1, ids: [], afterId: 0 })
    const begun = turn
    const isForked = fork.generation !== known.generation
    if (isForked && fork.forkBlock < 0) return clear()
    const isFar = isForked && fork.forkBlock < forgottenUpTo
    const since = isFar ? 0 : isForked ? Math.min(known.block, fork.forkBlock) : known.block
    const touched = isForked ? [...remembered].filter(([, at]) => at.block > fork.forkBlock) : []
    const missing = new Map(touched)
    // A unit's price moved, and with it the market cap of every token in that unit; few of them pass a bound.
    const moved = movedUnits(known.usd, now.usd)
    const passed = new Set(
      moved.size === 0 || caps.isEmpty()
        ? []
        : columns.findIn(moved, (cap) => caps.areBetween(presentCap(cap, known.usd), presentCap(cap, now.usd))),
    )
    const changes: Change[] = []
    const note = (id: number, label: TokenLabel, after: StoredFacts | null) => {
      const before = columns.get(id)
      if (areEqual(before, after) && !passed.has(id)) return
      changes.push({
        address: label.address,
        before: toFacts(label, before, known),
        after: toFacts(label, after, now),
      })
      columns.set(id, after)
      remember(id, block, label)
    }
    const read = await readAll(since, [...touched.map(([id]) => id), ...passed], (facts) => {
      for (const row of facts) {
        missing.delete(row.id)
        const { label, facts: stored } = toStored(row)
        note(row.id, label, stored)
      }
    })
    if (turn !== begun) return
    if (read) for (const [id, { label }] of missing) note(id, label, null)
    if (changes.length > 0) log.push(changes)
    // After another reorganisation, the next move of the chain repeats this.
    seen = { block, ...now, generation: read ? fork.generation : known.generation }
  }

  const look = lookAtEachMove(
    head,
    async () => {
      if (readers === 0) return
      if (seen) await compare(seen)
      else await load()
    },
    outage,
  )
  return {
    async *follow(screen, signal) {
      readers += 1
      caps.add(screen)
      const key = JSON.stringify(screen)
      try {
        if (!seen) look.now()
        for (let next = log.next(); ; next += 1) {
          await log.until(next, signal)
          if (signal.aborted) return
          const entry = log.entry(next)
          if (!entry) throw new StreamEnd('slow')
          const steps = stepsOf(screen, key, entry)
          if (steps.length > 0) yield steps
        }
      } finally {
        readers -= 1
        caps.remove(screen)
        if (readers === 0) clear()
      }
    },
    stop: look.stop,
  }
}
