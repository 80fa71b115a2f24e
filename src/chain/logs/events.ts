// The events that Assay reads, by name and by topic0: events of tokens, pools, factories and lockers.
import type { Address } from '../../base/address.ts'
import { keysOf, recordOf } from '../../base/keys-of.ts'
import type { Shape } from '../columns/shape.ts'
import { ATTRIBUTION_EVENTS, FOR_OTHERS } from '../exchanges/attribution.ts'
import type { ExchangeEmitter } from '../exchanges/exchange.ts'
import { FARM_EVENTS } from '../exchanges/farms.ts'
import { nativeEmitters } from '../exchanges/native.ts'
import { POSITION_EVENTS } from '../exchanges/position-tokens.ts'
import { EXCHANGES, type ExchangeEventName, loggedBy, VENUES, type Venue } from '../exchanges/venues.ts'
import { keccakOfText } from '../keccak.ts'
import type { LockerKind, Preset } from '../presets/preset.ts'
import type { RawLog } from '../raw.ts'
import { LOCK_EVENTS } from './lock-events.ts'
import { TOKEN_EVENTS } from './token-events.ts'

/**
 * Who may emit the event. A venue stands for the preset's factories of that kind, or any contract beside them, and a
 * locker kind for the preset's lockers.
 */
type Emitter = Exclude<ExchangeEmitter, 'factory' | 'pool'> | Venue | `${Venue}_pool` | LockerKind
type Declared = readonly [signature: string, emitter: Emitter, ...shapes: Shape[]]

type EventName =
  | keyof typeof TOKEN_EVENTS
  | ExchangeEventName
  | keyof typeof ATTRIBUTION_EVENTS
  | keyof typeof POSITION_EVENTS
  | keyof typeof FARM_EVENTS
  | keyof typeof LOCK_EVENTS

const emitterOf = (venue: Venue, emitter: ExchangeEmitter): Emitter => {
  if (emitter === 'factory') return venue
  return emitter === 'pool' ? `${venue}_pool` : emitter
}

const EXCHANGE_EVENTS = Object.fromEntries(
  VENUES.flatMap((venue) =>
    Object.entries(EXCHANGES[venue].events).map(([name, [signature, emitter, ...shapes]]): [string, Declared] => [
      name,
      [signature, emitterOf(venue, emitter), ...shapes],
    ]),
  ),
) as Record<ExchangeEventName, Declared>

const EVENTS: Record<EventName, Declared> = {
  ...TOKEN_EVENTS,
  ...EXCHANGE_EVENTS,
  ...ATTRIBUTION_EVENTS,
  ...POSITION_EVENTS,
  ...FARM_EVENTS,
  ...LOCK_EVENTS,
}
const NAMES = keysOf(EVENTS)
/** With 0x; a topic is longer. */
const ADDRESS_LENGTH = 42

/** keccak-256 of the signature (ABI specification, "Events"); or the hash itself, of an event whose signature no source prints. */
const topicOf = (name: EventName) => {
  const [signature] = EVENTS[name]
  return isHash(signature) ? signature : keccakOfText(signature)
}

const isHash = (text: string): text is `0x${string}` => text.startsWith('0x')

/** The topic0 of each event. */
export const TOPICS = recordOf(NAMES, topicOf)

/** An event that Assay reads. */
export interface Event {
  name: EventName
  topic0: `0x${string}`
  emitter: Emitter
  shapes: readonly Shape[]
}

/** All events that Assay reads. */
export const EVENT_LIST: readonly Event[] = NAMES.map((name) => {
  const [, emitter, ...shapes] = EVENTS[name]
  return { name, topic0: TOPICS[name], emitter, shapes }
})

/** The logs without a topic that Assay reads. */
export const BARE_LOGS: readonly { venue: Venue; shape: Shape }[] = VENUES.flatMap((venue) =>
  Object.values(EXCHANGES[venue].bare ?? {}).map((shape) => ({ venue, shape })),
)

/** The contracts of the preset whose logs without a topic count. */
export const bareEmitters = ({ factories }: Pick<Preset, 'factories'>): Address[] =>
  factories.flatMap(({ kind, address }) => (BARE_LOGS.some(({ venue }) => venue === kind) ? [address] : []))

/** What a log is asked for by: its topic0, or without a topic its contract. */
export type LogKey = `0x${string}`

type Named = Pick<Preset, 'factories' | 'lockers' | 'nativeLogs'>

/** The keys of all logs that count on the chain. */
export const listLogKeys = (preset: Named): LogKey[] => [...listTopics(preset), ...bareEmitters(preset)]

/** Whether the key is a contract, and no topic. */
export const isEmitter = (key: string): boolean => key.length === ADDRESS_LENGTH

/** The filters of `eth_getLogs` for the keys. The filter of contracts gives their logs with topics too. */
export function filtersOf(keys: readonly string[]): { topics?: string[][]; address?: string[] }[] {
  const [topics, emitters] = [keys.filter((key) => !isEmitter(key)), keys.filter(isEmitter)]
  return [...(topics.length > 0 ? [{ topics: [topics] }] : []), ...(emitters.length > 0 ? [{ address: emitters }] : [])]
}

/** One filter for few blocks. It asks for every log if contracts are among the keys: no filter has topics or a contract. */
export const filterOf = (keys: readonly string[]): { topics?: string[][] } =>
  keys.some(isEmitter) ? {} : { topics: [[...keys]] }

/** Whether a log has one of the keys. */
export function createKeyTest(keys: readonly string[]): (log: Pick<RawLog, 'topics' | 'address'>) => boolean {
  const wanted = new Set(keys)
  return ({ topics: [topic0], address }) => wanted.has(String(topic0 ?? address).toLowerCase())
}

/** The topic0 of every event that counts on the chain: those of a venue or a locker only if the preset names one. */
export function listTopics({ factories, lockers, nativeLogs }: Named): `0x${string}`[] {
  const emitters = new Set<string>([
    'any',
    'wrapped',
    'native',
    ...keysOf(FOR_OTHERS),
    ...lockers.flatMap(({ kind }) => kind ?? []),
  ])
  if (nativeEmitters({ nativeLogs }, 'native_bor').length > 0) emitters.add('native_bor')
  for (const { kind } of factories) for (const emitter of [kind, ...loggedBy(kind)]) emitters.add(emitter)
  if (factories.some(({ positions }) => positions !== undefined)) emitters.add('positions')
  return [...new Set(EVENT_LIST.filter(({ emitter }) => emitters.has(emitter)).map(({ topic0 }) => topic0))]
}
