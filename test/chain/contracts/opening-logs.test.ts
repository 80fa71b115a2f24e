// Pools that only the log of their opening tells, from nodes that answer any range, refuse wide ones, have lost old state, or fail.
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import { MOST_RANGES } from '../../../src/chain/contracts/opening-logs.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import type { Call, Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, '0')}`)
const [MANAGER, POSITIONS, WRAPPED] = [address(1), address(2), address(9)]
const FROM = 1_000_000
const NEWEST = 16_000_000
const preset = {
  wrappedNative: WRAPPED,
  factories: [
    { address: MANAGER, kind: 'v4' as const, launchpad: 'uniswap_v4', positions: POSITIONS, fromBlock: FROM },
  ],
}

interface Opened {
  id: Address
  block: number
  log: object
}

/** A pool of the native coin and a token of its own. */
function open(n: number, block: number): Opened {
  const types = parseAbiParameters('address, address, uint24, int24, address')
  const key = encodeAbiParameters(types, [address(0), address(100 + n), 3000, -60, address(0x40)]).slice(2)
  const words = key.match(/.{64}/g) ?? []
  const id = keccak256(`0x${key}`) as string as Address
  const log = {
    address: MANAGER,
    topics: [TOPICS.v4_initialize, id, `0x${words[0]}`, `0x${words[1]}`],
    data: `0x${words.slice(2).join('')}${word(5n)}${word(0n)}`,
    blockHash: `0x${word(1n)}`,
    transactionHash: `0x${word(2n)}`,
    logIndex: '0x0',
  }
  return { id, block, log }
}

interface Node {
  widest?: number
  isPruned?: boolean
  fault?: (call: Call) => RpcError | null
}

/** A node with these pools; it counts its questions. */
function createNode(opened: readonly Opened[], { widest = Number.POSITIVE_INFINITY, isPruned, fault }: Node = {}) {
  const counts = { logs: 0, refused: 0, states: 0 }
  const slots = new Map(opened.map(({ id, block }) => [keccak256(`${id}${word(6n)}` as `0x${string}`), block]))
  const answer = (call: Call): RpcAnswer => {
    const failed = fault?.(call)
    if (failed) return { error: failed }
    const [subject, tag] = call.params as [Record<string, string> & { topics: string[][] }, string]
    if (call.method === 'eth_getLogs') {
      counts.logs += 1
      const [from, to] = [Number(subject.fromBlock), Number(subject.toBlock)]
      if (to - from + 1 > widest) {
        counts.refused += 1
        return { error: new RpcError('range', 'block range is too wide') }
      }
      const ids = new Set(subject.topics[1])
      expect(ids.size).toBeLessThanOrEqual(200)
      return {
        result: opened.filter(({ id, block }) => ids.has(id) && block >= from && block <= to).map(({ log }) => log),
      }
    }
    if (subject.to !== MANAGER) return { error: new RpcError('execution', 'execution reverted') }
    counts.states += 1
    if (isPruned && tag !== 'latest') return { error: new RpcError('pruned', 'missing trie node') }
    const at = tag === 'latest' ? NEWEST : Number(tag)
    const block = slots.get(`0x${`${subject.data}`.slice(10)}`)
    return { result: `0x${word(block !== undefined && block <= at ? 5n : 0n)}` }
  }
  const endpoint: Endpoint = { name: 'node', send: async (calls) => calls.map(answer) }
  const reader = createChainReader(createRpc({ endpoints: [endpoint], clock: createTestClock() }), preset)
  return { counts, read: (ids: Address[], block = NEWEST) => reader.readPools(ids, block) }
}

const many = (count: number, first = FROM, last = NEWEST) =>
  Array.from({ length: count }, (_, n) => open(n, first + Math.floor(((last - first) * n) / count)))
const idsOf = (opened: readonly Opened[]) => opened.map(({ id }) => id)

