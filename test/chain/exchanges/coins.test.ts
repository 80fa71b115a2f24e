// Logs of pools that may have more than two coins, from recorded transactions and made up.
import { describe, expect, it } from 'vitest'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { RECEIVER, SENDER, TOKEN } from '../../support/fake-chain.ts'
import { rawLog, topicOf } from '../../support/raw-log.ts'

const VAULT = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const VAULT_3 = '0xba1333333333a1ba1108e8412f11850a5c319ba9'
const BINS = '0xc697d2898e0d09264376196696c51d7abbbaa4a9'
const kinds = ['curve', 'fluid', 'lfj', 'maverick'] as const
const preset = loadPreset(
  1,
  JSON.stringify({
    chainId: 1,
    factories: [
      ...kinds.map((kind, at) => ({ address: `0x${`${at + 1}`.padStart(40, '0')}`, kind, launchpad: kind })),
      { address: VAULT, kind: 'balancer_v2', launchpad: 'balancer_v2' },
      { address: VAULT_3, kind: 'balancer_v3', launchpad: 'balancer_v3' },
      { address: BINS, kind: 'infinity_bin', launchpad: 'pancakeswap_infinity_bin' },
    ],
  }),
)
const decode = createLogDecode(preset)

const ID = `0x${'c9'.repeat(32)}`
const minus = (value: bigint) => BigInt.asUintN(256, -value)
/** Two amounts in one word. */
const halves = (lower: bigint, upper: bigint) => (upper << 128n) | lower
const buyer = topicOf(SENDER)

describe('a swap of a pool that names coins', () => {
  it.each([
    ['Curve, stable', rawLog([TOPICS.curve_swap, buyer], [1, 500, 0, 499]), [1, 0, 500n, 499n]],
    ['Curve, crypto', rawLog([TOPICS.curve_crypto_swap, buyer], [2, 500, 0, 499]), [2, 0, 500n, 499n]],
    ['Curve, newest', rawLog([TOPICS.curve_ng_swap, buyer], [0, 500, 7, 499, 3, 9]), [0, 7, 500n, 499n]],
    ['Fluid, first in', rawLog([TOPICS.fluid_swap], [1, 500, 499, RECEIVER]), [0, 1, 500n, 499n]],
    ['Fluid, second in', rawLog([TOPICS.fluid_swap], [0, 500, 499, RECEIVER]), [1, 0, 500n, 499n]],
    [
      'Maverick, A in, with a tick limit below zero',
      rawLog([TOPICS.maverick_swap], [SENDER, RECEIVER, 500, 1, 0, minus(9n), 500, 499]),
      [0, 1, 500n, 499n],
    ],
    [
      'LFJ, X in',
      rawLog([TOPICS.lfj_swap, buyer, buyer], [8_388_608, halves(500n, 0n), halves(0n, 499n), 1, 0, 0]),
      [0, 1, 500n, 499n],
    ],
    [
      'LFJ, Y in',
      rawLog([TOPICS.lfj_swap, buyer, buyer], [8_388_608, halves(0n, 500n), halves(499n, 0n), 1, 0, 0]),
      [1, 0, 500n, 499n],
    ],
    ['LFJ 2.0', rawLog([TOPICS.lfj_swap_20, buyer, buyer, topicOf(TOKEN)], [0, 500, 499, 1, 2]), [1, 0, 500n, 499n]],
    [
      'Infinity bins, token 0 paid',
      rawLog([TOPICS.infinity_bin_swap, ID, buyer], [minus(500n), 499, 8_388_608, 30, 0], BINS),
      [0, 1, 500n, 499n],
    ],
    [
      'Infinity bins, token 1 paid',
      rawLog([TOPICS.infinity_bin_swap, ID, buyer], [499, minus(500n), 8_388_608, 30, 0], BINS),
      [1, 0, 500n, 499n],
    ],
  ])('%s: has the coins and amounts in the order of the trade', (_, raw, [coinIn, coinOut, amountIn, amountOut]) => {
    expect(decode(raw)).toMatchObject({ kind: 'coins_swap', coinIn, coinOut, amountIn, amountOut, isUnderlying: false })
  })

  it('an exchange of underlying coins says so', () => {
    expect(decode(rawLog([TOPICS.curve_underlying_swap, buyer], [0, 500, 3, 499]))).toMatchObject({
      isUnderlying: true,
    })
  })

  it('amounts of both coins in one word of LFJ are refused', () => {
    expect(decode(rawLog([TOPICS.lfj_swap, buyer, buyer], [1, halves(1n, 1n), halves(0n, 9n), 1, 0, 0]))).toBeNull()
  })

  it('Balancer tells the tokens, and V3 the fee', () => {
    const [sold, bought] = [topicOf(SENDER), topicOf(RECEIVER)]
    const sides = { tokenIn: SENDER, tokenOut: RECEIVER, amountIn: 500n, amountOut: 499n, coinIn: null }
    expect(decode(rawLog([TOPICS.balancer_swap, ID, sold, bought], [500, 499], VAULT))).toMatchObject({
      ...sides,
      pool: ID,
      fee: null,
    })
    const v3 = [TOPICS.balancer_v3_swap, topicOf(TOKEN), sold, bought]
    expect(decode(rawLog(v3, [500, 499, 10n ** 16n, 5], VAULT_3))).toMatchObject({ ...sides, pool: TOKEN, fee: 5n })
  })

  it("GMX's Swap with Balancer's topic is no swap of Balancer", () => {
    const words = [SENDER, TOKEN, RECEIVER, 500, 499, 498, 5]
    expect(decode(rawLog([TOPICS.balancer_v3_swap], words, TOKEN))).toBeNull()
    expect(decode(rawLog([TOPICS.balancer_v3_swap], words, VAULT_3))).toBeNull()
    const indexed = [TOPICS.balancer_v3_swap, topicOf(TOKEN), topicOf(SENDER), topicOf(RECEIVER)]
    expect(decode(rawLog(indexed, [500, 499, 1, 2], TOKEN))).toBeNull()
  })
})

