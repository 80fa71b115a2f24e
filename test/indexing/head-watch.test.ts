import { describe, expect, it } from 'vitest'
import type { HeadReads } from '../../src/base/head-reads.ts'
import type { Source } from '../../src/chain/source/source.ts'
import { watchHead } from '../../src/indexing/head-watch.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createTestClock } from '../support/clock.ts'

function startWatch(heads: number[], headReads?: HeadReads) {
  const clock = createTestClock()
  const noted: number[] = []
  const asked = { count: 0 }
  const source = {
    readHead: async () => {
      asked.count += 1
      const number = heads.shift()
      if (number === undefined) throw new Error('away')
      return { number, hash: '0x', parentHash: '0x' }
    },
  } as unknown as Source
  const metrics = createMetrics()
  const watch = watchHead({ source, clock, metrics, headReads, note: async (head) => void noted.push(head) })
  return { clock, noted, asked, metrics, watch }
}

describe('the head of the source', () => {
  it('is noted when the follower is told of it, once a second at most', async () => {
    const { clock, noted, watch, metrics } = startWatch([10, 11, 12, 12, 12])
    await watch.source.readHead()
    await watch.source.readHead()
    expect(noted).toEqual([10])
    clock.advance(1_000)
    await watch.source.readHead()
    clock.advance(1_000)
    await watch.source.readHead()
    expect(noted).toEqual([10, 12])
    clock.advance(5_000)
    await watch.source.readHead()
    expect(noted).toEqual([10, 12, 12])
    const text = await metrics.text()
    expect(text).toContain('\nassay_source_block 12\n')
    expect(text).toContain(`\nassay_source_seen_seconds ${clock.now().getTime() / 1_000}\n`)
  })

  it('is asked for while a batch waits and nobody else asks', async () => {
    const { clock, noted, asked, watch } = startWatch([10, 202])
    await watch.source.readHead()
    await watch.look()
    expect(asked.count).toBe(1)
    clock.advance(15_000)
    await watch.look()
    expect(noted).toEqual([10, 202])
  })

  it('that cannot be told keeps its age and stops nothing', async () => {
    const { clock, noted, watch, metrics } = startWatch([10])
    await watch.source.readHead()
    const seen = clock.now().getTime() / 1_000
    clock.advance(15_000)
    await watch.look()
    expect(noted).toEqual([10])
    expect(await metrics.text()).toContain(`\nassay_source_seen_seconds ${seen}\n`)
  })

  it('is asked for later where blocks are read together', async () => {
    const { clock, asked, watch } = startWatch([10, 11], { kind: 'interval', ms: 16_000 })
    await watch.source.readHead()
    clock.advance(31_000)
    await watch.look()
    expect(asked.count).toBe(1)
    clock.advance(1_000)
    await watch.look()
    expect(asked.count).toBe(2)
  })
})
