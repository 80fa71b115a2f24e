// Routes that logs tell in part: transfers of the transaction name coins, and show conversions.
import { describe, expect, it, test } from 'vitest'
import { type Address, toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { completeRoute } from '../../../src/book/logs/routes.ts'
import { toKnown } from '../../../src/book/rows/known.ts'
import type { DecodedLog, LogOf } from '../../../src/chain/event.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { FIRST_BUYS } from '../../../src/scoring/weights.ts'

const at = (digits: string) => toAddress(`0x${digits.repeat(40 / digits.length)}`)
const [USER, POOL, OTHER, MAKER, SHARES] = [at('01'), at('02'), at('03'), at('04'), at('05')]
const [A, B, WRAPPER] = [at('0a'), at('0b'), at('0c')]
const known = toKnown(
  loadPreset(
    777,
    JSON.stringify({ wrappedNative: at('0f'), factories: [{ address: MAKER, kind: 'maker', launchpad: 'm' }] }),
  ),
  FIRST_BUYS,
)

const place = (address: Address, logIndex: number) => ({ address, logIndex, txHash: `0x${'1'.repeat(64)}` as const })
const move = (logIndex: number, token: Address, from: Address, to: Address, amount: bigint): DecodedLog => ({
  ...place(token, logIndex),
  kind: 'transfer',
  from,
  to,
  amount,
})
const numbered = (
  logIndex: number,
  address: Address,
  amountIn: bigint,
  amountOut: bigint,
  isUnderlying = false,
): DecodedLog => ({
  ...place(address, logIndex),
  kind: 'coins_swap',
  pool: null,
  coinIn: 0,
  coinOut: 2,
  tokenIn: null,
  tokenOut: null,
  amountIn,
  amountOut,
  fee: null,
  isUnderlying,
})
const added = (logIndex: number, amounts: bigint[]): DecodedLog => ({
  ...place(POOL, logIndex),
  kind: 'coins_change',
  pool: null,
  provider: USER,
  coins: [],
  fees: [],
  amounts,
})
const taken = (logIndex: number, numbers: bigint[]): DecodedLog => ({
  ...place(POOL, logIndex),
  kind: 'coins_taken',
  provider: USER,
  numbers,
})
const swapsOf = (logs: DecodedLog[]) =>
  completeRoute(known, logs).filter(
    (log): log is LogOf<'coins_swap' | 'converted'> => log.kind === 'coins_swap' || log.kind === 'converted',
  )

describe('a swap whose log does not name its coins', () => {
  const moves = [move(0, A, USER, MAKER, 100n), move(1, B, MAKER, USER, 90n)]

  it("has the tokens that moved in its amounts, at a market maker's contract", () => {
    expect(swapsOf([...moves, numbered(2, MAKER, 100n, 90n)])).toMatchObject([
      { tokenIn: A, tokenOut: B, coinIn: null },
    ])
  })

  it('has them below the shares of a metapool', () => {
    const logs = [move(0, A, USER, POOL, 100n), move(1, B, POOL, USER, 90n), numbered(2, POOL, 100n, 90n, true)]
    expect(swapsOf(logs)).toMatchObject([{ tokenIn: A, tokenOut: B, isUnderlying: false }])
  })

  it('stays as it was where two tokens moved in the same amount', () => {
    const logs = [...moves, move(2, OTHER, USER, MAKER, 100n), numbered(3, MAKER, 100n, 90n)]
    expect(swapsOf(logs)).toMatchObject([{ tokenIn: null, coinIn: 0 }])
  })

  it('stays as it was beside another swap in the same amounts, whose transfers these are', () => {
    const logs = [...moves, numbered(2, MAKER, 100n, 90n), numbered(3, MAKER, 100n, 90n)]
    expect(swapsOf(logs)).toMatchObject([{ tokenIn: null }, { tokenIn: null }])
  })

  it('stays as it was at a pool that has coins of its own', () => {
    const logs = [move(0, A, USER, POOL, 100n), move(1, B, POOL, USER, 90n), numbered(2, POOL, 100n, 90n)]
    expect(completeRoute(known, logs)).toBe(logs)
  })
})

describe('one coin that goes into a pool', () => {
  const into = [move(0, A, USER, POOL, 100n), move(1, SHARES, ZERO_ADDRESS, USER, 95n), added(2, [0n, 100n])]
  const out = [move(3, SHARES, USER, ZERO_ADDRESS, 95n), move(4, B, POOL, USER, 99n), taken(5, [95n, 99n, 7n])]

  it('and another that comes out for the same shares are one trade', () => {
    const logs = completeRoute(known, [...into, ...out])
    expect(logs.filter(({ kind }) => kind !== 'transfer')).toMatchObject([
      { kind: 'coins_swap', logIndex: 5, address: POOL, tokenIn: A, tokenOut: B, amountIn: 100n, amountOut: 99n },
    ])
  })

  it('is a trade for the shares where these go on', () => {
    const swaps = swapsOf([...into, move(3, SHARES, USER, OTHER, 95n)])
    expect(swaps).toMatchObject([{ logIndex: 2, tokenIn: A, tokenOut: SHARES, amountIn: 100n, amountOut: 95n }])
  })

  it('stays an addition where a zap passes the shares on to whoever paid', () => {
    const zapped = [
      move(0, A, OTHER, USER, 100n),
      ...[move(1, A, USER, POOL, 100n), move(2, SHARES, ZERO_ADDRESS, USER, 95n), added(3, [0n, 100n])],
    ]
    // The pool mints its fee for somebody else.
    const fee = move(5, SHARES, ZERO_ADDRESS, MAKER, 1n)
    expect(swapsOf([...zapped, move(4, SHARES, USER, OTHER, 95n), fee])).toEqual([])
    // An account that logs in the transaction is a contract with a use for them.
    const staked: DecodedLog = { ...place(OTHER, 5), kind: 'shares_staked', owner: MAKER, amount: 95n }
    expect(swapsOf([...zapped, move(4, SHARES, USER, OTHER, 95n), staked])).toHaveLength(1)
  })

  it('stays an addition where a gauge keeps the shares for whoever paid', () => {
    const staked: DecodedLog = { ...place(OTHER, 4), kind: 'shares_staked', owner: USER, amount: 95n }
    expect(swapsOf([...into, move(3, SHARES, USER, OTHER, 95n), staked])).toEqual([])
    expect(swapsOf([...into, move(3, SHARES, USER, OTHER, 95n), { ...staked, owner: MAKER }])).toHaveLength(1)
  })

  it('out of a pool is a removal where the shares came from whoever gets it', () => {
    const left = completeRoute(known, out).filter(({ kind }) => kind !== 'transfer')
    expect(left).toMatchObject([{ kind: 'coins_change', coins: [B], amounts: [-99n], provider: USER }])
  })

  it('stays an addition where the shares stay', () => {
    expect(swapsOf(into)).toEqual([])
  })

  it('stays an addition where two coins went in', () => {
    const both = [...into.slice(0, 2), move(2, B, USER, POOL, 50n), added(3, [50n, 100n])]
    expect(swapsOf([...both, move(4, SHARES, USER, OTHER, 95n)])).toEqual([])
  })
})

test('coins of a change that have a log each are one change, with each coin once', () => {
  const one = (logIndex: number, coin: Address, amount: bigint): DecodedLog => ({
    ...(added(logIndex, [amount]) as LogOf<'coins_change'>),
    coins: [coin],
  })
  const logs = [one(0, A, 5n), one(1, B, 7n), one(2, A, 1n), one(3, B, -2n)]
  expect(completeRoute(known, logs)).toMatchObject([
    { logIndex: 0, coins: [A, B], amounts: [5n, 7n] },
    { logIndex: 2, coins: [A], amounts: [1n] },
    { logIndex: 3, coins: [B], amounts: [-2n] },
  ])
})

describe('a wrapper in a route', () => {
  const wrap = [move(0, A, USER, WRAPPER, 100n), move(1, WRAPPER, ZERO_ADDRESS, USER, 80n)]
  const swap: DecodedLog = {
    ...place(POOL, 9),
    kind: 'v3_swap',
    amount0: 80n,
    amount1: -70n,
    sqrtPriceX96: 1n,
    liquidity: 1n,
    tick: 0,
  }

  it('gives its shares for the token at the rate of the transfers', () => {
    expect(swapsOf([...wrap, move(2, WRAPPER, USER, POOL, 80n), swap])).toMatchObject([
      {
        kind: 'converted',
        address: WRAPPER,
        logIndex: 0,
        tokenIn: A,
        tokenOut: WRAPPER,
        amountIn: 100n,
        amountOut: 80n,
      },
    ])
  })

  it('takes its shares back for the token', () => {
    const logs = [
      move(0, WRAPPER, POOL, USER, 80n),
      swap,
      move(10, WRAPPER, USER, ZERO_ADDRESS, 80n),
      move(11, A, WRAPPER, USER, 100n),
    ]
    expect(swapsOf(logs)).toMatchObject([{ kind: 'converted', tokenIn: WRAPPER, tokenOut: A, amountOut: 100n }])
  })

  it('is no trade without a swap, where the shares stay, or where it logs liquidity', () => {
    expect(swapsOf([...wrap, move(2, WRAPPER, USER, POOL, 80n)])).toEqual([])
    expect(swapsOf([...wrap, swap])).toEqual([])
    const pair: DecodedLog = { ...place(WRAPPER, 3), kind: 'v2_sync', reserve0: 1n, reserve1: 1n }
    expect(swapsOf([...wrap, move(2, WRAPPER, USER, POOL, 80n), pair, swap])).toEqual([])
  })
})

describe('a market maker that logs no exact amounts', () => {
  const swap = numbered(3, MAKER, 0n, 0n)
  const paid = move(0, A, USER, MAKER, 70n)
  const got = move(1, B, MAKER, USER, 30n)

  it('traded the only token that it got for the only one that it gave', () => {
    const [, , , told] = completeRoute(known, [paid, move(2, A, OTHER, MAKER, 5n), got, swap])
    expect(told).toMatchObject({ tokenIn: A, tokenOut: B, amountIn: 75n, amountOut: 30n, coinIn: null, coinOut: null })
  })

  it.each([
    ['a second token came in', [paid, move(2, SHARES, USER, MAKER, 1n), got, swap]],
    ['a second swap has the same form', [paid, got, swap, numbered(4, MAKER, 0n, 0n)]],
    ['no token went out', [paid, swap]],
  ])('stays untold where %s', (_, logs) => {
    const told = completeRoute(known, logs).filter((log) => log.kind === 'coins_swap')
    expect(told.every((log) => log.kind === 'coins_swap' && log.tokenIn === null)).toBe(true)
  })
})
