// Lines of the measurements, each beside its goal.
import type { Comparison } from './compare.ts'
import { PARTS, type Shares } from './profile.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)

const lineOf = (cells: readonly string[], first = 46) =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(first) : cell.padStart(12))).join('')

const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED')

/** The heading of comparisons with another server. */
export const headRatios = (title: string, beside: string) =>
  say(`\n${lineOf([title, 'ours/s', beside, 'ratio', 'goal', '', 'p50 ms', 'p99 ms'])}`)

/** A rate beside another. Goal: at least this ratio; null: none. */
export const sayRatio = ({ route, ours, yardstick, ratio, p50Ms, p99Ms }: Comparison, goal: number | null) =>
  say(
    lineOf([
      route,
      ours.toFixed(0),
      yardstick.toFixed(0),
      ratio.toFixed(2),
      ...(goal === null ? ['', ''] : [`>= ${goal}`, verdict(ratio >= goal)]),
      ...[p50Ms, p99Ms].map(String),
    ]),
  )

export const headFigures = (title: string) => say(`\n${lineOf([title, 'measured', 'goal', ''])}`)

/** A figure that should be small. */
export const sayFigure = (name: string, value: number | null, most: number, unit: string) =>
  say(
    lineOf(
      value === null
        ? [name, 'not measured', `< ${most} ${unit}`, verdict(false)]
        : [name, `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, `< ${most} ${unit}`, verdict(value < most)],
    ),
  )

const percent = (share: number) => `${(100 * share).toFixed(0)} %`

export const headShares = () =>
  say(`\n${['time of the thread, by part'.padEnd(46), ...PARTS.map((part) => part.slice(0, 9).padStart(10))].join('')}`)

export const sayShares = (route: string, shares: Shares) =>
  say([route.padEnd(46), ...PARTS.map((part) => percent(shares[part]).padStart(10))].join(''))
