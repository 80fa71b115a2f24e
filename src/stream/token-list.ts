// Which tokens begin to match a filter, cease to, or match it and changed. Each token that the board reports is matched
// against every filter before and after its change, by the rule of alerts.

import type { BoardChange } from '../board/changes.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { TokenScreen } from '../fields/screen.ts'
import { factOf, toTest } from '../fields/to-test.ts'
import { createCapBounds } from './cap-bounds.ts'
import { createSharedLog } from './log.ts'
import { StreamEnd } from './message.ts'

/** Changes in memory at most. */
const LOG_CHANGES = 20_000

export const LIST_CHANGES = ['enters', 'leaves', 'changes'] as const
export type ListChange = (typeof LIST_CHANGES)[number]

/** What became of a token in a list. */
export interface ListStep {
  address: string
  change: ListChange
}

/** What became of the list of a filter; readers with the same filter share it. */
function createSteps() {
  const known = new WeakMap<readonly BoardChange[], Map<string, ListStep[]>>()
  const stepsOf = (screen: TokenScreen, changes: readonly BoardChange[]): ListStep[] => {
    const passes = toTest(screen, factOf)
    return changes.flatMap(({ address, before, after }) => {
      const was = before !== null && passes(before)
      const is = after !== null && passes(after)
      if (!was && !is) return []
      return [{ address, change: was && is ? 'changes' : is ? 'enters' : 'leaves' } satisfies ListStep]
    })
  }
  return (screen: TokenScreen, key: string, changes: readonly BoardChange[]): ListStep[] => {
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
}

/** Watches the tokens of the board while somebody follows. */
export function createTokenList(board: Pick<BoardFeed, 'follow'>): TokenList {
  const log = createSharedLog<readonly BoardChange[] | 'reload'>(LOG_CHANGES, (changes) => changes.length)
  const stepsOf = createSteps()
  const caps = createCapBounds()
  let readers = 0
  let leave = () => {}
  return {
    async *follow(screen, signal) {
      if (readers === 0)
        leave = board.follow({
          isPassed: (before, now) => !caps.isEmpty() && caps.areBetween(before, now),
          onChanges: log.push,
          onReload: () => log.push('reload'),
        })
      readers += 1
      caps.add(screen)
      const key = JSON.stringify(screen)
      try {
        for (let next = log.next(); ; next += 1) {
          await log.until(next, signal)
          if (signal.aborted) return
          const entry = log.entry(next)
          if (!entry) throw new StreamEnd('slow')
          if (entry === 'reload') throw new StreamEnd('reset')
          const steps = stepsOf(screen, key, entry)
          if (steps.length > 0) yield steps
        }
      } finally {
        readers -= 1
        caps.remove(screen)
        if (readers === 0) {
          leave()
          log.clear()
        }
      }
    },
  }
}
