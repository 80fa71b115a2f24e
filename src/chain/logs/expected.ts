// Finds our events that a block's bloom may contain and whose logs did not come. Input: a bloom and logs. Output: the
// keys to ask for again. An event of a single contract counts only if the bloom has that contract too.
import { numberAt } from '../../base/item-at.ts'
import { Bytes } from '../columns/bytes.ts'
import { FOR_OTHERS, isForOthers } from '../exchanges/attribution.ts'
import { nativeEmitters } from '../exchanges/native.ts'
import type { Preset } from '../presets/preset.ts'
import type { LogRun } from './assemble.ts'
import { createValueTest } from './bloom.ts'
import { bareEmitters, EVENT_LIST, type Event, type LogKey, listTopics } from './events.ts'
import { NONE } from './scan.ts'

/** The keys of logs that the bloom may contain and that did not come. */
export type FindMissing = (bloom: string, logs: readonly LogRun[]) => LogKey[]

/** One of our events, from any contract or from this one. */
interface Expected {
  key: LogKey
  /** `NONE` of a log without a topic. */
  topicLane: number
  addressLane: number | null
  may(bloom: string): boolean
}

export function createFindMissing(
  preset: Pick<Preset, 'factories' | 'lockers' | 'wrappedNative' | 'nativeLogs'>,
): FindMissing {
  const topics = new Set(listTopics(preset))
  const expected = [
    ...EVENT_LIST.filter(({ topic0 }) => topics.has(topic0)).flatMap((event) => listExpected(event, preset)),
    ...bareEmitters(preset).map(expectBare),
  ]
  return (bloom, logs) => {
    const may = expected.filter((each) => each.may(bloom))
    if (may.length === 0) return []
    const seen = new Set<number | string>()
    for (const { answer, from, to } of logs) {
      for (let at = from; at < to; at++) {
        const lane = numberAt(answer.topicLanes, at)
        seen.add(lane).add(`${lane} ${answer.addressLanes[at]}`)
      }
    }
    const missing = may.filter(({ topicLane, addressLane }) =>
      addressLane === null ? !seen.has(topicLane) : !seen.has(`${topicLane} ${addressLane}`),
    )
    return [...new Set(missing.map(({ key }) => key))]
  }
}

/** Its bloom has the contract alone. */
const expectBare = (emitter: LogKey): Expected => ({
  key: emitter,
  topicLane: NONE,
  addressLane: laneOf(emitter),
  may: createValueTest(emitter),
})

function listExpected({ topic0: key, emitter }: Event, preset: Parameters<typeof createFindMissing>[0]): Expected[] {
  const mayTopic = createValueTest(key)
  const topicLane = laneOf(key)
  const emitters = emittersOf(emitter, preset)
  if (emitters === null) return [{ key, topicLane, addressLane: null, may: mayTopic }]
  return emitters.map((address) => {
    const mayAddress = createValueTest(address)
    return { key, topicLane, addressLane: laneOf(address), may: (bloom) => mayTopic(bloom) && mayAddress(bloom) }
  })
}

/** The contracts whose logs of such an event count; null for any contract. */
function emittersOf(
  emitter: Event['emitter'],
  { factories, lockers, wrappedNative, nativeLogs }: Parameters<typeof createFindMissing>[0],
): readonly LogKey[] | null {
  if (emitter === 'any' || factories.some(({ kind }) => `${kind}_pool` === emitter)) return null
  if (emitter === 'wrapped') return [wrappedNative]
  if (emitter === 'native' || emitter === 'native_bor') return nativeEmitters({ nativeLogs }, emitter)
  if (isForOthers(emitter)) return FOR_OTHERS[emitter]
  if (emitter === 'positions') return factories.flatMap(({ positions }) => positions ?? [])
  return [...factories, ...lockers].filter(({ kind }) => kind === emitter).map(({ address }) => address)
}

/** The first 32 bits. */
const laneOf = (hex: LogKey): number => new Bytes(Buffer.from(hex)).lane(2)
