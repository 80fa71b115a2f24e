// The events that Assay reads, by name and by topic0: events of tokens, pools, factories and lockers.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { LockerKind, Preset } from '../presets/preset.ts'
import { LOCK_EVENTS, type LockEventName } from './lock-events.ts'
import { POOL_EVENTS, type PoolEmitter, type PoolEventName } from './pool-events.ts'
import type { Shape } from './shape.ts'

/** Who may emit the event; a locker kind stands for the preset's lockers of that kind. */
type Emitter = PoolEmitter | LockerKind

type EventName = PoolEventName | LockEventName

const EVENTS: Record<EventName, readonly [signature: string, emitter: Emitter, ...shapes: Shape[]]> = {
  ...POOL_EVENTS,
  ...LOCK_EVENTS,
}
const NAMES = Object.keys(EVENTS) as EventName[]

/** keccak-256 of the signature (ABI specification, "Events"). */
const topicOf = (name: EventName) => `0x${bytesToHex(keccak_256(utf8ToBytes(EVENTS[name][0])))}` as const

/** The topic0 of each event. */
export const TOPICS = Object.fromEntries(NAMES.map((name) => [name, topicOf(name)])) as Record<EventName, `0x${string}`>

/** An event that Assay reads. */
export interface Event {
  topic0: `0x${string}`
  emitter: Emitter
  shapes: readonly Shape[]
}

/** All events that Assay reads. */
export const EVENT_LIST: readonly Event[] = NAMES.map((name) => {
  const [, emitter, ...shapes] = EVENTS[name]
  return { topic0: TOPICS[name], emitter, shapes }
})

/** The topic0 of every event that counts on the chain; events of lockers only if the preset names such a locker. */
export function listTopics({ lockers }: Pick<Preset, 'lockers'>): `0x${string}`[] {
  const emitters = new Set<Emitter | undefined>(['any', 'wrapped', 'factory', ...lockers.map(({ kind }) => kind)])
  return EVENT_LIST.filter(({ emitter }) => emitters.has(emitter)).map(({ topic0 }) => topic0)
}
