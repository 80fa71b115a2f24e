// Compares our decoder with a recorded transaction. An amount agrees when another decoder of the same log states it.
// Without one, it agrees when another log of the transaction, its value or its source's amounts have the same number.
import type { DecodedLog } from '../../src/chain/event.ts'
import { VENUES, type Venue } from '../../src/chain/exchanges/venues.ts'
import { TOPICS } from '../../src/chain/logs/events.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../src/chain/presets/presets.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import { createLogDecode } from '../../test/support/decode.ts'
import { MANAGERS, reasonOf } from './left-out.ts'
import type { Recording } from './recording.ts'

/** How often an event's amounts agree; `unstated`: no other number to hold them against. */
export interface Tally {
  logs: number
  read: number
  /** Not read: of another contract with the same topic, changes of zero, and events with a reason of left-out.ts. */
  others: number
  agree: number
  differ: number
  unstated: number
}

export interface Judged {
  /** By exchange and event. */
  tallies: Map<string, Tally>
  /** Of the amounts that the source states, how many our logs have, and those that they lack. */
  found: number
  missing: string[]
  /** Amounts of the native coin, which no log tells. */
  unlogged: number
  differences: string[]
}

/** Notes on numbers that are no amounts of an exchange: gas, approvals, a position's number. */
const ASIDE = /gas|approval|Create .* with id|collateral|as interest|fee/i

export function judge(recording: Recording): Judged {
  const decode = createLogDecode(presetOf(recording))
  const raw = recording.logs as unknown as RawLog[]
  const decoded = new Map(raw.map((log) => [Number(log.logIndex), decode({ ...log, blockHash: recording.blockHash })]))
  const judged: Judged = { tallies: new Map(), found: 0, missing: [], unlogged: 0, differences: [] }
  for (const { logIndex, name } of recording.events) judgeEvent(judged, recording, decoded, Number(logIndex), name)
  judgeExpected(judged, recording, [...decoded.values()])
  return judged
}

function judgeEvent(
  { tallies, differences }: Judged,
  recording: Recording,
  decoded: ReadonlyMap<number, DecodedLog | null>,
  logIndex: number,
  name: string,
): void {
  const tally = tallies.get(name) ?? { logs: 0, read: 0, others: 0, agree: 0, differ: 0, unstated: 0 }
  tallies.set(name, tally)
  tally.logs += 1
  const log = decoded.get(logIndex) ?? null
  const stated = recording.decoded?.find((each) => each.logIndex === logIndex)
  if (isOfAnother(recording, logIndex, name)) {
    tally.others += 1
    return
  }
  if (!log) {
    if (isZeroChange(recording, logIndex, name)) tally.agree += stated ? 1 : 0
    else if (reasonOf(name) === null) return
    tally.others += 1
    return
  }
  tally.read += 1
  if (stated) {
    for (const [field, ours, theirs] of compare(log, stated)) {
      if (ours === theirs) tally.agree += 1
      else {
        tally.differ += 1
        differences.push(`${recording.txHash} log ${logIndex} ${name}.${field}: ${ours}, not ${theirs}`)
      }
    }
    return
  }
  const others = numbersBeside(recording, logIndex)
  for (const amount of amountsOf(log)) {
    if (isStated(amount, others, recording)) tally.agree += 1
    else tally.unstated += 1
  }
}

const rawLog = (recording: Recording, logIndex: number) =>
  recording.logs.find((log) => Number(log.logIndex) === logIndex)

/** Whether the log is of a contract that is no part of the exchange: another has an event of the same signature. */
function isOfAnother(recording: Recording, logIndex: number, name: string): boolean {
  const emitter = rawLog(recording, logIndex)?.address.toLowerCase()
  // GMX's vault logs a Swap with the topic of Balancer V3's.
  const venue = MANAGERS.find(([beginning]) => name.startsWith(beginning))?.[1]
  if (EVERYWHERE.some(([, kind]) => kind === venue))
    return !EVERYWHERE.some(([address, kind]) => kind === venue && address === emitter)
  if (!/^solidly\.(Burn|Mint|Swap)/.test(name)) return false
  // A pair always logs its reserves with a change of them.
  return !recording.logs.some(({ address, topics: [topic] }) => address.toLowerCase() === emitter && isSync(topic))
}

