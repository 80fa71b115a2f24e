// Selects a replica. Input: replicas, and each change of the newest block on the primary. Output: a replica that has
// the block and scores of this process; null while there is none. A replica that fails is skipped, and checked once a
// second.
import type { Clock } from '../../base/clock.ts'
import type { pg, ReadServer, Replica } from '../../database/client.ts'
import type { Log } from '../../telemetry/log.ts'
import { createOutage } from '../../telemetry/outage.ts'
import type { Head } from '../head.ts'
import { AT, blockTagOf } from './block-tag.ts'

/** The interval of checks of a replica that is behind, and of one that is away. */
const BEHIND_MS = 20
const ALIVE_MS = 1_000
/** How long a new block waits for the first replica; then the primary answers until one has it. */
const REACH_WITHIN_MS = 500

/** The position of the primary's log when the newest block was read, as a number. */
const WRITTEN = `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS place`
/** The replayed position of a replica; a replica that became the primary has all of the log. */
const REPLAYED = `SELECT ${AT}, CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END
  - '0/0'::pg_lsn AS place`

/** A position in the primary's log, and the newest block there. */
interface Goal {
  place: number
  tag: string | null
}

interface Follower extends Goal {
  replica: Replica
  /** It failed, and has not answered since. */
  isAway: boolean
}

export interface Replicas {
  /** The next replica that has the newest block of this process. */
  choose(): ReadServer | null
  /** A statement failed there: it is not chosen until it has answered again. */
  leave(source: ReadServer, error: unknown): void
  /**
   * Resolves when the first replica has the primary's current position, at the latest after half a second. After that
   * the new block is served.
   */
  reach(head: Head): Promise<void>
  /** How many may answer now, are behind, and are away. */
  count(): { ready: number; behind: number; away: number }
  stop(): Promise<void>
}

/** Follows the replicas until `stop`. `primary` must not go through a pooler that is a replica itself. */
export function createReplicas(deps: {
  primary: pg.Pool
  replicas: readonly Replica[]
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}): Replicas {
  const { primary, replicas, clock, log } = deps
  const nowhere: Goal = { place: Number.POSITIVE_INFINITY, tag: null }
  const followers = replicas.map((replica): Follower => ({ replica, place: -1, tag: null, isAway: false }))
  const waiting = new Set<() => void>()
  let served = nowhere
  let next = nowhere
  let turn = 0
  let isStopped = false
  let wake = new AbortController()
  const wakeAll = () => {
    wake.abort()
    wake = new AbortController()
  }

  const has = ({ isAway, place, tag }: Follower, goal: Goal) => !isAway && place >= goal.place && tag === goal.tag
  const follow = async (follower: Follower, number: number): Promise<void> => {
    const { replica } = follower
    const outage = createOutage(
      (error) =>
        log.warn({ err: error, replica: number }, 'a replica does not answer: others, or the primary, are asked'),
      () => log.info({ replica: number }, 'a replica answers again'),
    )
    while (!isStopped) {
      try {
        const { rows } = await replica.probe.query<{ at: string | null; place: string }>(REPLAYED)
        follower.place = Number(rows[0]?.place ?? -1)
        follower.tag = rows[0]?.at ?? null
        follower.isAway = false
        outage.pass()
      } catch (error) {
        follower.isAway = true
        if (!isStopped) outage.fail(error)
      }
      for (const look of waiting) look()
      const isDue = !follower.isAway && next !== nowhere && !has(follower, next)
      if (!isStopped) await clock.sleep(isDue ? BEHIND_MS : ALIVE_MS, wake.signal)
    }
  }
  const done = followers.map((follower, at) => follow(follower, at + 1))

  const reach = async (head: Head): Promise<void> => {
    const { rows } = await primary.query<{ place: string }>({ name: 'written', text: WRITTEN })
    next = { place: Number(rows[0]?.place), tag: blockTagOf(head) }
    wakeAll()
    await untilReached(next)
    served = next
  }
  /** While all are away, no reader waits. */
  const untilReached = async (goal: Goal): Promise<void> => {
    const reached = new AbortController()
    const look = () => {
      const isOver = isStopped || followers.every(({ isAway }) => isAway)
      if (isOver || followers.some((follower) => has(follower, goal))) reached.abort()
    }
    waiting.add(look)
    look()
    await clock.sleep(REACH_WITHIN_MS, reached.signal)
    waiting.delete(look)
  }
  return {
    choose: () => {
      const ready = followers.filter((follower) => has(follower, served))
      turn += 1
      return ready[turn % ready.length]?.replica ?? null
    },
    leave: (source, error) => {
      const follower = followers.find(({ replica }) => replica === source)
      if (!follower || follower.isAway) return
      follower.isAway = true
      log.warn(
        { err: error, replica: followers.indexOf(follower) + 1 },
        'a statement failed on a replica: it is left for a moment',
      )
    },
    reach,
    count: () => {
      const away = followers.filter(({ isAway }) => isAway).length
      const ready = followers.filter((follower) => has(follower, served)).length
      return { ready, behind: followers.length - away - ready, away }
    },
    stop: async () => {
      isStopped = true
      wakeAll()
      await Promise.all(done)
    },
  }
}