describe('a change of liquidity in several coins', () => {
  it('Balancer V2 gives the tokens, what went in and out of each, and the fees', () => {
    // A recorded exit on Gnosis: three tokens, and one left.
    const exit = minus(2216085632150571961800n)
    const words = [96, 224, 352, 3, SENDER, RECEIVER, TOKEN, 3, 0, exit, 0, 3, 0, 7, 0]
    expect(decode(rawLog([TOPICS.balancer_change, ID, buyer], words, VAULT))).toMatchObject({
      kind: 'coins_change',
      provider: SENDER,
      coins: [SENDER, RECEIVER, TOKEN],
      amounts: [0n, -2216085632150571961800n, 0n],
      fees: [0n, 7n, 0n],
    })
  })

  it.each([
    ['joined', TOPICS.balancer_v1_join, 5n],
    ['left', TOPICS.balancer_v1_exit, -5n],
  ])('a coin that %s Balancer V1 has a log of its own', (_, topic, amount) => {
    const raw = rawLog([topic, buyer, topicOf(TOKEN)], [5], RECEIVER)
    expect(decode(raw)).toMatchObject({ kind: 'coins_change', provider: SENDER, coins: [TOKEN], amounts: [amount] })
  })

  it.each([
    ['added', TOPICS.balancer_v3_add, [0n, 5n]],
    ['removed', TOPICS.balancer_v3_remove, [0n, -5n]],
  ])('an amount %s in Balancer V3 has the sign of the pool', (_, topic, amounts) => {
    const raw = rawLog([topic, topicOf(TOKEN), buyer, topicOf(TOKEN)], [99, 96, 192, 2, 0, 5, 2, 0, 1], VAULT_3)
    expect(decode(raw)).toMatchObject({ pool: TOKEN, provider: SENDER, amounts })
  })

  it.each([
    ['two coins, added', TOPICS.curve_add_2, [1, 2, 0, 0, 9, 9], [1n, 2n]],
    ['three coins, removed', TOPICS.curve_remove_3, [1, 2, 3, 0, 0, 0, 9], [-1n, -2n, -3n]],
    ['four coins, removed unevenly', TOPICS.curve_remove_uneven_4, [1, 0, 3, 0, 0, 0, 0, 0, 9, 9], [-1n, 0n, -3n, 0n]],
    ['a crypto pool, added', TOPICS.curve_crypto_add_3, [1, 2, 3, 0, 9], [1n, 2n, 3n]],
    ['the newest, added', TOPICS.curve_ng_add, [128, 224, 9, 9, 2, 1, 2, 2, 0, 0], [1n, 2n]],
    ['the newest, one coin removed', TOPICS.curve_ng_remove_one, [1, 50, 49, 9], [0n, -49n]],
  ])('Curve, %s', (_, topic, words, amounts) => {
    expect(decode(rawLog([topic, buyer], words))).toMatchObject({ pool: null, provider: SENDER, amounts })
  })

  it('bins are summed for each of the two tokens', () => {
    const words = [64, 160, 2, 1, 2, 2, halves(5n, 1n), halves(6n, 2n)]
    expect(decode(rawLog([TOPICS.lfj_add, buyer, buyer], words))).toMatchObject({ amounts: [11n, 3n] })
    expect(decode(rawLog([TOPICS.lfj_remove, buyer, buyer], words))).toMatchObject({ amounts: [-11n, -3n] })
    const mint = [160, 0, 224, 0, 0, 1, 8_388_608, 1, halves(5n, 1n)]
    expect(decode(rawLog([TOPICS.infinity_bin_mint, ID, buyer], mint, BINS))).toMatchObject({
      pool: ID,
      amounts: [5n, 1n],
    })
  })
})

