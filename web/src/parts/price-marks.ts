// The events of a token in its chart's time. They are dangers that a check found, added or removed liquidity, flags that
// were set or ended, and changes of the risk's level. Each is a mark on the time axis and, in the same words, a line in the list for readers
// who cannot see the chart.
import { FLAG_WORDS } from '../../../src/verdict/flag-words.ts'
import { capitalise } from '../../../src/words/numbers.ts'
import { type Mark, toSeconds } from '../chart/pane.ts'
import { dollars } from '../format.ts'
import type { ChartToken } from '../pages/token-chart.ts'

/** The most important first: if two texts overlap, the chart leaves out the later one. */
export function marksOf({ candles, added, removed, history: { history }, verdict }: ChartToken): Mark[] {
  const starts = candles.map(({ start }) => toSeconds(start))
  const flags = flagMarks(history)
  const isFirst = (one: Happening): boolean => flags.find(({ time }) => time === one.time) === one
  const happened = [
    ...foundMarks(verdict),
    ...flags.filter(isFirst),
    ...liquidityMarks([...added.nodes, ...removed.nodes]),
    ...flags.filter((flag) => !isFirst(flag)),
    ...levelMarks(history),
  ]
  const marks = new Map<string, Mark & { amount: number }>()
  for (const { time, toText, tone, amount = 0 } of happened) {
    const start = starts.findLast((one) => one <= toSeconds(time))
    if (start === undefined) continue
    const name = `${start} ${toText(0)}`
    const sum = (marks.get(name)?.amount ?? 0) + amount
    marks.set(name, { time: start, tone, amount: sum, text: toText(sum) })
  }
  return [...marks.values()]
}

interface Happening {
  time: string
  tone: Mark['tone']
  /** Of its amount, or of the sum of those of one candle. */
  toText(amount: number): string
  amount?: number
}

/** What a contract check found, at the block of the check. */
const foundMarks = (verdict: ChartToken['verdict']): Happening[] =>
  (verdict?.findings ?? []).flatMap(({ kind, since, text }) =>
    kind === 'danger' && since !== null ? [{ time: since, tone: 'bad', toText: () => text }] : [],
  )

type Point = ChartToken['history']['history'][number]

/** Pairs of a point of the history, which is newest first, and the previous one in time. */
const steps = (history: readonly Point[]): [Point, Point | undefined][] =>
  history.map((point, at) => [point, history[at + 1]])

const flagMarks = (history: readonly Point[]): Happening[] =>
  steps(history).flatMap(([{ time, flags: now }, before]) => {
    if (!now) return []
    const was = before?.flags ?? []
    const began = now.filter((flag) => !was.includes(flag)).map((flag) => capitalise(FLAG_WORDS[flag]))
    const ended = was.filter((flag) => !now.includes(flag)).map((flag) => `No longer: ${FLAG_WORDS[flag]}`)
    return [
      ...began.map((text): Happening => ({ time, tone: 'bad', toText: () => text })),
      ...ended.map((text): Happening => ({ time, tone: 'neutral', toText: () => text })),
    ]
  })

const liquidityMarks = (events: ChartToken['added']['nodes']): Happening[] =>
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
