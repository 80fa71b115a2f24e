// `check` against a real node and against one that refuses, and its words and costs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { probe } from '../../src/chain/connect/probe.ts'
import type { OldBlocks } from '../../src/chain/connect/probe-history.ts'
import { measureBlocks } from '../../src/chain/connect/probe-rates.ts'
import { createHttpEndpoint } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { costOf, createCheck, describeTraces, headCostOf } from '../../src/cli/check.ts'
import type { Context } from '../../src/cli/context.ts'
import { describeProvider, type TriedProvider } from '../../src/cli/provider-words.ts'
import { type Anvil, anvilBinary, startAnvil } from '../support/anvil.ts'
import { createFakeChain, type FakeChain } from '../support/fake-chain.ts'
import { startRpcServer } from '../support/rpc-server.ts'

const found: TriedProvider = {
  chainId: 1,
  client: 'Geth/v1.16',
  head: 1_000_000,
  headTime: 1_800_000_000,
  finalized: 999_936,
  stateDepth: 128,
  stateRefused: 1_000,
  old: { from: 1, blocks: 1, logs: 1, receipts: 1 },
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
  traces: { method: 'trace_block', bytesPerBlock: 500_000, secondsPerBlock: 0.25, hasOld: false },
  can: { simulate: true, share: true, override: true, construct: true, later: true, execute: true },
}
const NOW = new Date(1_800_000_012_000)

