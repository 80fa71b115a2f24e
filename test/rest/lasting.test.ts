// An answer about a token or wallet that a block did not change is kept beyond it, and names the new block. On a chain that the real
// writer writes, scores and takes back: nobody gets another's answer, or an old one.
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import { createGraph, type Graph } from '../../src/graph/graph.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { createChangeLog } from '../../src/ledger/changes.ts'
import { createHead } from '../../src/ledger/head.ts'
import type { Streams } from '../../src/stream/streams.ts'
import { silentLog } from '../support/access.ts'
import { marketPreset } from '../support/blocks.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { createTestServer } from '../support/rest.ts'

const { database, desk, other, append, rollBack, newest } = await createLiveLedger()
const rescore = createRescore({ database, preset: marketPreset })
await rescore.run()
const head = await createHead(database, systemClock)
const board = createBoardFeed({ database, head, clock: systemClock, log: silentLog })
await board.settle()
afterAll(async () => {
  await board.stop()
  await head.stop()
})

/** The documents that were run. */
let executed: string[] = []
const graphOf =
  (kept: boolean) =>
  (streams: Streams): Graph => {
    const { prisma } = database
    const graph = createGraph({
      ...(kept && { board }),
      ...{ database, prisma, head, clock: systemClock, log: silentLog, streams },
    })
    return {
      ...graph,
      execute: (...given) => {
        if (kept) executed.push(/\w+ (\w+)/.exec(given[0])?.[1] ?? '')
        return graph.execute(...given)
      },
    }
  }
const keeping = await createTestServer({ database, graph: graphOf(true), streams: { head } })
const fresh = await createTestServer({ database, graph: graphOf(false) })
const [one, two] = await Promise.all([
  keeping.knock({ plan: 'api', requestsPerMinute: 10_000 }),
  keeping.knock({ plan: 'api', requestsPerMinute: 20_000 }),
])

const pathsOf = ({ token, who }: { token: string; who: string }) => [
  `/tokens/${token}`,
  `/scores/token/${token}`,
  `/events?token_address=${token}&limit=5`,
  `/scores/wallet/${who}`,
  `/wallets/${who}/events?limit=5`,
]
const ALL = [...pathsOf(desk), ...pathsOf(other), `/wallets/${desk.who}`, `/wallets/${other.who}`, '/events', '/tokens']

/** What either key is answered is what is made anew. */
async function expectTrue(paths: readonly string[] = ALL) {
  for (const path of paths) {
    const expected = await fresh.ask(path)
    for (const { authorization } of [one, two]) {
      const given = await keeping.ask(path, { headers: { authorization } })
      expect([given.status, given.text], path).toEqual([200, expected.text])
      for (const name of ['etag', 'assay-block', 'assay-block-time'])
        expect(given.headers.get(name), `${name} of ${path}`).toBe(expected.headers.get(name))
    }
  }
}

/** Blocks arrive, or go; this process has heard of them, and of their scores where there are any. */
async function settle(isScored: boolean) {
  await append()
  if (isScored) await rescore.run()
  await heard()
}

/** One more notice comes after all before it. */
async function heard() {
  await head.refresh()
  const notice = new Promise((resolve) => head.onChange(resolve))
  await database.pool.query(`SELECT pg_notify('assay_head', 'x')`)
  await notice
  await board.settle()
}

describe('an answer about what a block did not change', () => {
  it('is not made anew, and names the new block', async () => {
    other.buy(10, 10)
    await settle(true)
    // What a block changed counts as changed at the next one too, since its scores come in between.
    desk.buy(10, 10)
    await settle(true)
    await expectTrue()
    const before = (await keeping.ask(`/tokens/${other.token}`)).json
    for (let round = 0; round < 3; round += 1) {
      desk.buy(5, 5)
      await settle(true)
      executed = []
      await expectTrue(pathsOf(other))
      expect(executed).toEqual([])
      await expectTrue(pathsOf(desk))
      expect(executed).toHaveLength(pathsOf(desk).length)
    }
    const after = (await keeping.ask(`/tokens/${other.token}`)).json
    expect(after.age_hours).toBeGreaterThan(before.age_hours)
    expect({ ...after, age_hours: 0 }).toEqual({ ...before, age_hours: 0 })
  })

  it('is none that is old or another’s, whatever blocks, scores and reorganisations come', async () => {
    const doings = [
      () => desk.buyForEther(40, 0.02),
      () => other.sell(3, 3),
      () => desk.give(1, other.who),
      () => other.price(1.25),
      () => desk.sell(4, 4),
      () => other.give(2),
      () => desk.price(0.5),
      () => desk.provide(100, 100),
    ]
    for (const [at, doing] of doings.entries()) {
      const from = newest()
      doing()
      await settle(at % 2 === 0)
      await expectTrue()
      if (at % 3 !== 2) continue
      // The chain goes back and comes again, now and then with something else in it.
      await rollBack(from)
      await heard()
      await expectTrue()
      if (at % 2 === 0) doing()
      else doings[0]?.()
      await settle(true)
      await expectTrue()
    }
  })
})

describe('the log of changes', () => {
  it('says what holds since a version, and that nothing does once it would be too long', () => {
    const log = createChangeLog(3)
    log.note(['a'], 1)
    log.note(['b', 'c'], 2)
    expect([log.holds(['a'], 1), log.holds(['a', 'b'], 1), log.holds(['d'], 0)]).toEqual([true, false, true])
    log.note(['d'], 3)
    expect([log.holds(['a'], 2), log.holds(['e'], 2), log.holds(['a'], 3)]).toEqual([false, false, true])
    log.note(null, 4)
    expect(log.holds([], 3)).toBe(false)
  })
})