describe('a pool with its coins', () => {
  it('Balancer lists them in both versions', () => {
    const coins = [64, 160, 2, SENDER, RECEIVER, 2, 0, 0]
    expect(decode(rawLog([TOPICS.balancer_tokens, ID], coins, VAULT))).toMatchObject({
      kind: 'coins_listed',
      pool: ID,
      coins: [SENDER, RECEIVER],
    })
    const head = [21 * 32, ...Array.from({ length: 20 }, () => 0)]
    const registered = [...head, 2, SENDER, 0, 0, 0, RECEIVER, 1, TOKEN, 1]
    const raw = rawLog([TOPICS.balancer_v3_pool, topicOf(TOKEN), buyer], registered, VAULT_3)
    expect(decode(raw)).toMatchObject({ kind: 'coins_listed', pool: TOKEN, coins: [SENDER, RECEIVER] })
  })
})

describe('a list that is not within its log', () => {
  const listed = (words: (number | bigint)[]) => decode(rawLog([TOPICS.balancer_tokens, ID], words, VAULT))

  it.each([
    ['an offset behind the data', [320, 96, 0, 0]],
    ['an offset of 2^255', [2n ** 255n, 96, 0, 0]],
    ['an offset between words', [65, 96, 0, 0]],
    ['a length that runs over the end', [64, 96, 3, SENDER, RECEIVER]],
    ['a length of 2^64', [64, 96, 2n ** 64n, 0]],
    ['more entries than are kept', [64, 96, 65, ...Array.from({ length: 65 }, () => SENDER)]],
    ['an entry wider than an address', [64, 96, 1, 2n ** 200n]],
    ['too few words', [64, 96, 0]],
  ] as [string, (number | bigint)[]][])('%s is refused', (_, words) => {
    expect(listed(words)).toBeNull()
  })

  it('the next log is still decoded', () => {
    expect(listed([320, 96, 0, 0])).toBeNull()
    expect(listed([64, 96, 1, BigInt(SENDER), 0])).toMatchObject({ coins: [SENDER] })
  })
})
