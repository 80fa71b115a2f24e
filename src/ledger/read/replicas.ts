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

interface ReplicaDeps {
  primary: pg.Pool
  replicas: readonly Replica[]
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

interface ReplicaGroup extends Omit<ReplicaDeps, 'replicas'> {
  followers: Follower[]
  /** Looks whether a goal is reached, after each answer of a replica. */
  waiting: Set<() => void>
  /** What a replica must have to be chosen. */
  served: Goal
  /** The newest goal. */
  next: Goal
  /** Counts the choices, so that replicas take turns. */
  turn: number
  isStopped: boolean
  /** Ends the pauses of all followers. */
  wake: AbortController
}

/** No replica reaches it. */
const NOWHERE: Goal = { place: Number.POSITIVE_INFINITY, tag: null }

function wakeAll(group: ReplicaGroup): void {
  group.wake.abort()
  group.wake = new AbortController()
}

const has = ({ isAway, place, tag }: Follower, goal: Goal) => !isAway && place >= goal.place && tag === goal.tag

async function follow(group: ReplicaGroup, follower: Follower, number: number): Promise<void> {
  const { replica } = follower
  const outage = createOutage(
    (error) =>
      group.log.warn({ err: error, replica: number }, 'a replica does not answer: others, or the primary, are asked'),
    () => group.log.info({ replica: number }, 'a replica answers again'),
  )
  while (!group.isStopped) {
    try {
      const { rows } = await replica.probe.query<{ at: string | null; place: string }>(REPLAYED)
      follower.place = Number(rows[0]?.place ?? -1)
      follower.tag = rows[0]?.at ?? null
      follower.isAway = false
      outage.pass()
    } catch (error) {
      follower.isAway = true
      if (!group.isStopped) outage.fail(error)
    }
    for (const look of group.waiting) look()
    const isDue = !follower.isAway && group.next !== NOWHERE && !has(follower, group.next)
    if (!group.isStopped) await group.clock.sleep(isDue ? BEHIND_MS : ALIVE_MS, group.wake.signal)
  }
}

async function reach(group: ReplicaGroup, head: Head): Promise<void> {
  const { rows } = await group.primary.query<{ place: string }>({ name: 'written', text: WRITTEN })
  group.next = { place: Number(rows[0]?.place), tag: blockTagOf(head) }
  wakeAll(group)
  await untilReached(group, group.next)
  group.served = group.next
}

/** While all are away, no reader waits. */
async function untilReached(group: ReplicaGroup, goal: Goal): Promise<void> {
  const reached = new AbortController()
  const look = () => {
    const isOver = group.isStopped || group.followers.every(({ isAway }) => isAway)
    if (isOver || group.followers.some((follower) => has(follower, goal))) reached.abort()
  }
  group.waiting.add(look)
  look()
  await group.clock.sleep(REACH_WITHIN_MS, reached.signal)
  group.waiting.delete(look)
}

function leave(group: ReplicaGroup, source: ReadServer, error: unknown): void {
  const follower = group.followers.find(({ replica }) => replica === source)
  if (!follower || follower.isAway) return
  follower.isAway = true
  group.log.warn(
    { err: error, replica: group.followers.indexOf(follower) + 1 },
    'a statement failed on a replica: it is left for a moment',
  )
}

/** Follows the replicas until `stop`. `primary` must not go through a pooler that is a replica itself. */
export function createReplicas({ replicas, ...deps }: ReplicaDeps): Replicas {
  const group: ReplicaGroup = {
    ...deps,
    followers: replicas.map((replica): Follower => ({ replica, place: -1, tag: null, isAway: false })),
    waiting: new Set(),
    served: NOWHERE,
    next: NOWHERE,
    turn: 0,
    isStopped: false,
    wake: new AbortController(),
  }
  const done = group.followers.map((follower, at) => follow(group, follower, at + 1))
  return {
    choose: () => {
      const ready = group.followers.filter((follower) => has(follower, group.served))
      group.turn += 1
      return ready[group.turn % ready.length]?.replica ?? null
    },
    leave: (source, error) => leave(group, source, error),
    reach: (head) => reach(group, head),
    count: () => {
      const away = group.followers.filter(({ isAway }) => isAway).length
      const ready = group.followers.filter((follower) => has(follower, group.served)).length
      return { ready, behind: group.followers.length - away - ready, away }
    },
    stop: async () => {
      group.isStopped = true
      wakeAll(group)
      await Promise.all(done)
    },
  }
}