describe('pools of a manager that no contract tells the keys of', () => {
  it('are found by the logs of their openings in one question for every 200', async () => {
    const opened = many(250)
    const { read, counts } = createNode(opened)
    const pools = await read(idsOf(opened))
    expect([...pools.values()].filter((pool) => pool === null)).toEqual([])
    expect(pools.get(opened[3]?.id as Address)).toMatchObject({
      kind: 'v4',
      factory: MANAGER,
      token0: WRAPPED,
      token1: address(103),
      fee: 3000,
      tickSpacing: -60,
      hooks: address(0x40),
      sqrtPriceX96: 5n,
    })
    expect(counts.logs).toBe(2)
  })

  it('are found by halves where a node refuses so many blocks, one range for each in the end', async () => {
    const opened = many(50)
    const { read, counts } = createNode(opened, { widest: 10_000 })
    const pools = await read(idsOf(opened))
    expect([...pools.values()].filter((pool) => pool === null)).toEqual([])
    expect(counts.logs - counts.refused).toBeLessThanOrEqual(50)
    // Of fifteen million blocks: eleven or twelve halvings, and whether it exists, and its price.
    expect(counts.states).toBeLessThanOrEqual(50 * 15)
    expect(counts.refused).toBeLessThanOrEqual(12)
    const before = { ...counts }
    expect((await read([open(7, 0).id])).size).toBe(1)
    expect(counts.refused).toBe(before.refused)
    expect(counts.logs).toBe(before.logs + 1)
  })

  it('are found in the newest blocks by a node that has lost old state, and given up after a bounded number of ranges', async () => {
    const [young, old] = [open(1, NEWEST - 25_000), open(2, FROM + 5)]
    const node = createNode([young, old], { widest: 10_000, isPruned: true })
    expect((await node.read([young.id])).get(young.id)).toMatchObject({ token1: address(101) })
    const { logs } = node.counts
    const pools = await node.read([young.id, old.id])
    expect(pools.get(young.id)).not.toBeNull()
    expect(pools.get(old.id)).toBeNull()
    expect(node.counts.logs - logs).toBeLessThanOrEqual(MOST_RANGES + 8)
  })

  it('are not asked for where the manager has no such pool today, as another exchange’s 32 bytes', async () => {
    const { read, counts } = createNode([])
    expect((await read([open(1, FROM).id])).get(open(1, FROM).id)).toBeNull()
    expect(counts.logs).toBe(0)
  })

  it('are not asked for after the block of the question, and not before the manager’s first', async () => {
    const [before, after] = [open(1, FROM - 1), open(2, 9_000_001)]
    const { read } = createNode([before, after])
    expect([...(await read([before.id, after.id], 9_000_000)).values()]).toEqual([null, null])
  })

  it('do not count where the log’s words are not those of the 32 bytes, or there are too few', async () => {
    const right = open(1, FROM)
    const forged = {
      ...right,
      log: { ...right.log, data: (open(1, FROM).log as { data: string }).data.replace('bb8', 'bb9') },
    }
    const short = { ...right, log: { ...right.log, data: '0x' } }
    const bare = { ...right, log: { ...right.log, topics: [TOPICS.v4_initialize] } }
    for (const wrong of [forged, short, bare])
      expect((await createNode([wrong]).read([right.id])).get(right.id)).toBeNull()
  })

  it('are not known while a node refuses such questions for good, and a fault that passes is the caller’s to try again', async () => {
    const opened = open(1, FROM)
    const failing = (kind: 'rejected' | 'unsupported' | 'auth' | 'rate') =>
      createNode([opened], { fault: ({ method }) => (method === 'eth_getLogs' ? new RpcError(kind, kind) : null) })
    for (const kind of ['rejected', 'unsupported'] as const)
      expect((await failing(kind).read([opened.id])).get(opened.id)).toBeNull()
    for (const kind of ['auth', 'rate'] as const) await expect(failing(kind).read([opened.id])).rejects.toThrow(kind)
  })

  it('are asked for in fewer blocks when a node does not answer a wide range in time', async () => {
    const opened = many(3)
    const slow = createNode(opened, {
      fault: ({ method, params }) => {
        const [{ fromBlock, toBlock }] = params as [Record<string, string>]
        const blocks = Number(toBlock) - Number(fromBlock)
        return method === 'eth_getLogs' && blocks > 1_000_000 ? new RpcError('transient', 'timeout') : null
      },
    })
    expect([...(await slow.read(idsOf(opened))).values()].filter((pool) => pool === null)).toEqual([])
  })
})
