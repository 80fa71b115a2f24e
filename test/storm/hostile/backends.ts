// Attacks on the services that the program uses: a paused Redis, a silent database.
import { type Attack, pause, type Target } from './attack.ts'
import { beside } from './setting.ts'

/** The highest median latency of requests while Redis does not answer. */
const PAUSED_MEDIAN_MS = 250
const ROUNDS = 30

/** Sends a request of a rate-limited customer. */
const ask = ({ client, stage }: Target) =>
  client.ask({ path: '/v1/tokens?limit=5', headers: { authorization: `Bearer ${stage.keys.large}` } })

export const backendAttacks: Attack[] = [
  {
    name: 'Redis is paused and resumed',
    setting: 'redis',
    allowed: /^200$/,
    honest: { statuses: [], p99Ms: 1_500 },
    run: async (target) => {
      const { redis } = beside
      redis?.pause()
      try {
        await ask(target)
        const times: number[] = []
        while (times.length < ROUNDS && !target.isOver()) {
          const startedMs = performance.now()
          await ask(target)
          times.push(performance.now() - startedMs)
        }
        const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
        if (median > PAUSED_MEDIAN_MS) target.tally.fault(`each request took ${median.toFixed(0)} ms without Redis`)
      } finally {
        redis?.resume()
      }
    },
  },
  {
    name: 'the database is silent for 6 s and comes back',
    setting: 'database',
    allowed: /^(200|503|silent)$/,
    needed: /^200$/,
    honest: { statuses: [503], p99Ms: 12_000 },
    run: async (target) => {
      const { gate } = beside
      gate?.hold()
      try {
        const asking = Array.from({ length: 50 }, () => ask(target))
        await pause(6_000, target.signal)
        gate?.resume()
        await Promise.race([Promise.all(asking), pause(3_000, target.signal)])
      } finally {
        gate?.resume()
      }
      await target.client.ask({ path: '/readyz' })
      await ask(target)
    },
  },
  {
    name: 'the database is cut off and comes back',
    setting: 'database',
    allowed: /^(200|503)$/,
    needed: /^200$/,
    honest: { statuses: [503], p99Ms: 12_000 },
    run: async (target) => {
      const { gate } = beside
      gate?.cut()
      try {
        for (let round = 0; round < 20 && !target.isOver(); round++) {
          await ask(target)
          await pause(100)
        }
      } finally {
        await gate?.open()
      }
      for (let round = 0; round < 40 && !target.isOver() && (await ask(target))?.status !== 200; round++)
        await pause(100)
    },
  },
]
