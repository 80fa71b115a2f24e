// What happened to a token in its chart's time: dangers that a check found, flags, levels of the risk. Changes of the
// supply and of liquidity, and ends of locks, are there too. Each is a mark on the time axis and, in the same words, a line in the list
// for readers who cannot see the chart.
import type { ReasonKind, RiskFlag, RiskLevel } from '../../../src/base/vocabulary.ts'
import { FLAG_WORDS } from '../../../src/verdict/flag-words.ts'
import { LEAST_SUPPLY_CHANGE, tellLockEnd, tellSupplyChange } from '../../../src/verdict/happened.ts'
import { capitalise } from '../../../src/words/numbers.ts'
import { type Mark, toSeconds } from '../chart/pane.ts'
import { dollars } from '../format.ts'

/** What of a token makes marks. */
export interface MarkedToken {
  candles: readonly Candle[]
  added: { nodes: readonly LiquidityEvent[] }
  removed: { nodes: readonly LiquidityEvent[] }
  history: { history: readonly Point[] }
  pools: { nodes: readonly { locks: readonly Lock[] }[] }
  verdict: { findings: readonly { kind: ReasonKind; name: string; text: string; since: string | null }[] } | null
}

interface Candle {
  start: string
  circulatingSupply: number | null
}

interface LiquidityEvent {
  type: string
  timestamp: string
  amountUsd: number
}

interface Point {
  time: string
  level: RiskLevel | 'unknown'
  flags: readonly RiskFlag[] | null
}

interface Lock {
  endsAt: string
  sharePct: number
}

/** The most important first: if two texts overlap, the chart leaves out the later one. */
export function marksOf({ candles, added, removed, history: { history }, pools, verdict }: MarkedToken): Mark[] {
  const starts = candles.map(({ start }) => toSeconds(start))
  const end = endOf(starts)
  const flags = flagMarks(history, verdict)
  const isFirst = (one: Happening): boolean => flags.find(({ time }) => time === one.time) === one
  const happened = [
    ...foundMarks(verdict),
    ...flags.filter(isFirst),
    ...supplyMarks(candles),
    ...lockMarks(pools.nodes.flatMap(({ locks }) => locks)),
    ...liquidityMarks([...added.nodes, ...removed.nodes]),
    ...flags.filter((flag) => !isFirst(flag)),
    ...levelMarks(history),
  ]
  const marks = new Map<string, Mark & { amount: number }>()
  for (const { time, toText, tone, amount = 0 } of happened) {
    // The axis ends with its newest candle: what comes later has not happened.
    if (toSeconds(time) >= end) continue
    const start = starts.findLast((one) => one <= toSeconds(time))
    if (start === undefined) continue
    const name = `${start} ${toText(0)}`
    const sum = (marks.get(name)?.amount ?? 0) + amount
    marks.set(name, { time: start, tone, amount: sum, text: toText(sum) })
  }
  return [...marks.values()]
}

/** When the newest candle ends: it is as long as the others. */
function endOf(starts: readonly number[]): number {
  const [last = 0, before = last] = [starts.at(-1), starts.at(-2)]
  return starts.length > 1 ? 2 * last - before : Number.POSITIVE_INFINITY
}

interface Happening {
  time: string
  tone: Mark['tone']
  /** Of its amount, or of the sum of those of one candle. */
  toText(amount: number): string
  amount?: number
}

/** What a contract check found, at the block of the check. */
const foundMarks = (verdict: MarkedToken['verdict']): Happening[] =>
  (verdict?.findings ?? []).flatMap(({ kind, since, text }) =>
    kind === 'danger' && since !== null ? [{ time: since, tone: 'bad', toText: () => text }] : [],
  )

/** A mint, a burn or what left a locker, in the candle that closed with another supply than the known one before it. */
function supplyMarks(candles: readonly Candle[]): Happening[] {
  const known = candles.flatMap(({ start, circulatingSupply: supply }) => (supply === null ? [] : [{ start, supply }]))
  return known.flatMap(({ start, supply }, at): Happening[] => {
    const before = known[at - 1]?.supply ?? 0
    const share = before > 0 ? supply / before - 1 : 0
    if (Math.abs(share) < LEAST_SUPPLY_CHANGE) return []
    return [{ time: start, tone: share > 0 ? 'care' : 'neutral', toText: () => capitalise(tellSupplyChange(share)) }]
  })
}

/** Of locks whose shares nobody has withdrawn. */
const lockMarks = (locks: readonly Lock[]): Happening[] =>
  locks.map(({ endsAt, sharePct }) => ({
    ...{ time: endsAt, tone: 'care', amount: sharePct / 100 },
    toText: (share) => capitalise(tellLockEnd(share)),
  }))

/** Pairs of a point of the history, which is newest first, and the previous one in time. */
const steps = (history: readonly Point[]): [Point, Point | undefined][] =>
  history.map((point, at) => [point, history[at + 1]])

/** A flag that the verdict has is as grave here; another one was as grave as the level that it made. */
const toneOfFlag = (flag: RiskFlag, level: Point['level'], verdict: MarkedToken['verdict']): Mark['tone'] => {
  const kind = verdict?.findings.find(({ name }) => name === flag)?.kind
  const isGrave = kind === undefined ? level === 'high' || level === 'critical' : kind === 'danger'
  return isGrave ? 'bad' : 'care'
}

const flagMarks = (history: readonly Point[], verdict: MarkedToken['verdict']): Happening[] =>
  steps(history).flatMap(([{ time, level, flags: now }, before]) => {
    if (!now) return []
    const was = before?.flags ?? []
    const began = now.filter((flag) => !was.includes(flag))
    const ended = was.filter((flag) => !now.includes(flag)).map((flag) => `No longer: ${FLAG_WORDS[flag]}`)
    return [
      ...began.map(
        (flag): Happening => ({
          ...{ time, tone: toneOfFlag(flag, level, verdict) },
          toText: () => capitalise(FLAG_WORDS[flag]),
        }),
      ),
      ...ended.map((text): Happening => ({ time, tone: 'neutral', toText: () => text })),
    ]
  })

const liquidityMarks = (events: readonly LiquidityEvent[]): Happening[] =>
  [...events]
    .sort((a, b) => b.amountUsd - a.amountUsd)
    .map(({ type, timestamp: time, amountUsd: amount }) =>
      type === 'liquidity_add'
        ? { time, amount, tone: 'good', toText: (sum) => `Liquidity +${dollars(sum)}` }
        : { time, amount, tone: 'bad', toText: (sum) => `Liquidity −${dollars(sum)}` },
    )

const levelMarks = (history: readonly Point[]): Happening[] =>
  steps(history)
    .filter(([now, before]) => now.level !== before?.level)
    .map(([{ time, level }]) => ({ time, tone: 'neutral', toText: () => `Risk: ${level}` }))
