import { expect, it } from 'vitest'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import type { SentRequest } from '../../../src/chain/rpc/sent.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createTestClock } from '../../support/clock.ts'
import { createFakeChain } from '../../support/fake-chain.ts'

it('every request is counted with its calls by method, and repeated ones again', async () => {
  const chain = createFakeChain()
  const metrics = createMetrics()
  const sent: SentRequest[] = []
  const rpc = createRpc({
    endpoints: [chain],
    clock: createTestClock(),
    chainId: chain.chainId,
    attempts: 2,
    onSent: (each) => {
      sent.push(each)
      metrics.noteSent(each)
    },
  })
  await rpc.batch([
    { method: 'eth_getBlockByNumber', params: ['0x0', false] },
    { method: 'eth_getBlockByNumber', params: ['0x1', false], accept: (result) => result !== null },
    { method: 'eth_blockNumber', params: [] },
  ])
  expect(sent.map(({ calls }) => calls)).toEqual([
    { eth_chainId: 1 },
    { eth_getBlockByNumber: 2 },
    { eth_blockNumber: 1 },
    { eth_getBlockByNumber: 1 },
  ])
  const text = await metrics.text()
  expect(text).toContain('assay_provider_requests_total 4')
  expect(text).toContain('assay_provider_calls_total{method="eth_getBlockByNumber"} 3')
})
