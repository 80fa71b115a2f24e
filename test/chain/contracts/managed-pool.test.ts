// Pools of managers that are older than the start block: proven by the hash of their key.

import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import type { Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, '0')}`)
const [V4, V4_POSITIONS, INFINITY, BINS] = [address(1), address(2), address(3), address(4)]
const [WRAPPED, TOKEN, HOOKS] = [address(9), address(10), address(0x40)]
const NATIVE = address(0)
const preset = {
  wrappedNative: WRAPPED,
  factories: [
    { address: V4, kind: 'v4' as const, launchpad: 'uniswap_v4', positions: V4_POSITIONS },
    { address: INFINITY, kind: 'infinity' as const, launchpad: 'pancakeswap_infinity' },
    { address: BINS, kind: 'infinity_bin' as const, launchpad: 'pancakeswap_infinity_bin' },
  ],
}

const v4Key = encodeAbiParameters(parseAbiParameters('address, address, uint24, int24, address'), [
  NATIVE,
  TOKEN,
  3000,
  60,
  HOOKS,
])
/** Tick spacing 10 in bits 16 to 39, and the right to run before a swap, bit 6. */
const infinityKey = encodeAbiParameters(parseAbiParameters('address, address, address, address, uint24, bytes32'), [
  WRAPPED,
  TOKEN,
  HOOKS,
  INFINITY,
  0x80_0000,
  `0x${word((10n << 16n) | (1n << 6n))}`,
])
const idOf = (key: `0x${string}`) => keccak256(key) as string as Address
const priced = (root: bigint) => `0x${word((77n << 160n) | root)}`

/** Answers calls by contract and selector; others revert. */
function read(contracts: Record<string, Record<string, string>>, ids: Address[]) {
  const node: Endpoint = {
    name: 'node',
    send: async (calls) =>
      calls.map(({ params }): RpcAnswer => {
        const [{ to, data }] = params as [{ to: string; data: string }]
        const result = contracts[to]?.[data.slice(0, 10)]
        return result === undefined ? { error: new RpcError('execution', 'execution reverted') } : { result }
      }),
  }
  return createChainReader(createRpc({ endpoints: [node], clock: createTestClock() }), preset).readPools(ids, 9)
}

describe('a pool of a manager that is older than the start block', () => {
  it('is read from the position manager, with its price from the manager', async () => {
    const id = idOf(v4Key)
    const pools = await read({ [V4_POSITIONS]: { '0x86b6be7d': v4Key }, [V4]: { '0x1e2eaeaf': priced(5n) } }, [id])
    expect(pools.get(id)).toEqual({
      kind: 'v4',
      factory: V4,
      launchpad: 'uniswap_v4',
      token0: WRAPPED,
      token1: TOKEN,
      fee: 3000,
      tickSpacing: 60,
      stable: false,
      hooks: HOOKS,
      hookRights: 0x40,
      reserve0: 0n,
      reserve1: 0n,
      sqrtPriceX96: 5n,
      shares: 0n,
    })
  })

  it('of PancakeSwap Infinity has its tick spacing and its hooks’ rights from the parameters', async () => {
    const id = idOf(infinityKey)
    const contracts = { [INFINITY]: { '0x0e2d484a': infinityKey, '0xc815641c': priced(6n) } }
    expect((await read(contracts, [id])).get(id)).toMatchObject({
      factory: INFINITY,
      fee: null,
      tickSpacing: 10,
      hooks: HOOKS,
      hookRights: 1 << 7,
      sqrtPriceX96: 6n,
    })
  })

  it('of PancakeSwap Infinity’s bins is read from their manager, and its price is that of its first trade', async () => {
    const key = encodeAbiParameters(parseAbiParameters('address, address, address, address, uint24, bytes32'), [
      NATIVE,
      TOKEN,
      NATIVE,
      BINS,
      3_000,
      `0x${word(25n << 16n)}`,
    ])
    const id = idOf(key)
    const contracts = { [BINS]: { '0x0e2d484a': key, '0xc815641c': priced(6n) } }
    expect((await read(contracts, [id])).get(id)).toMatchObject({
      kind: 'coins',
      factory: BINS,
      token0: WRAPPED,
      token1: TOKEN,
      fee: 3_000,
      hooks: null,
      sqrtPriceX96: null,
    })
  })

  it('does not count when its key hashes to something else, is cut off, or nobody knows it', async () => {
    const id = idOf(v4Key)
    const other = v4Key.replace(/.$/, '1')
    for (const answer of [other, v4Key.slice(0, 100), '0x'])
      expect((await read({ [V4_POSITIONS]: { '0x86b6be7d': answer } }, [id])).get(id)).toBeNull()
    expect((await read({}, [id])).get(id)).toBeNull()
    expect((await read({ [INFINITY]: { '0x0e2d484a': v4Key } }, [id])).get(id)).toBeNull()
  })
})
