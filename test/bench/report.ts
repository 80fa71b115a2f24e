// Lines of the measurements, each beside its goal.
import type { Comparison } from './compare.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)

const lineOf = (cells: readonly string[], first = 46) =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(first) : cell.padStart(12))).join('')

const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED')

/** The heading of comparisons with another server. */
export const headRatios = (title: string, beside: string) =>
  say(`\n${lineOf([title, 'ours/s', beside, 'ratio', 'goal', '', 'p50 ms', 'p99 ms'])}`)

/** A rate beside another. Goal: at least this ratio. */
export const sayRatio = ({ route, ours, yardstick, ratio, p50Ms, p99Ms }: Comparison, goal: number) =>
  say(
    lineOf([
      route,
      ours.toFixed(0),
      yardstick.toFixed(0),
      ratio.toFixed(2),
      ...[`>= ${goal}`, verdict(ratio >= goal)],
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
