// Ekubo's logs. The pool and the position are logs of Robinhood Chain, block 24,206,963, transaction 0xdd850f54. Its
// Transfers to the core have the amounts of the position's log.
import { describe, expect, it } from 'vitest'
import type { LogOf } from '../../../src/chain/event.ts'
import { describeRights, ekuboRights } from '../../../src/chain/exchanges/hooks.ts'
import { bareEmitters, listLogKeys, TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { rawLog } from '../../support/raw-log.ts'

const CORE = '0x00000000000014aa86c5d3c41765bb24e11bd701'
const POOL = '0xd417e0b172ef08dae1a661cd00fbb4d24d724622d096929db818b9ac82690aa6'
const STONX = '0x570c5aa79c798e7a418412cc8399ae5bcce570c5'
const USDG = '0x5fc5360d0400a0fd4f2af552add042d716f1d168'
const EXTENSION = '0xd18685a514e59b06d59824e16db07e73345d9953'
const POSITIONS = '0xda38ac72ce7220c4dd7719d114ef94edadb8f068'
const STATE = '40000431be08f31ddb320c81fe5a6246000000000000000004a03c74cbf06869'

const decode = createLogDecode(loadPreset(4663))

const half = (value: bigint): string => BigInt.asUintN(128, value).toString(16).padStart(32, '0')
const packed = (amount0: bigint, amount1: bigint): string =>
  `0x${POSITIONS.slice(2)}${POOL.slice(2)}${half(amount0)}${half(amount1)}${STATE}`
const swapLog = (amount0: bigint, amount1: bigint, address = CORE) => rawLog([], packed(amount0, amount1), address)

describe('the core of Ekubo', () => {
  it('opens a pool, whose configuration has an extension and a fee', () => {
    const opened = (config: string) =>
      decode(
        rawLog(
          [TOPICS.ekubo_pool],
          [POOL, STONX, USDG, config, `0x${'f'.repeat(56)}fe5a6246`, '0x40000431be08f31ddb320c81'],
          CORE,
        ),
      )
    expect(opened(`${EXTENSION}000000000000000080000400`)).toMatchObject({
      kind: 'v4_initialize',
      pool: POOL,
      token0: STONX,
      token1: USDG,
      hooks: EXTENSION,
      rights: 0xd1,
      fee: 0,
    })
    // 0.3 % is 3,000 hundredths of a basis point.
    const fee = ((3n << 64n) / 1_000n + 1n).toString(16).padStart(16, '0')
    expect(opened(`0x${'0'.repeat(40)}${fee}80000400`)).toMatchObject({ hooks: `0x${'0'.repeat(40)}`, fee: 3000 })
  })

  it('tells by the first byte of an extension when it is called', () => {
    expect(describeRights(ekuboRights(0xd1))).toEqual([
      'runs before each swap',
      'runs before liquidity is added',
      'runs before liquidity is removed, and can refuse it',
    ])
    expect(ekuboRights(0)).toBe(0)
    expect(describeRights(ekuboRights(0x28))).toEqual([
      'runs after each swap',
      'runs after liquidity is added',
      'runs after liquidity is removed, and can refuse it',
    ])
  })

  it('changes the liquidity of a position', () => {
    const words = [
      POSITIONS,
      POOL,
      '0x1de0793ad1efad6cbc527c2da7a6a316c7e51eaa28ef0742fab634000549cc00',
      '0x4a03c74cbf06869',
      '0x00000000000046960055a7b37722d86d00000000000000000000004d9c31ef40',
      `0x${STATE}`,
    ]
    const changed = decode(rawLog([TOPICS.ekubo_position], words, CORE))
    const amounts = [0x46960055a7b37722d86dn, 333_333_000_000n]
    expect(changed).toMatchObject({ kind: 'coins_change', pool: POOL, provider: POSITIONS, amounts, fees: [] })
    const nothing = words.with(4, '0x0')
    expect(decode(rawLog([TOPICS.ekubo_position], nothing, CORE))).toBeNull()
  })

  it('takes fees out of a pool, or puts them in', () => {
    const collected = rawLog([TOPICS.ekubo_collected], [POSITIONS, POOL, 1n, 5n, 7n], CORE)
    expect(decode(collected)).toMatchObject({ kind: 'coins_change', pool: POOL, amounts: [], fees: [5n, 7n] })
    const put = rawLog([TOPICS.ekubo_accumulated], [POOL, 5n, 7n], CORE)
    expect(decode(put)).toMatchObject({ kind: 'coins_change', pool: POOL, amounts: [], fees: [-5n, -7n] })
  })

  it.each([
    [1_000n, -900n, 0, 1],
    [-900n, 1_000n, 1, 0],
  ])(
    'swaps %s of the first token for %s of the second by a log without a topic',
    (amount0, amount1, coinIn, coinOut) => {
      const swap = decode(swapLog(amount0, amount1)) as LogOf<'coins_swap'>
      expect(swap).toMatchObject({ kind: 'coins_swap', address: CORE, pool: POOL, coinIn, coinOut })
      expect([swap.amountIn, swap.amountOut]).toEqual([1_000n, 900n])
    },
  )
})

describe('a log without a topic', () => {
  it('is no swap with another length, from another contract, or with amounts of one sign', () => {
    const { data } = swapLog(1_000n, -900n)
    expect(decode({ ...swapLog(1_000n, -900n), data: `${data}00` })).toBeNull()
    expect(decode({ ...swapLog(1_000n, -900n), data: data.slice(0, 106) })).toBeNull()
    expect(decode(swapLog(1_000n, -900n, EXTENSION))).toBeNull()
    expect(decode(swapLog(1_000n, 900n))).toBeNull()
    expect(decode(swapLog(1_000n, 0n))).toBeNull()
    expect(decode({ ...swapLog(1_000n, -900n), topics: [TOPICS.transfer] })).toBeNull()
  })

  it('of broken digits is no swap', () => {
    const { data } = swapLog(1_000n, -900n)
    expect(decode({ ...swapLog(1_000n, -900n), data: `${data.slice(0, 110)}g${data.slice(111)}` })).toBeNull()
  })

  it('is asked for by its contract, on chains with Ekubo alone', () => {
    expect(bareEmitters(loadPreset(4663))).toEqual([CORE])
    expect(bareEmitters(loadPreset(5042))).toEqual([])
    expect(listLogKeys(loadPreset(5042)).every((key) => key.length === 66)).toBe(true)
  })
})
