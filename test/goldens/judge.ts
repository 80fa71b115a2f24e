// Holds our decoder against a recorded transaction. An amount agrees when another decoder of the same log states it, or,
// where none does, when another log of the transaction, its value or its source's amounts say the same number.
import type { DecodedLog, Venue } from '../../src/chain/event.ts'
import { TOPICS } from '../../src/chain/logs/events.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../src/chain/presets/presets.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import { createLogDecode } from '../support/decode.ts'
import type { Recording } from './recording.ts'

/** How often an event's amounts agree; `unstated`: no other number to hold them against. */
export interface Tally {
  logs: number
  read: number
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

/** Events with no amount that a trade or a position is worked out from. */
const WITHOUT_AMOUNTS = /Fee|Collect|Liquidity\(|Initialize|Subscription|DecreaseLiquidity|IncreaseLiquidity|Created/
/** Notes on what is no amount of an exchange: gas, approvals, a position's number. */
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
  const tally = tallies.get(name) ?? { logs: 0, read: 0, agree: 0, differ: 0, unstated: 0 }
  tallies.set(name, tally)
  tally.logs += 1
  const log = decoded.get(logIndex) ?? null
  const stated = recording.decoded?.find((each) => each.logIndex === logIndex)
  if (!log) {
    // A change of zero is skipped on purpose.
    if (stated?.liquidityDelta !== undefined && BigInt(stated.liquidityDelta as string) === 0n) tally.agree += 1
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
  const found = Object.entries(log).flatMap(([field, value]) =>
    typeof value === 'bigint' && /^amount/.test(field) ? [value < 0n ? -value : value] : [],
  )
  return found.filter((amount) => amount > 0n)
}

/** All words of the other logs of the transaction, and what was sent with it. */
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
  const ours = [BigInt(recording.value), ...logs.flatMap((log) => (log ? amountsOf(log) : []))]
  const fees = recording.expected.flatMap(({ amount, notes }) => (amount && FEE.test(notes ?? '') ? [amount] : []))
  for (const { amount, notes, asset } of recording.expected) {
    if (amount === null || !NUMBER.test(amount) || Number(amount) === 0 || ASIDE.test(notes ?? '')) continue
    // A source may show what was spent and the fee as two amounts of one transfer.
    const stated = [amount, ...fees.map((fee) => plus(amount, fee))]
    if (ours.some((raw) => stated.some((text) => isSame(text, raw)))) judged.found += 1
    else if (NATIVE.test(asset ?? '')) judged.unlogged += 1
    else judged.missing.push(`${recording.txHash}: ${amount} (${notes ?? 'no note'})`)
  }
}

const FEE = /fee/i
/** How the sources name a chain's own coin. */
const NATIVE = /^A_(ETH|POL|XDAI|BNB)$/

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

export const isWithoutAmounts = (name: string): boolean => WITHOUT_AMOUNTS.test(name)

const VENUE_OF_TOPIC: readonly [topic: string, venue: Venue][] = [
  [TOPICS.v4_initialize, 'v4'],
  [TOPICS.v4_modify, 'v4'],
  [TOPICS.v4_swap, 'v4'],
  [TOPICS.infinity_swap, 'infinity'],
]

/**
 * The chain's preset. On a chain without one the managers are those that the recording has, because there is nobody to
 * ask; every exchange is read there.
 */
function presetOf({ chainId, logs }: Recording): Preset {
  if (PRESET_CHAIN_IDS.includes(chainId)) return loadPreset(chainId)
  const zero = `0x${'0'.repeat(39)}`
  const anyPool = (['solidly', 'solidly_v1', 'slipstream', 'algebra'] as const).map((kind, at) => ({
    address: `${zero}${at + 1}`,
    kind,
    launchpad: kind,
  }))
  const managers = logs.flatMap(({ address, topics }) => {
    const venue = VENUE_OF_TOPIC.find(([topic]) => topic === topics[0])?.[1]
    return venue ? [{ address, kind: venue, launchpad: venue }] : []
  })
  return loadPreset(
    chainId,
    JSON.stringify({
      chainId,
      wrappedNative: '0x4200000000000000000000000000000000000006',
      factories: [...anyPool, ...managers],
    }),
  )
}
