// Which tokens begin to match a filter, cease to, or match it and changed. When the chain moves the ledger is asked once for the
// tokens that changed, and each is held against every filter as it was and as it is: the rule of alerts.
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

/** Changes in memory at most. */
const LOG_CHANGES = 20_000
/** Tokens whose last change is remembered, for a reorganisation that takes it back. */
const REMEMBERED = 50_000

export const LIST_CHANGES = ['enters', 'leaves', 'changes'] as const
export type ListChange = (typeof LIST_CHANGES)[number]

/** What became of a token in a list. */
export interface ListStep {
  address: string
  change: ListChange
}

/** A token that changed, as it was and as it is; null: it was not there. */
interface Change {
  address: string
  before: ScreenFacts | null
  after: ScreenFacts | null
}

/** What of a block the facts of a token depend on. */
interface Moment {
  timeMs: number
  usd: UsdByUnit
}

const toFacts = (label: TokenLabel, stored: StoredFacts | null, { timeMs, usd }: Moment): ScreenFacts | null =>
  stored && { ...label, ...stored, marketCapUsd: presentCap(stored, usd), nowMs: timeMs }

/** What became of the list of a filter; readers with the same filter share it. */
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
  /** What happens to the list of the filter from now on; ends with the signal, and throws a `StreamEnd` for a slow reader. */
  follow(screen: TokenScreen, signal: AbortSignal): AsyncGenerator<ListStep[], void, void>
  stop(): void
}

/** Watches the tokens of a ledger while somebody follows. */
export function createTokenList(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  head: HeadWatch,
  outage: Outage,
): TokenList {
  const log = createSharedLog<readonly Change[]>(LOG_CHANGES, (changes) => changes.length)
  const stepsOf = createSteps()
  const columns = createFactColumns()
  /** The block that each of the newest changes was seen at, and what their tokens are called, oldest first. */
  const remembered = new Map<number, { block: number; label: TokenLabel }>()
  let forgottenUpTo = -1
  let readers = 0
  /** As of when the columns are; null: they are not read yet. */
  let seen: (Moment & { block: number; generation: number }) | null = null
  /** The bounds of market caps that readers filter by, ascending. */
  const caps = createCapBounds()

  const remember = (id: number, block: number, label: TokenLabel) => {
    remembered.delete(id)
    remembered.set(id, { block, label })
    const [oldest] = remembered.size > REMEMBERED ? remembered : []
    if (!oldest) return
    forgottenUpTo = Math.max(forgottenUpTo, oldest[1].block)
    remembered.delete(oldest[0])
  }
  /** Grows when what is known is given up, while it may still be being read. */
  let turn = 0
  const clear = () => {
    turn += 1
    log.clear()
    columns.clear()
    remembered.clear()
    forgottenUpTo = -1
    seen = null
  }

  /** Everything that changed since a block, or the tokens named; null: another reorganisation came in between. */
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
    // A unit moved, and with it the market cap of every token that is kept in it; few pass a bound by that.
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
    // If the chain was reorganised once more, this is repeated when it moves next.
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