const isSync = (topic: string | undefined): boolean => topic === TOPICS.solidly_sync || topic === TOPICS.v2_sync

/** A change of a position by nothing, which is skipped on purpose. */
function isZeroChange(recording: Recording, logIndex: number, name: string): boolean {
  const data = rawLog(recording, logIndex)?.data ?? ''
  return name.includes('ModifyLiquidity') && /^0*$/.test(data.slice(2 + 2 * 64, 2 + 3 * 64))
}

/** Our fields beside another decoder's. It keeps a manager's amounts as logged, which is the swapper's side. */
function compare(log: DecodedLog, stated: Record<string, unknown>): [string, string, string][] {
  const ours = log as unknown as Record<string, unknown>
  const pairs: [string, unknown][] = [
    ['pool', stated.id],
    ['sender', stated.sender],
    ['amount0', negated(stated.amount0)],
    ['amount1', negated(stated.amount1)],
    ['sqrtPriceX96', stated.sqrtPriceX96],
    ['liquidity', stated.liquidity ?? stated.liquidityDelta],
    ['tick', stated.tick],
    ['tickLower', stated.tickLower],
    ['tickUpper', stated.tickUpper],
    ['fee', stated.fee],
    ['hooks', stated.hooks],
  ]
  return pairs
    .filter(([field, theirs]) => theirs !== undefined && ours[field] !== undefined)
    .map(([field, theirs]) => [field, `${ours[field]}`, `${theirs}`.toLowerCase()])
}

const negated = (value: unknown): bigint | undefined => (value === undefined ? undefined : -BigInt(value as string))

/** The amounts of a log that moved tokens, without sign and zeros. */
function amountsOf(log: DecodedLog): bigint[] {
  const found = Object.entries(log)
    .filter(([field]) => /^amount/.test(field))
    .flatMap(([, value]) => value as unknown)
    .flatMap((value) => (typeof value === 'bigint' ? [value < 0n ? -value : value] : []))
  return found.filter((amount) => amount > 0n)
}

/** All words of the other logs of the transaction, and the coins sent with it. */
function numbersBeside({ logs, value }: Recording, logIndex: number): Set<bigint> {
  const numbers = new Set<bigint>([BigInt(value)])
  for (const { data, logIndex: at } of logs) {
    if (Number(at) === logIndex) continue
    for (let place = 2; place + 64 <= data.length; place += 64) {
      const word = BigInt.asIntN(256, BigInt(`0x${data.slice(place, place + 64)}`))
      numbers.add(word < 0n ? -word : word)
    }
  }
  return numbers
}

const isStated = (amount: bigint, beside: ReadonlySet<bigint>, { expected }: Recording): boolean =>
  beside.has(amount) || expected.some(({ amount: text }) => text !== null && isSame(text, amount))

const NUMBER = /^\d+(\.\d+)?$/
const MAX_DECIMALS = 30

/** Whether a raw amount is this number of whole tokens, for some number of decimals. */
function isSame(text: string, raw: bigint): boolean {
  if (!NUMBER.test(text)) return false
  const [whole = '', fraction = ''] = text.split('.')
  let value = BigInt(whole + fraction)
  for (let decimals = fraction.length; decimals <= MAX_DECIMALS && value <= raw; decimals++, value *= 10n)
    if (value === raw) return true
  return false
}

