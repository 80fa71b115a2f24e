// Trades of market makers: each logs both tokens and both amounts in an order of its own.
import { describe, expect, it } from 'vitest'
import type { LogOf } from '../../../src/chain/event.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { rawLog, topicOf } from '../../support/raw-log.ts'

const MAKER = `0x${'aa'.repeat(20)}`
const IN = `0x${'11'.repeat(20)}`
const OUT = `0x${'22'.repeat(20)}`
const ANY = `0x${'33'.repeat(20)}`
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const [PAID, GOT] = [1_000n, 2_000n]

const decode = createLogDecode(
  loadPreset(
    777,
    JSON.stringify({ wrappedNative: ANY, factories: [{ address: MAKER, kind: 'maker', launchpad: 'm' }] }),
  ),
)

const logOf = (name: keyof typeof TOPICS, topics: (bigint | string)[], words: (bigint | string)[], address = MAKER) =>
  rawLog([TOPICS[name], ...topics.map(topicOf)], words, address)

const read = (...parts: Parameters<typeof logOf>) => decode(logOf(...parts)) as LogOf<'coins_swap'> | null

const CASES: [keyof typeof TOPICS, (bigint | string)[], (bigint | string)[]][] = [
  ['prop_amm_swap', [ANY, IN, OUT], [PAID, GOT, ANY]],
  ['fermi_swap', [ANY, IN, OUT], [PAID, GOT]],
  ['bebop_swap', [ANY, IN, OUT], [PAID, GOT]],
  ['clipper_swap', [IN, OUT, ANY], [PAID, GOT, 96n, 0n]],
  ['woofi_swap', [IN, OUT, ANY], [PAID, GOT, ANY, ANY, 7n, 8n]],
  ['woofi_swap_rebate', [IN, OUT, ANY], [PAID, GOT, ANY, ANY]],
  ['airswap_swap', [7n, ANY, ANY], [OUT, GOT, 5n, IN, PAID]],
  ['paraswap_rfq', [7n, ANY, ANY], [OUT, GOT, IN, PAID]],
  ['zero_ex_rfq', [], [7n, ANY, ANY, OUT, IN, PAID, GOT, 0n]],
  ['zero_ex_otc', [], [7n, ANY, ANY, OUT, IN, GOT, PAID]],
  ['zero_ex_limit', [], [7n, ANY, ANY, ANY, OUT, IN, PAID, GOT, 0n, 0n, 0n]],
  ['defi_plaza_swap', [], [ANY, IN, OUT, PAID, GOT]],
  ['tessera_trade', [], [IN, OUT, PAID, GOT, ANY]],
  ['elfomo_trade', [1n, 2n], [ANY, ANY, IN, OUT, PAID, GOT]],
  ['wombat_swap', [ANY, ANY], [IN, PAID, OUT, GOT]],
  ['wombat_swap_v2', [ANY, ANY], [IN, OUT, PAID, GOT, 3n]],
  ['bancor_trade', [7n, IN, OUT], [PAID, GOT, 1n, 2n, ANY]],
  ['carbon_trade', [ANY, IN, OUT], [PAID, GOT, 1n, 0n]],
]

