// Pools of Uniswap V4's own manager on a live EVM that are older than the start block and whose keys no contract has.
// The logs of their openings have them. One node answers for any range, one refuses wide ranges, and one has also lost
// old state.
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { rootAtTick } from '../../src/book/prices/tick-math.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { type Call, createHttpEndpoint, type Endpoint, type RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { openManager } from '../support/managed-live.ts'
import { idOf, type ManagedKey } from '../support/market/managed.ts'
import { ether, units } from '../support/market/trade.ts'

const POOLS = 4
const WIDEST = 3

const title = `older pools of Uniswap V4’s manager${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let preset: Preset
  let keys: ManagedKey[]
  let startBlock: number

  beforeAll(async () => {
    live = await createLive()
    const { chain, founder, mine, trade, anvil } = live
    const blockNumber = async () => Number(await anvil.rpc('eth_blockNumber', []))
    const fromBlock = (await blockNumber()) + 1
    const managed = await openManager(live)
    const token = await chain.deploy(founder, 'plainToken', ['Old', 'OLD', 18, units(1e7, 18), founder])
    await mine()
    keys = Array.from({ length: POOLS }, (_, n) => ({
      currency0: zeroAddress,
      currency1: token,
      fee: 500 * (n + 1),
      tickSpacing: 10,
      hooks: zeroAddress,
    }))
    for (const key of keys) {
      await managed.open(founder, key, rootAtTick(69_080))
      for (let n = 0; n < 5; n++) await mine()
      await managed.mint(founder, key, [49_080, 89_080], 10n ** 20n, ether(500))
      await mine()
    }
    startBlock = (await blockNumber()) + 1
    await trade.mintUsd(founder, units(1_000, 6))
    // What gives the native coin a price in an index that begins here.
    await trade.addLiquidity(live.venues.uniswapV2, founder, live.venues.usd, units(300, 6), ether(0.1))
    await mine()
    for (const key of keys) await managed.swap(founder, key, true, units(0.5, 18))
    await mine()
    for (const key of keys) await managed.swap(founder, key, true, units(0.5, 18))
    await mine()
    const factories = managed.preset.factories.map((factory) => {
      const { positions: _, ...others } = factory
      return factory.kind === 'v4' ? { ...others, fromBlock } : factory
    })
    preset = { ...managed.preset, factories, startBlock }
  })
  afterAll(() => live?.anvil.stop())

  /** Refuses wide ranges of one contract's logs, and perhaps the state of blocks before the start. */
  const strict = (node: Endpoint, isPruned: boolean): Endpoint => ({
    ...node,
    send: async (calls) => {
      const answers = await node.send(calls)
      return answers.map((answer, at): RpcAnswer => {
        const { method, params } = calls[at] as Call
        const [subject, tag] = params as [Record<string, string>, string]
        if (
          method === 'eth_getLogs' &&
          subject.address &&
          Number(subject.toBlock) - Number(subject.fromBlock) >= WIDEST
        )
          return { error: new RpcError('range', 'the block range is too wide') }
        if (isPruned && method === 'eth_call' && tag !== 'latest' && Number(tag) < startBlock)
          return { error: new RpcError('pruned', 'missing trie node') }
        return answer
      })
    },
  })

  test.each([
    ['answers for any range', (node: Endpoint) => node],
    ['refuses wide ranges', (node: Endpoint) => strict(node, false)],
    ['refuses them and has lost old state', (node: Endpoint) => strict(node, true)],
  ])('are known with their keys and trades through a node that %s', async (_, behind) => {
    const database = await createTestDatabase()
    const rpc = createRpc({ endpoints: [behind(createHttpEndpoint(live.anvil.url, {}))], clock: systemClock })
    const source = createSource({ rpc, preset, clock: systemClock })
    await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
    const { rows } = await database.pool.query(
      `SELECT p.address AS id, p.fee, p.tick_spacing AS spacing, t.address AS token, p.kind,
         (SELECT count(*)::int FROM event e WHERE e.pool_id = p.id AND e.type = 1) AS swaps, p.reserve0 > 0 AS has0
       FROM pool p JOIN token t ON t.id = p.base_id WHERE p.kind = 'v4' ORDER BY p.fee`,
    )
    const token = toAddress(keys[0]?.currency1 ?? '')
    expect(rows).toEqual(
      keys.map((key) => ({ id: idOf(key), fee: key.fee, spacing: 10, token, kind: 'v4', swaps: 2, has0: true })),
    )
  })
})
