import { describe, expect, it } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { SELECTORS } from '../../../src/chain/contracts/abi.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import { callData } from '../../../src/chain/contracts/words.ts'
import type { Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'

const address = (digit: string | number) => toAddress(`0x${String(digit).padStart(40, '0')}`)
const hexOf = (bytes: Buffer | string) => Buffer.from(bytes).toString('hex')
const uint = (value: number | bigint | string) => `0x${word(value)}`
const bytes32 = (bytes: Buffer | string) => `0x${hexOf(bytes).padEnd(64, '0')}`
const text = (bytes: Buffer | string, length = Buffer.from(bytes).length) => {
  const hex = hexOf(bytes)
  return `0x${word(32)}${word(length)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

type Contract = Record<string, string>

/** A node with contracts, by call data or selector. Other calls revert; blocks below `prunedBefore` are pruned. */
function createNode(contracts: Record<string, Contract>, prunedBefore = 0): Endpoint {
  return {
    name: 'node',
    send: async (calls) =>
      calls.map(({ params }): RpcAnswer => {
        const [{ to, data }, block] = params as [{ to: string; data: string }, string]
        if (Number(block) < prunedBefore) return { error: new RpcError('pruned', 'missing trie node') }
        const result = contracts[to]?.[data] ?? contracts[to]?.[data.slice(0, 10)]
        return result === undefined ? { error: new RpcError('execution', 'execution reverted') } : { result }
      }),
  }
}

const FACTORY = address(1001)
const FACTORY3 = address(1002)
const preset = {
  wrappedNative: address(1000),
  factories: [
    { address: FACTORY, kind: 'v2' as const, launchpad: 'two' },
    { address: FACTORY3, kind: 'v3' as const, launchpad: 'three' },
  ],
}
const readerOf = (contracts: Record<string, Contract>, prunedBefore?: number) =>
  createChainReader(createRpc({ endpoints: [createNode(contracts, prunedBefore)], clock: createTestClock() }), preset)

const T = address(7)
async function readToken(contract: Contract) {
  return (await readerOf({ [T]: contract }).readTokens([T], 9)).get(T)
}
const nothing = { name: '', symbol: '', decimals: null, totalSupply: null }

describe('token metadata', () => {
  it('name, symbol, decimals and supply of a token are read', async () => {
    const { name, symbol, decimals, totalSupply } = SELECTORS
    const contract = {
      [name]: text('Währung'),
      [symbol]: text('WÄH'),
      [decimals]: uint(6),
      [totalSupply]: uint(2n ** 256n - 1n),
    }
    expect(await readToken(contract)).toEqual({
      name: 'Währung',
      symbol: 'WÄH',
      decimals: 6,
      totalSupply: 2n ** 256n - 1n,
    })
  })

  it('a token that reverts or does not exist has no metadata', async () => {
    expect(await readToken({})).toEqual(nothing)
    expect(await readToken({ [SELECTORS.name]: '0x', [SELECTORS.symbol]: '0x12', [SELECTORS.decimals]: '0x' })).toEqual(
      nothing,
    )
  })

  it.each([
    ['bytes32', bytes32('EOS'), 'EOS'],
    ['bytes32 with an empty name', bytes32(''), ''],
    ['NUL bytes in a string', text('ETH\0\0\0'), 'ETH'],
    ['NUL bytes alone', text('\0\0'), ''],
    ['invalid UTF-8', text(Buffer.from([0x41, 0xff, 0xfe, 0x42])), 'AB'],
    ['a wrong length', text('short', 10_000), 'short'],
    ['a length of 256 bits', `0x${word(32)}${'f'.repeat(64)}${hexOf('abc').padEnd(64, '0')}`, 'abc'],
    ['a wrong offset', `0x${word(2n ** 255n)}${word(1)}`, ''],
    ['a huge string', text('x'.repeat(100_000)), 'x'.repeat(256)],
    ['a huge string of surrogate pairs', text('😀'.repeat(1000)), '😀'.repeat(256)],
    ['invalid hex', '0xzz', ''],
  ])('a token name given as %s is read safely', async (_, answer, name) => {
    const token = await readToken({ [SELECTORS.name]: answer })
    expect(token?.name).toBe(name)
  })

  it.each([
    [0n, 0],
    [77n, 77],
    [255n, 255],
    [256n, null],
    [2n ** 255n, null],
  ])('token decimals of %s are read as %s', async (said, decimals) => {
    expect((await readToken({ [SELECTORS.decimals]: uint(said) }))?.decimals).toBe(decimals)
  })

  it('constant metadata is read at the newest block when the state of the block is pruned', async () => {
    const contract = {
      [SELECTORS.symbol]: text('OLD'),
      [SELECTORS.decimals]: uint(8),
      [SELECTORS.totalSupply]: uint(5),
    }
    const tokens = await readerOf({ [T]: contract }, 100).readTokens([T], 9)
    expect(tokens.get(T)).toEqual({ name: '', symbol: 'OLD', decimals: 8, totalSupply: null })
  })
})

const [X, Y, POOL] = [address(21), address(22), address(23)]
const pair = (over: Contract = {}): Contract => ({
  [SELECTORS.factory]: uint(FACTORY),
  [SELECTORS.token0]: uint(X),
  [SELECTORS.token1]: uint(Y),
  [SELECTORS.getReserves]: `0x${word(500)}${word(600)}${word(1)}`,
  [SELECTORS.totalSupply]: uint(70),
  ...over,
})
const v2Factory = { [callData(SELECTORS.getPair, X, Y)]: uint(POOL) }
const readPool = async (contracts: Record<string, Contract>, at: Address = POOL) =>
  (await readerOf(contracts).readPools([at], 9)).get(at)

describe('pool metadata', () => {
  it('a V2 pool counts when its factory returns its address', async () => {
    expect(await readPool({ [POOL]: pair(), [FACTORY]: v2Factory })).toEqual({
      kind: 'v2',
      factory: FACTORY,
      launchpad: 'two',
      token0: X,
      token1: Y,
      fee: 3000,
      stable: false,
      hooks: null,
      hookRights: 0,
      tickSpacing: null,
      reserve0: 500n,
      reserve1: 600n,
      sqrtPriceX96: null,
      shares: 70n,
    })
  })

  it('a V3 pool counts with its own fee, balances and price', async () => {
    const pool = pair({
      [SELECTORS.factory]: uint(FACTORY3),
      [SELECTORS.fee]: uint(500),
      [SELECTORS.slot0]: `0x${word(99).repeat(7)}`,
    })
    const held = (amount: number) => ({ [callData(SELECTORS.balanceOf, POOL)]: uint(amount) })
    const factory = { [callData(SELECTORS.getPool, X, Y, 500)]: uint(POOL) }
    const read = await readPool({ [POOL]: pool, [FACTORY3]: factory, [X]: held(11), [Y]: held(12) })
    expect(read).toMatchObject({ kind: 'v3', fee: 500, reserve0: 11n, reserve1: 12n, sqrtPriceX96: 99n, shares: 0n })
  })

  it.each([
    ['with an unknown factory', pair({ [SELECTORS.factory]: uint(address(666)) }), v2Factory],
    ['that its factory does not know', pair(), {}],
    ['whose factory returns another pool', pair(), { [callData(SELECTORS.getPair, X, Y)]: uint(address(99)) }],
    [
      'with the same token twice',
      pair({ [SELECTORS.token1]: uint(X) }),
      { [callData(SELECTORS.getPair, X, X)]: uint(POOL) },
    ],
    ['that has no tokens', { [SELECTORS.factory]: uint(FACTORY) }, v2Factory],
    ['that is a plain account', {}, v2Factory],
  ])('a pool %s does not count', async (_, contract, factory) => {
    expect(await readPool({ [POOL]: contract, [FACTORY]: factory })).toBeNull()
  })
})

describe('token balances', () => {
  it('balances come in the order of the questions, and as null when they cannot be read', async () => {
    const [holder, other] = [address(31), address(32)]
    const contracts = { [X]: { [callData(SELECTORS.balanceOf, holder)]: uint(2n ** 255n) } }
    const questions = [
      { token: X, holder: other },
      { token: X, holder },
      { token: Y, holder },
    ]
    expect(await readerOf(contracts).readBalances(questions, 9)).toEqual([null, 2n ** 255n, null])
    expect(await readerOf(contracts, 100).readBalances(questions, 9)).toEqual([null, null, null])
  })
})
