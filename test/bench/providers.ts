// `npm run bench -- providers`: what a provider is asked and bills at the head and for START=7d, at the rates of several
// chains. Nothing waits: the provider and the clock are simulated.
import { parseArgs } from 'node:util'
import type { FollowOptions } from '../../src/chain/follow/follow.ts'
import { type Bill, type HeadTrial, simulateBackfill, simulateHead } from '../support/provider-bill.ts'
import { CHAIN_RATES } from './chain-rates.ts'

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '0.25' }, blocks: { type: 'string', default: '600' } },
})
const [hours, sample] = [Number(values.hours), Number(values.blocks)]

const CHAINS = Object.entries(CHAIN_RATES)
const READS: readonly (readonly [string, FollowOptions['headReads'], HeadTrial])[] = [
  ['latency', { kind: 'latency' }, {}],
  ['latency, HEADS_URL', { kind: 'latency' }, { isTold: true }],
  ['saving', { kind: 'interval', ms: 16_000 }, {}],
]

const say = (...cells: (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
const round = (number: number) => Math.round(number).toLocaleString('en')
const at = (delays: readonly number[], part: number) =>
  delays.toSorted((a, b) => a - b)[Math.floor(delays.length * part)] ?? Number.NaN
const millions = (units: number) => (units / 1e6).toFixed(1)
const callsOf = ({ calls }: Bill, factor: number) =>
  [...calls].map(([method, count]) => `${method} ${round(count * factor)}`).join(', ')

say('Chain', 'Read', 'Requests a day', 'Million units a day', 'Delay, median', 'Delay, 95 %', 'Calls a day')
for (const [name, { blockMs }] of CHAINS)
  for (const [reads, headReads, trial] of READS) {
    // Logs change the bytes alone.
    const cost = await simulateHead({ blockMs, logsPerBlock: 1 }, hours, headReads, trial)
    const [median, late] = [at(cost.delays, 0.5), at(cost.delays, 0.95)].map(
      (ms) => `${(ms / 1_000).toFixed(2)} s`,
    ) as [string, string]
    const factor = 24 / hours
    say(name, reads, round(cost.requests * factor), millions(cost.units * factor), median, late, callsOf(cost, factor))
  }
say('Chain', 'Blocks of 7 days', 'Requests', 'Million units', 'GB', 'Calls')
for (const [name, rates] of CHAINS) {
  const blocks = (7 * 86_400_000) / rates.blockMs
  const few = Math.min(blocks, sample)
  const cost = await simulateBackfill(rates, few)
  const factor = blocks / few
  say(
    name,
    round(blocks),
    round(cost.requests * factor),
    millions(cost.units * factor),
    ((cost.bytes * factor) / 1e9).toFixed(1),
    callsOf(cost, factor),
  )
}