describe('a trade of a market maker', () => {
  it.each(CASES)('has the tokens and amounts of %s', (name, topics, words) => {
    expect(read(name, topics, words)).toMatchObject({
      kind: 'coins_swap',
      tokenIn: IN,
      tokenOut: OUT,
      amountIn: PAID,
      amountOut: GOT,
    })
  })

  it('counts only from a contract that the preset names', () => {
    for (const [name, topics, words] of CASES) expect(read(name, topics, words, ANY)).toBeNull()
  })

  it("has DAI's decimals where the peg module logs those of USDC", () => {
    const sold = { tokenIn: USDC, tokenOut: DAI, amountIn: 5_000_000n, amountOut: 5n * 10n ** 18n }
    expect(read('psm_sell', [ANY], [5_000_000n, 0n])).toMatchObject(sold)
    const bought = { tokenIn: DAI, tokenOut: USDC, amountIn: 5n * 10n ** 18n, amountOut: 5_000_000n }
    expect(read('psm_buy', [ANY], [5_000_000n, 0n])).toMatchObject(bought)
    expect(read('psm_sell', [ANY], [1n << 200n, 0n])).toBeNull()
  })

  it("has EulerSwap's coins by their amounts: each side has one that is not zero", () => {
    const decodeEuler = createLogDecode(
      loadPreset(
        777,
        JSON.stringify({ wrappedNative: ANY, factories: [{ address: ANY, kind: 'euler_swap', launchpad: 'e' }] }),
      ),
    )
    const swap = (...words: bigint[]) => decodeEuler(logOf('euler_swap_swap', [ANY, ANY], words))
    const sold = { coinIn: 0, coinOut: 1, amountIn: PAID, amountOut: GOT }
    expect(swap(PAID, 0n, 0n, GOT, 7n, 8n)).toMatchObject(sold)
    expect(swap(0n, PAID, GOT, 0n, 7n, 8n)).toMatchObject({ ...sold, coinIn: 1, coinOut: 0 })
    expect(swap(PAID, PAID, 0n, GOT, 7n, 8n)).toBeNull()
    expect(swap(0n, 0n, 0n, GOT, 7n, 8n)).toBeNull()
    const later = (...words: bigint[]) => decodeEuler(logOf('euler_swap_swap_v2', [ANY, ANY], words))
    const paid = { ...sold, amountIn: PAID + 3n, fee: 3n }
    expect(later(PAID, 0n, 0n, GOT, 3n, 0n, 7n, 8n)).toMatchObject(paid)
    expect(later(0n, PAID, GOT, 0n, 0n, 3n, 7n, 8n)).toMatchObject({ ...paid, coinIn: 1, coinOut: 0 })
    expect(later((1n << 256n) - 1n, 0n, 0n, GOT, 3n, 0n, 7n, 8n)).toBeNull()
  })

  it("has Metric's coins by the signs of the pool's deltas, in words or in halves of a word", () => {
    const decodeMetric = createLogDecode(
      loadPreset(
        777,
        JSON.stringify({ wrappedNative: ANY, factories: [{ address: ANY, kind: 'metric', launchpad: 'm' }] }),
      ),
    )
    const minus = (value: bigint) => (1n << 256n) - value
    const half = (value: bigint) => BigInt.asUintN(128, value)
    const sold = { coinIn: 0, coinOut: 1, amountIn: PAID, amountOut: GOT }
    const bought = { ...sold, coinIn: 1, coinOut: 0 }
    const first = (a: bigint, b: bigint) => decodeMetric(logOf('metric_swap', [], [ANY, ANY, 1n, a, b, 4n, 5n]))
    expect(first(PAID, minus(GOT))).toMatchObject(sold)
    expect(first(minus(GOT), PAID)).toMatchObject(bought)
    const second = (a: bigint, b: bigint) => decodeMetric(logOf('metric_swap_v1', [ANY, ANY], [1n, a, b, 4n, 5n, 6n]))
    expect(second(PAID, minus(GOT))).toMatchObject(sold)
    expect(second(minus(GOT), PAID)).toMatchObject(bought)
    const third = (a: bigint, b: bigint) =>
      decodeMetric(logOf('metric_swap_v2', [ANY, ANY], [7n, (half(a) << 128n) | half(b), 0n]))
    expect(third(PAID, -GOT)).toMatchObject(sold)
    expect(third(-GOT, PAID)).toMatchObject(bought)
    for (const [a, b] of [
      [PAID, GOT],
      [0n, 0n],
      [-PAID, -GOT],
    ] as const)
      expect(third(a, b)).toBeNull()
  })

  it('has the tokens of a pool of Metric in the topics of its factory', () => {
    const decodeMetric = createLogDecode(
      loadPreset(
        777,
        JSON.stringify({ wrappedNative: ANY, factories: [{ address: MAKER, kind: 'metric', launchpad: 'm' }] }),
      ),
    )
    const opened = { kind: 'pool_opened', token0: IN, token1: OUT, pool: ANY }
    expect(decodeMetric(logOf('metric_pool', [IN, OUT, MAKER], [ANY, 7n]))).toMatchObject(opened)
    expect(decodeMetric(logOf('metric_pool_v1', [ANY, IN, OUT], Array(18).fill(1n)))).toMatchObject(opened)
  })

  it('has the tokens and amounts of a pool that logs them: DODO, Balancer V1, Mooniswap', () => {
    const kinds = ['dodo', 'balancer_v1', 'mooniswap']
    const factories = kinds.map((kind, at) => ({ address: `0x${'4'.repeat(39)}${at}`, kind, launchpad: kind }))
    const decodePool = createLogDecode(loadPreset(777, JSON.stringify({ wrappedNative: ANY, factories })))
    const swap = { tokenIn: IN, tokenOut: OUT, amountIn: PAID, amountOut: GOT }
    expect(decodePool(logOf('dodo_swap', [], [IN, OUT, PAID, GOT, ANY, ANY]))).toMatchObject(swap)
    expect(decodePool(logOf('balancer_v1_swap', [ANY, IN, OUT], [PAID, GOT]))).toMatchObject(swap)
    expect(decodePool(logOf('mooniswap_swap', [ANY, ANY, IN], [OUT, PAID, GOT, 1n, 2n, ANY]))).toMatchObject(swap)
  })

  it('names no coins where the log has only their numbers', () => {
    expect(read('saddle_swap', [ANY], [PAID, GOT, 1n, 2n])).toMatchObject({ coinIn: 1, coinOut: 2, tokenIn: null })
  })
})
