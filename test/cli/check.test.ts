// `check` against a real node and against one that refuses, and its words and costs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { probe } from '../../src/chain/connect/probe.ts'
import { createHttpEndpoint } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { costOf, describeProvider, headCostOf, type TriedProvider } from '../../src/cli/check.ts'
import { type Anvil, anvilBinary, startAnvil } from '../support/anvil.ts'

const found: TriedProvider = {
  chainId: 1,
  client: 'Geth/v1.16',
  head: 1_000_000,
  headTime: 1_800_000_000,
  finalized: 999_936,
  stateDepth: 128,
  logs: {
    blocks: 500,
    refusal: 'query exceeds max block range 500',
    logsPerBlock: 200,
    logsPerSecond: 20_000,
    bytesPerLog: 700,
    pairs: { all: 40_000, half: 25_000 },
    tokens: { all: 1_000, half: 700 },
  },
  batch: 100,
  hasMulticall: false,
  blocksPerSecond: 50,
  secondsPerBlock: 12,
  can: { simulate: true, override: true, construct: true, later: true, execute: true },
}
const NOW = new Date(1_800_000_012_000)

describe('the description of a provider', () => {
  test('names the accepted range, the available state, and their consequences', () => {
    const lines = describeProvider('node.example', found, true, NOW)
    expect(lines).toContain('  newest block 1000000, 12s old')
    expect(lines).toContain('  final up to block 999936, 64 behind the newest')
    expect(lines.join('\n')).toContain(
      '500 blocks at once, 200 transfers a block, 20000 logs/s; more is refused: query exceeds',
    )
    expect(lines).toContain(
      '  -> No archive node: opening balances are exact only while the index is within 128 blocks of the head.',
    )
    expect(lines).toContain('  -> Nothing to set: ranges shrink to the size that it accepts.')
    expect(lines).toContain(
      '  contract checks: eth_simulateV1 yes, state overrides yes, a later time yes, eth_call without to yes',
    )
  })

  test('describes a chain without a preset, a node that is behind, and one without logs', () => {
    const can = { ...found.can, simulate: false, override: false }
    const poor = { ...found, can, finalized: null, stateDepth: 0, logs: null, headTime: 1_799_990_000 }
    const text = describeProvider('node.example', poor, false, NOW).join('\n')
    for (const advice of [
      'set CHAIN_CONFIG',
      'it is behind',
      'finalityDepth',
      'lower bounds',
      'known by names alone',
      'nothing can be indexed',
    ])
      expect(text).toContain(advice)
  })

  test('an index of a million blocks costs its blocks, its ranges, their bytes and the slower of both rates', () => {
    const cost = costOf(found, 1_000_000)
    expect(cost.calls).toMatchObject({
      eth_getBlockByNumber: 1_000_000,
      eth_getLogs: 1_002_000,
      eth_getBlockReceipts: 10_000,
    })
    // Half of the blocks have 62.5 % of the balances, so 2,000 times as many blocks have 173 times as many.
    expect(cost.calls.eth_call / (40_000 * 2_000 ** Math.log2(1.6))).toBeCloseTo(1, 1)
    const { eth_call: calls } = cost.calls
    expect(cost.requests).toBe(2_012_000 + calls)
    expect(cost.units).toBe(1_002_000 * 60 + 1_010_000 * 20 + calls * 26)
    expect(cost.seconds).toBe(20_000)
    expect(cost.bytes).toBe(200e6 * 700 + 1e6 * 60_000)
  })
})

test('a provider that does not say its chain is an error, not a finding', async () => {
  const silent = { name: 'x', send: async () => [{ error: new RpcError('auth', 'invalid key') }] }
  await expect(probe(silent, systemClock)).rejects.toThrow('invalid key')
})

describe.skipIf(!anvilBinary)('a real node (skipped without anvil)', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil()
  })
  afterAll(() => anvil?.stop())

  test('shows its chain, its final block, its batches and its logs', async () => {
    const findings = await probe(createHttpEndpoint(anvil.url), systemClock)
    expect(findings).toMatchObject({ chainId: 31_337, batch: 100, logs: { refusal: null } })
    expect(findings.client).toContain('anvil')
    expect(findings.finalized).not.toBeNull()
    expect(findings.blocksPerSecond).toBeGreaterThan(0)
    expect(findings.hasMulticall).toBe(false)
  })
})

test('a month at the head of a chain of two seconds costs what a simulated provider billed', () => {
  const { latency, saving } = headCostOf(2)
  // docs/scaling.md: 58,752 requests and 3.6 million units a day, or 11,136 and 2.0.
  expect(latency.requests / (30 * 58_752)).toBeCloseTo(1, 1)
  expect(latency.units / (30 * 3.6e6)).toBeCloseTo(1, 0)
  expect(saving.requests / (30 * 11_136)).toBeCloseTo(1, 1)
  expect(saving.units / (30 * 2.0e6)).toBeCloseTo(1, 0)
})

test('the calls of contracts in an estimate grow with every block where no balance was met twice', () => {
  const { logs } = found
  const sparse = {
    ...found,
    logs: logs && { ...logs, pairs: { all: 1_000, half: 500 }, tokens: { all: 10, half: 10 } },
  }
  expect(costOf(sparse, 5_000).calls.eth_call).toBe(10_000 + 4 * 10)
  const together = costOf({ ...sparse, hasMulticall: true }, 5_000).calls.eth_call
  expect(together).toBe(Math.ceil(10_040 / 150) + 6 * Math.ceil((5_000 * 200) / 3_000))
  expect(costOf({ ...found, logs: null }, 5_000).calls.eth_call).toBe(0)
})