function judgeExpected(judged: Judged, recording: Recording, logs: readonly (DecodedLog | null)[]): void {
  const decoded = logs.filter((log) => log !== null)
  const ours = [BigInt(recording.value), ...decoded.flatMap(amountsOf), ...netChanges(decoded)]
  const fees = recording.expected.flatMap(({ amount, notes }) => (amount && FEE.test(notes ?? '') ? [amount] : []))
  for (const { amount, notes, asset } of recording.expected) {
    if (amount === null || !NUMBER.test(amount) || Number(amount) === 0) continue
    if (ASIDE.test(notes ?? '') || NUMBERED.test(asset ?? '')) continue
    // A source may show the spent amount and the fee as two amounts of one transfer.
    const stated = [amount, ...fees.map((fee) => plus(amount, fee))]
    if (ours.some((raw) => stated.some((text) => isSame(text, raw)))) judged.found += 1
    else if (NATIVE.test(asset ?? '')) judged.unlogged += 1
    else judged.missing.push(`${recording.txHash}: ${amount} (${notes ?? 'no note'})`)
  }
}

/** The change of each account's balance of each token, which a source may state for several Transfers. */
function netChanges(logs: readonly DecodedLog[]): bigint[] {
  const net = new Map<string, bigint>()
  const add = (account: string, amount: bigint) => net.set(account, (net.get(account) ?? 0n) + amount)
  for (const log of logs) {
    if (log.kind !== 'transfer') continue
    add(log.address + log.from, -log.amount)
    add(log.address + log.to, log.amount)
  }
  return [...net.values()].map((change) => (change < 0n ? -change : change))
}

const FEE = /fee/i
/** How the sources name a chain's own coin. */
const NATIVE = /^(A_|Asset\(')?(BSC_)?(ETH2?|POL|MATIC|XDAI|BNB|AVAX)('\))?$/i
/** A token whose pieces are numbered: its amount is how many. */
const NUMBERED = /erc721/i

/** The sum of two decimal numbers. */
function plus(one: string, other: string): string {
  if (!NUMBER.test(other)) return one
  const places = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const raw = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(places, '0'))
  }
  const digits = `${raw(one) + raw(other)}`.padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Managers that have the same address on every chain, as their projects list them. */
const EVERYWHERE: readonly [address: string, venue: Venue][] = [
  ['0xba12222222228d8ba445958a75a0704d566bf2c8', 'balancer_v2'],
  ['0xba1333333333a1ba1108e8412f11850a5c319ba9', 'balancer_v3'],
]

const VENUE_OF_TOPIC: readonly [topic: string, venue: Venue][] = [
  [TOPICS.v4_initialize, 'v4'],
  [TOPICS.v4_modify, 'v4'],
  [TOPICS.v4_swap, 'v4'],
  [TOPICS.infinity_swap, 'infinity'],
  [TOPICS.infinity_bin_swap, 'infinity_bin'],
]

/** Exchanges whose pools log for themselves, and are confirmed by a factory when they are indexed. */
const HAVE_POOLS = VENUES.filter((venue: Venue) => !MANAGERS.some(([, managed]) => managed === venue))

/**
 * The chain's preset, with every exchange whose pools log for themselves: only the decoding of a log is judged. On a
 * chain without a preset the managers of V4 and Infinity are those of the recording, because there is no node to ask.
 */
function presetOf({ chainId, logs }: Recording): Preset {
  const isKnown = PRESET_CHAIN_IDS.includes(chainId)
  const zero = `0x${'0'.repeat(38)}`
  const anyPool = HAVE_POOLS.map((kind, at) => ({ address: `${zero}${10 + at}`, kind, launchpad: kind }))
  const everywhere = EVERYWHERE.map(([address, kind]) => ({ address, kind, launchpad: kind }))
  const managers = logs.flatMap(({ address, topics }) => {
    const venue = VENUE_OF_TOPIC.find(([topic]) => topic === topics[0])?.[1]
    return venue && !isKnown ? [{ address, kind: venue, launchpad: venue }] : []
  })
  const factories = [...anyPool, ...everywhere, ...managers]
  const chain = isKnown ? {} : { wrappedNative: '0x4200000000000000000000000000000000000006' }
  return loadPreset(chainId, JSON.stringify({ chainId, ...chain, factories }))
}
