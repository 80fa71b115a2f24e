// The active alerts in memory, ranked for matching: a large layer that is ranked seldom and a small one for what came since.
// A slot is an alert at one revision; what was edited, paused or deleted is retired and dropped at the next ranking.
import type { TokenFilter } from '../base/filter.ts'
import { createMatcher, forEachDifference, type Matcher, type MatchFacts, wordsFor } from './match.ts'

export interface RosterAlert {
  id: string
  revision: number
  filter: TokenFilter
}

/** Alerts that came since the last ranking, at most; ranking 100,000 anew takes about 0.3 s, ranking 2,000 some 5 ms. */
const TAIL_SIZE = 2_000

interface Layer {
  alerts: RosterAlert[]
  matcher: Matcher
  before: Uint32Array
  now: Uint32Array
}

export interface Roster {
  readonly size: number
  /** Adds alerts, each in place of its earlier revision. */
  add(alerts: readonly RosterAlert[]): void
  /** Calls back for each alert that matches the token on one side only; `before` null: the token was not there. */
  compare(
    before: MatchFacts | null,
    now: MatchFacts | null,
    entered: (alert: RosterAlert) => void,
    left: (alert: RosterAlert) => void,
  ): void
}

export function createRoster(alerts: readonly RosterAlert[]): Roster {
  const current = new Map(alerts.map((alert) => [alert.id, alert]))
  // Slots of the layers that a later revision replaced.
  const retired = new Set<RosterAlert>()
  let base = rank([...current.values()])
  let tail = rank([])

  return {
    get size() {
      return current.size
    },
    add(added) {
      for (const alert of added) {
        const earlier = current.get(alert.id)
        if (earlier && earlier !== alert) retired.add(earlier)
        retired.delete(alert)
        current.set(alert.id, alert)
      }
      const recent = [...tail.alerts, ...added].filter((alert) => current.get(alert.id) === alert)
      if (recent.length <= TAIL_SIZE && retired.size <= TAIL_SIZE) {
        tail = rank(recent)
      } else {
        base = rank([...current.values()])
        tail = rank([])
        retired.clear()
      }
    },
    compare(before, now, entered, left) {
      for (const layer of [base, tail]) {
        if (layer.alerts.length === 0) continue
        const ifCurrent = (call: (alert: RosterAlert) => void) => (slot: number) => {
          const alert = layer.alerts[slot]
          if (alert && (retired.size === 0 || !retired.has(alert))) call(alert)
        }
        if (before) layer.matcher(before, layer.before)
        else layer.before.fill(0)
        if (now) layer.matcher(now, layer.now)
        else layer.now.fill(0)
        forEachDifference(layer.before, layer.now, ifCurrent(entered), ifCurrent(left))
      }
    },
  }
}

function rank(alerts: RosterAlert[]): Layer {
  const words = wordsFor(alerts.length)
  return {
    alerts,
    matcher: createMatcher(alerts.map((alert) => alert.filter)),
    before: new Uint32Array(words),
    now: new Uint32Array(words),
  }
}