describe('the description of a provider', () => {
  test('names the accepted range, the available state, and their consequences', () => {
    const lines = describeProvider('node.example', found, [], NOW)
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
    const poor = {
      ...found,
      can,
      finalized: null,
      stateDepth: 0,
      stateRefused: 128,
      logs: null,
      headTime: 1_799_990_000,
    }
    const text = describeProvider('node.example', poor, ['set CHAIN_CONFIG'], NOW).join('\n')
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

describe('the traces of a provider', () => {
  test('are named with what they cost, and where they end', () => {
    const text = describeProvider('node.example', found, [], NOW).join('\n')
    expect(text).toContain('traces by trace_block: 500 kB and 0.25 s a block; of block 1 not')
    const [told = ''] = describeTraces(found, 1_000_000)
    expect(told).toContain('TRACES=on adds 1000000 calls of trace_block, 20.0 million units and 500.0 GB')
    expect(told).toContain('a month at the head 4.3 million units.')
    expect(told).toContain('It does not trace the first of them')
    const nested = { ...found, traces: found.traces && { ...found.traces, method: 'debug_traceBlockByHash' } }
    expect(describeTraces(nested, 1_000_000)[0]).toContain('40.0 million units')
  })

  test('that it does not have are no cost, and payments are said to be unknown', () => {
    expect(describeTraces({ ...found, traces: null }, 5)).toEqual([])
    expect(describeProvider('x', { ...found, traces: null }, [], NOW).join('\n')).toContain(
      'no traces: payments inside',
    )
  })
})

test('blocks of a fast chain are timed by the thousandths of their time, where the node tells them truly', async () => {
  const secondsOf = async (thousandths: (at: number) => number | undefined) => {
    const chain = createFakeChain(1, 0.2)
    chain.mine(...Array.from({ length: 40 }, () => 0))
    const { answer } = chain
    chain.answer = (method, params) => {
      const answered = answer(method, params)
      if (method !== 'eth_getBlockByNumber' || !('result' in answered) || !answered.result) return answered
      const block = answered.result as { number: string; timestamp: string }
      const ms = thousandths(Number(block.number))
      return { result: { ...block, ...(ms !== undefined && { timestampMs: `0x${ms.toString(16)}` }) } }
    }
    const ask = async (method: string, ...params: unknown[]) => (await chain.send([{ method, params }]))[0]!
    return (await measureBlocks(ask, 40, systemClock)).secondsPerBlock
  }
  expect(await secondsOf((at) => 1_760_000_000_000 + 200 * at)).toBeCloseTo(0.2, 6)
  // Thousandths of another second are no time of this block.
  const whole = await secondsOf(() => undefined)
  expect(await secondsOf((at) => 9_000_000_000_000 + at)).toBe(whole)
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
    expect(findings.traces).toMatchObject({ method: 'trace_block' })
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

test('logs without a topic take one request for 2,000 blocks, or for as many as the provider gives', () => {
  const logsOf = (logs: typeof found.logs, hasBare: boolean) =>
    costOf({ ...found, logs }, 1_000_000, hasBare).calls.eth_getLogs
  const { logs } = found
  expect(logsOf(logs, true) - logsOf(logs, false)).toBe(2_000)
  const unrefused = logs && { ...logs, refusal: null }
  expect(logsOf(unrefused, true) - logsOf(unrefused, false)).toBe(500)
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

describe('what a provider did not answer, or was not asked', () => {
  test('is unknown and never a "no"', () => {
    const unknown = { from: 1, blocks: null, logs: null, receipts: null }
    const can = { simulate: null, share: null, override: null, construct: null, later: null, execute: null }
    const text = describeProvider(
      'node.example',
      { ...found, finalized: 'unknown', stateDepth: 0, stateRefused: null, old: unknown, hasMulticall: null, can },
      [],
      NOW,
    ).join('\n')
    for (const line of [
      'finalized tag unknown',
      'state of older blocks unknown',
      'from block 1: blocks: unknown; logs: unknown; receipts: unknown',
      'Multicall3 is unknown',
    ])
      expect(text).toContain(line)
    for (const no of ['lower bounds', 'finalityDepth', 'would lack', 'not_checked', 'names alone', 'no Multicall3'])
      expect(text).not.toContain(no)
  })

  test('is asked again after a fault that may pass', async () => {
    const server = await startRpcServer(shortChain())
    try {
      const once = new Set<string>()
      server.intervene(([request]) => {
        const key = JSON.stringify([request?.method, request?.params])
        if (once.has(key)) return undefined
        once.add(key)
        return { status: 429, headers: { 'retry-after': '0' }, body: '' }
      })
      const told = await probe(createHttpEndpoint(server.url), systemClock)
      expect(told).toMatchObject({ finalized: null, stateDepth: 20, stateRefused: null, hasMulticall: false })
      expect(told.old).toEqual({ from: 1, blocks: 1, logs: 1, receipts: 1 })
    } finally {
      await server.close()
    }
  })
})

/** A chain that is shorter than every depth of state that is asked for on long ones. */
function shortChain(): FakeChain {
  const chain = createFakeChain()
  chain.mine(...Array.from({ length: 20 }, () => 2))
  chain.hasReceipts = true
  const { answer } = chain
  chain.answer = (method, params) => (method === 'eth_getBalance' ? { result: '0x0' } : answer(method, params))
  return chain
}

describe('the old blocks of a provider', () => {
  const lacks = (found: OldBlocks): string => describeProvider('x', { ...base, old: found }, [], NOW).join('\n')
  const base = found

  test.each([
    ['an empty list, as reth gave', { result: [] }],
    ['the code of pruned history', { error: { code: 4444, message: 'pruned history unavailable' } }],
    ['unknown words', { error: { code: -32000, message: 'gone' } }],
  ])('that lack their logs are found by their blooms, also where the answer is %s', async (_, dropped) => {
    const server = await startRpcServer(shortChain())
    try {
      server.replace(({ method, params }) => {
        const [filter] = params as [{ fromBlock?: string } | string]
        const at = typeof filter === 'string' ? Number(filter) : Number(filter?.fromBlock)
        if (method === 'eth_getLogs' && at < 13) return dropped
        return method === 'eth_getBlockReceipts' && at < 15 ? { result: null } : undefined
      })
      const { old } = await probe(createHttpEndpoint(server.url), systemClock, { findStart: async () => 5 })
      expect(old).toEqual({ from: 5, blocks: 5, logs: 13, receipts: 15 })
      expect(lacks(old)).toContain(
        '-> An index from block 5 would lack everything before block 13: begin there or later',
      )
      expect(lacks(old)).toContain('-> Logs before block 15 cannot be checked against receipts.')
    } finally {
      await server.close()
    }
  })

  test('that are gone whole are found, and those that are there are said to be there', async () => {
    const server = await startRpcServer(shortChain())
    try {
      server.replace(({ method, params }) =>
        method === 'eth_getBlockByNumber' && Number(params[0]) < 9 ? { result: null } : undefined,
      )
      const { old } = await probe(createHttpEndpoint(server.url), systemClock)
      expect(old).toEqual({ from: 1, blocks: 9, logs: 9, receipts: 9 })
      expect(lacks(old)).toContain('from block 1: blocks: from block 9; logs: from block 9')
      expect(lacks({ from: 5, blocks: 5, logs: 5, receipts: 5 })).toContain('from block 5: blocks: all; logs: all')
    } finally {
      await server.close()
    }
  })
})

test('advice about CHAIN_CONFIG follows the configuration: none where a valid one is set', async () => {
  const server = await startRpcServer(shortChain())
  const config = { wrappedNative: `0x${'e'.repeat(40)}`, factories: [], stablecoins: [], finalityDepth: 20 }
  try {
    const said = async (text: string | undefined): Promise<string> => {
      const lines: string[] = []
      const print = (line: string) => void lines.push(line)
      const context = { print, clock: systemClock, config: () => ({ CHAIN_CONFIG: text }) } as unknown as Context
      await createCheck(context).parseAsync([server.url], { from: 'user' })
      return lines.join('\n')
    }
    expect(await said(undefined)).toContain('-> There is no preset for this chain: set CHAIN_CONFIG.')
    expect(await said(JSON.stringify(config))).not.toContain('CHAIN_CONFIG')
    expect(await said(JSON.stringify({ ...config, chainId: 1 }))).toContain('-> CHAIN_CONFIG is for chain 1')
  } finally {
    await server.close()
  }
})
