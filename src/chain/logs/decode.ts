// Decodes scanned logs into columns, straight from the hex digits of the answer. A log that does not match exactly
// (ERC-721, another shape, broken hex) is not decoded and leaves nothing in the columns. It never throws.

import type { Preset } from '../presets/preset.ts'
import { Bytes } from './bytes.ts'
import { placeOfKind } from './columns.ts'
import { EVENT_LIST, type Event } from './events.ts'
import { LANE_DIGITS, WORD_DIGITS } from './hex.ts'
import type { Packer } from './packer.ts'
import { NONE, type ScannedLog } from './scan.ts'
import type { Shape } from './shape.ts'

/** Packs the log and returns true; returns false, having written nothing, for a log that Assay does not read. */
export type Decode = (log: ScannedLog, packer: Packer) => boolean

/** Length of "0x". */
const PREFIX = 2

const BY_FIRST_LANE = new Map(
  EVENT_LIST.map((event) => {
    const lanes = lanesOf(new Bytes(Buffer.from(event.topic0)), PREFIX)
    return [lanes[0] ?? NONE, { event, lanes }] as const
  }),
)

/** The decoder of a chain. Logs of wrapped native, factories and lockers count only from addresses in the preset. */
export function createDecode(preset: Pick<Preset, 'wrappedNative' | 'factories' | 'lockers'>): Decode {
  const factories = new Set<string>(preset.factories.map(({ address }) => address))
  const lockers = new Map<string, string | undefined>(preset.lockers.map(({ address, kind }) => [address, kind]))
  const wrapped: string = preset.wrappedNative
  const mayEmit = (emitter: Event['emitter'], address: string): boolean => {
    if (emitter === 'any') return true
    if (emitter === 'wrapped') return address === wrapped
    return emitter === 'factory' ? factories.has(address) : lockers.get(address) === emitter
  }
  return (log, packer) => {
    const event = findEvent(log)
    const shape = event && findShape(event, log)
    if (!shape || log.address === NONE || log.logIndex === NONE) return false
    const [count, wordCount] = [packer.count, packer.wordCount]
    packer.number(placeOfKind(shape.kind))
    const address = packer.addressAt(log.bytes, log.address + PREFIX)
    packer.number(log.logIndex)
    packer.hash(log.txHash)
    if (address !== null && mayEmit(event.emitter, address) && writeFields(shape, log, packer)) return true
    packer.takeBack(count, wordCount)
    return false
  }
}

/** The eight 32-bit lanes of a word. */
function lanesOf(bytes: Bytes, at: number): number[] {
  return Array.from({ length: WORD_DIGITS / LANE_DIGITS }, (_, i) => bytes.lane(at + LANE_DIGITS * i))
}

function findEvent({ bytes, topicCount, topics }: ScannedLog): Event | null {
  const at = topics[0]
  if (topicCount === 0 || at === NONE) return null
  const found = BY_FIRST_LANE.get(bytes.lane(at + PREFIX))
  if (!found) return null
  const { event, lanes } = found
  for (let i = 1; i < lanes.length; i++) if (bytes.lane(at + PREFIX + LANE_DIGITS * i) !== lanes[i]) return null
  return event
}

function findShape({ shapes }: Event, { topicCount, dataLength }: ScannedLog): Shape | null {
  for (const shape of shapes)
    if (topicCount === shape.topics && dataLength === PREFIX + WORD_DIGITS * shape.words) return shape
  return null
}

function writeFields({ fields }: Shape, { bytes, topics, data }: ScannedLog, packer: Packer): boolean {
  for (const { place, write } of fields) {
    const at = place === null ? 0 : place.of === 'word' ? data + WORD_DIGITS * place.at : (topics[place.at] ?? NONE)
    if (at === NONE || !write(packer, bytes, at + PREFIX)) return false
  }
  return true
}
