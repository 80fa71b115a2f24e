// `npm run bench -- alerts [--alerts N] [--tokens N]`: measures how long it takes to find the alerts that a change of
// many tokens triggers, and how much memory the ranked alerts need. It compares before and after. Alerts and tokens are
// the same in every run.
import { parseArgs } from 'node:util'
import type { MatchFacts } from '../../src/alerts/match.ts'
import { createRoster, type RosterAlert } from '../../src/alerts/roster.ts'
import { RISK_FLAGS, toFlagBits } from '../../src/base/vocabulary.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { createRandom } from '../support/seed.ts'

const { values } = parseArgs({
  options: { alerts: { type: 'string', default: '100000' }, tokens: { type: 'string', default: '10000' } },
})
const random = createRandom(11)
const say = (line: string) => process.stdout.write(`${line}\n`)
const upTo = (powers: number) => 10 ** (powers * random())
const flags = (share: number) => RISK_FLAGS.filter(() => random() < share)

/** Two or three of the seven conditions, as people set them: most want little risk and enough liquidity. */
function filter(): TokenFilter {
  return {
    ...(random() < 0.7 && { minLiquidityUsd: upTo(6) }),
    ...(random() < 0.4 && { maxRiskScore: Math.floor(100 * random()) }),
    ...(random() < 0.3 && { excludeFlags: flags(0.4) }),
    ...(random() < 0.3 && { minHolderGrowth1hPct: Math.floor(50 * random()) }),
    ...(random() < 0.2 && { maxMarketCapUsd: upTo(9) }),
    ...(random() < 0.2 && { minMarketCapUsd: upTo(5) }),
    ...(random() < 0.3 && { maxAgeHours: upTo(3) }),
  }
}

const facts = (): MatchFacts => ({
  address: '0x',
  liquidityUsd: upTo(6),
  marketCapUsd: upTo(9),
  riskScore: 100 * random(),
  flagBits: toFlagBits(flags(0.1)),
  contractMarks: 0,
  holderGrowth1hPct: 60 * random() - 10,
  ageHours: upTo(4),
})

/** Moves the values by a few percent, as between two blocks. */
function moved(before: MatchFacts): MatchFacts {
  const factor = 0.95 + 0.1 * random()
  return {
    ...before,
    liquidityUsd: before.liquidityUsd * factor,
    marketCapUsd: before.marketCapUsd * factor,
    holderGrowth1hPct: before.holderGrowth1hPct + 2 * random() - 1,
  }
}

const memoryMb = () => Math.round(process.memoryUsage().rss / 2 ** 20)

const alerts = Array.from(
  { length: Number(values.alerts) },
  (_, id): RosterAlert => ({ id: String(id), revision: 1, filter: filter() }),
)
const changes = Array.from({ length: Number(values.tokens) }, () => {
  const before = facts()
  return { before, now: moved(before) }
})
const atStart = memoryMb()
const started = performance.now()
const roster = createRoster(alerts)
const ranked = performance.now()
const cpu = process.cpuUsage()
let entered = 0
let left = 0
for (const { before, now } of changes) {
  roster.compare(
    before,
    now,
    () => {
      entered += 1
    },
    () => {
      left += 1
    },
  )
}
const done = performance.now()
const { user, system } = process.cpuUsage(cpu)
say(`${roster.size} alerts, ${changes.length} changed tokens: ${entered} matches began, ${left} ended`)
say(`ranking the alerts, once: ${(ranked - started).toFixed(0)} ms`)
say(
  `comparing all tokens: ${(done - ranked).toFixed(0)} ms, ${((user + system) / 1000).toFixed(0)} ms of processor time`,
)
say(`resident memory: ${memoryMb()} MB, of which ${atStart} MB before the alerts were ranked`)
