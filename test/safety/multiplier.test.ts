// ERC-8056 tokens, by a fake node: shown amounts are raw ones times a multiplier, which may change without a log.
import { expect, test } from 'vitest'
import { toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { abiWord, selectorOf } from '../../src/chain/contracts/words.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import type { SafetyTarget } from '../../src/safety/target.ts'

const TOKEN = toAddress(`0x${'7a'.repeat(20)}`)
const HASH = `0x${'5'.repeat(64)}` as const
const NOW = 1_760_000_000
const ONE = 10n ** 18n
const BALANCE = 1_000_003n * ONE
const HOLDERS = Array.from({ length: 6 }, (_, at) => toAddress(`0x${(0xbb00 + at).toString(16).padStart(40, '1')}`))

interface Stock {
  now?: bigint
  next?: bigint
  effectiveAt?: number
  balance: bigint
}

function nodeOf({ now, next, effectiveAt, balance }: Stock): Endpoint {
  const answers = new Map<string, bigint | undefined>([
    [selectorOf('uiMultiplier()'), now],
    [selectorOf('newUIMultiplier()'), next],
    [selectorOf('effectiveAt()'), effectiveAt === undefined ? undefined : BigInt(effectiveAt)],
    [selectorOf('balanceOf(address)'), balance],
  ])
  const answer = ({ method, params }: Call): RpcAnswer => {
    if (method === 'eth_getBlockByNumber')
      return { result: { number: '0x64', hash: HASH, timestamp: `0x${NOW.toString(16)}` } }
    if (method !== 'eth_call') return { result: '0x' }
    const [{ data = '0x' }] = params as [{ data?: string }]
    const found = answers.get(data.slice(0, 10))
    return found === undefined
      ? { error: new RpcError('execution', 'execution reverted') }
      : { result: `0x${abiWord(found)}` }
  }
  return { name: 'stock', send: async (calls) => calls.map(answer) }
}

const target: SafetyTarget = {
  ...{
    token: TOKEN,
    block: { number: 100, hash: HASH, finalized: 90 },
    pools: [],
    deployer: null,
    createdBlock: null,
    insiders: [],
  },
  ...{
    wrappedNative: TOKEN,
    payers: new Map(),
    supply: null,
    trades: [],
    moves: [],
    logs: null,
    known: null,
    seed: 's',
  },
  holders: HOLDERS.map((address) => ({
    ...{ address, balance: BALANCE, since: 0, hasSold: false, hasBought: true, lastBoughtAt: null },
  })),
}
const check = (stock: Stock) =>
  createSafety({ rpc: createRpc({ endpoints: [nodeOf(stock)], clock: systemClock }) }).check(
    target,
    new AbortController().signal,
  )

test('the selectors are those of ERC-8056', () => {
  expect(['uiMultiplier()', 'newUIMultiplier()', 'effectiveAt()'].map(selectorOf)).toEqual([
    '0xa60bf13d',
    '0xdc767007',
    '0x97a4064f',
  ])
})

test('a multiplier and the one that is scheduled are shown, and one that took effect is no longer scheduled', async () => {
  const split = { now: 2n * ONE, next: 3n * ONE, balance: BALANCE }
  expect((await check({ ...split, effectiveAt: NOW + 60 })).multiplier).toMatchObject({
    value: 2,
    next: { value: 3, effectiveAt: NOW + 60 },
  })
  expect((await check({ ...split, effectiveAt: NOW - 60 })).multiplier).toMatchObject({ value: 2, next: null })
})

test('a token without a multiplier, or with one that no token can have, has none', async () => {
  expect((await check({ balance: BALANCE })).multiplier).toBe(null)
  expect((await check({ now: 0n, balance: BALANCE })).multiplier).toBe(null)
  expect((await check({ now: 2n ** 255n, balance: BALANCE })).multiplier).toBe(null)
})

test.each([
  ['two', 2n * ONE],
  ['a hundredth', ONE / 100n],
])('balances in shown amounts with a multiplier of %s do not differ, and others still do', async (_, now) => {
  const balances = (found: bigint) => check({ now, balance: found }).then(({ balancesDiffer }) => balancesDiffer)
  expect(await balances((BALANCE * now) / ONE)).toEqual({ asked: 6, differ: 0, moved: 0 })
  expect(await balances(BALANCE)).toEqual({ asked: 6, differ: 0, moved: 0 })
  expect(await balances(0n)).toEqual({ asked: 6, differ: 6, moved: 0 })
  expect(await balances(3n * BALANCE)).toEqual({ asked: 6, differ: 0, moved: 6 })
})
