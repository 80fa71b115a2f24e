// Decodes scanned logs into columns, straight from the hex digits of the answer. A log that does not match exactly
// (ERC-721, another shape, broken hex) is not decoded and leaves nothing in the columns. It never throws.

import { Bytes } from '../columns/bytes.ts'
import { placeOfKind } from '../columns/columns.ts'
import { LANE_DIGITS, WORD_DIGITS } from '../columns/hex.ts'
import type { Packer } from '../columns/packer.ts'
import type { Shape } from '../columns/shape.ts'
import { FOR_OTHERS } from '../exchanges/attribution.ts'
import type { ForOthers, NativeEmitter } from '../exchanges/exchange.ts'
import { nativeEmitters } from '../exchanges/native.ts'
import { loggedBy } from '../exchanges/venues.ts'
import type { Preset } from '../presets/preset.ts'
import { BARE_LOGS, EVENT_LIST, type Event } from './events.ts'
import { NONE, type ScannedLog } from './scan.ts'

/** Packs the log and returns true; returns false, having written nothing, for a log that Assay does not read. */
export type Decode = (log: ScannedLog, packer: Packer) => boolean

/** Length of "0x". */
const PREFIX = 2
const DIGITS = { word: WORD_DIGITS, byte: 2 } as const

/** The contracts that trade for other accounts. */
const EMITTERS = new Map<string, Event['emitter']>(
  Object.entries(FOR_OTHERS).flatMap(([kind, addresses]) => addresses.map((address) => [address, kind as ForOthers])),
)

/** The events of a topic0. Two exchanges may log the same topic; their emitters distinguish them. */
interface Topic {
  lanes: readonly number[]
  events: Event[]
}

const BY_FIRST_LANE = new Map<number, Topic>()
for (const event of EVENT_LIST) {
  const lanes = lanesOf(new Bytes(Buffer.from(event.topic0)), PREFIX)
  const topic = BY_FIRST_LANE.get(lanes[0] ?? NONE)
  if (topic) topic.events.push(event)
  else BY_FIRST_LANE.set(lanes[0] ?? NONE, { lanes, events: [event] })
}

type Known = Pick<Preset, 'wrappedNative' | 'factories' | 'lockers' | 'nativeLogs'>

/** The decoder of a chain. Logs of wrapped native, factories and lockers count only from addresses in the preset. */
export function createDecode(preset: Known): Decode {
  const factories = new Map<string, string>(preset.factories.map(({ address, kind }) => [address, kind]))
  const lockers = new Map<string, string | undefined>(preset.lockers.map(({ address, kind }) => [address, kind]))
  const positions = new Set<string>(preset.factories.flatMap((factory) => factory.positions ?? []))
  const wrapped: string = preset.wrappedNative
  const natives = new Map<string, Event['emitter']>(
    (['native', 'native_bor'] as const satisfies NativeEmitter[]).flatMap((emitter) =>
      nativeEmitters(preset, emitter).map((address) => [address, emitter] as const),
    ),
  )
  // Any contract may log these events; the ledger asks a factory whether it is a pool.
  const anywhere = new Set<string>(['any', ...preset.factories.flatMap(({ kind }) => loggedBy(kind))])
  const mayEmit = (emitter: Event['emitter'], address: string): boolean => {
    if (natives.has(address)) return natives.get(address) === emitter
    if (anywhere.has(emitter)) return true
    if (emitter === 'wrapped') return address === wrapped
    if (emitter === 'positions') return positions.has(address)
    return factories.get(address) === emitter || lockers.get(address) === emitter || EMITTERS.get(address) === emitter
  }
  const bare = BARE_LOGS.filter(({ venue }) => preset.factories.some(({ kind }) => kind === venue)).map(
    ({ venue, shape }) => ({ emitter: venue, shapes: [shape] }),
  )
  return (log, packer) => {
    const events = log.topicCount === 0 ? bare : findEvents(log)
    if (!events || log.address === NONE || log.logIndex === NONE) return false
    for (const event of events) {
      const shape = findShape(event, log)
      if (!shape) continue
      const [count, wordCount] = [packer.count, packer.wordCount]
      packer.number(placeOfKind(shape.kind))
      const address = packer.addressAt(log.bytes, log.address + PREFIX)
      packer.number(log.logIndex)
      packer.hash(log.txHash)
      if (address !== null && mayEmit(event.emitter, address) && writeFields(shape, log, packer)) return true
      packer.takeBack(count, wordCount)
    }
    return false
  }
}

/** The eight 32-bit lanes of a word. */
function lanesOf(bytes: Bytes, at: number): number[] {
  return Array.from({ length: WORD_DIGITS / LANE_DIGITS }, (_, i) => bytes.lane(at + LANE_DIGITS * i))
}

function findEvents({ bytes, topics }: ScannedLog): readonly Event[] | null {
  const at = topics[0]
  if (at === NONE) return null
  const found = BY_FIRST_LANE.get(bytes.lane(at + PREFIX))
  if (!found) return null
  const { events, lanes } = found
  for (let i = 1; i < lanes.length; i++) if (bytes.lane(at + PREFIX + LANE_DIGITS * i) !== lanes[i]) return null
  return events
}

function findShape({ shapes }: Pick<Event, 'shapes'>, { topicCount, dataLength }: ScannedLog): Shape | null {
  for (const shape of shapes) {
    const least = PREFIX + WORD_DIGITS * shape.words
    if (topicCount === shape.topics && (dataLength === least || (shape.isOpen && dataLength > least))) return shape
  }
  return null
}

function writeFields({ fields }: Shape, { bytes, topics, data, dataLength }: ScannedLog, packer: Packer): boolean {
  const end = data + dataLength
  for (const { place, write } of fields) {
    const at =
      place === null ? 0 : place.of === 'topic' ? (topics[place.at] ?? NONE) : data + DIGITS[place.of] * place.at
    if (at === NONE || !write(packer, bytes, at + PREFIX, end)) return false
  }
  return true
}
