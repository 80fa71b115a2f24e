// Finality without the tag `finalized`, in seconds, by how long the newest blocks took.
import { expect, test } from 'vitest'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { testPreset } from '../../support/chain.ts'
import { createTestClock } from '../../support/clock.ts'
import { createFakeChain } from '../../support/fake-chain.ts'

function open(blockSeconds: number, count: number, rule: { finalityDepth?: number; finalitySeconds?: number }) {
  const chain = createFakeChain(31337, blockSeconds)
  chain.mine(...Array.from({ length: count }, () => 0))
  const clock = createTestClock()
  const { finalityDepth: _, ...preset } = testPreset()
  const rpc = createRpc({ endpoints: [chain], clock })
  return createSource({ rpc, preset: { ...preset, ...rule }, clock })
}

test.each([
  [0.2, 3_000, { finalitySeconds: 200 }, 2_000],
  [0.1, 3_000, { finalitySeconds: 200 }, 1_000],
  [2, 3_000, { finalitySeconds: 200 }, 2_900],
  [12, 500, { finalitySeconds: 200 }, 483],
  [0.2, 3_000, { finalityDepth: 20 }, 2_980],
  [0.2, 3, { finalitySeconds: 200 }, -1],
  [0.2, 3_000, { finalitySeconds: 0 }, 2_999],
])('blocks of %f s: of %i blocks with %j the newest final one is %i', async (seconds, count, rule, final) => {
  expect(await open(seconds, count, rule).readFinalized(count)).toBe(final)
})
