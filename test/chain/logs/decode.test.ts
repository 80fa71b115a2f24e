import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Venue } from '../../../src/chain/exchanges/venues.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import { createLogDecode } from '../../support/decode.ts'
import { RECEIVER, SENDER, TOKEN, word } from '../../support/fake-chain.ts'
import { rawLog } from '../../support/raw-log.ts'

const preset = loadPreset(1)
const decode = createLogDecode(preset)
const factoryOf = (wanted: Venue) => preset.factories.find(({ kind }) => kind === wanted)?.address
const [factoryV2, factoryV3] = [factoryOf('v2'), factoryOf('v3')]
const MAX = 2n ** 256n - 1n
const from = `0x${word(SENDER)}`
const to = `0x${word(RECEIVER)}`

const log = (...parts: Parameters<typeof rawLog>): RawLog => ({
  ...rawLog(...parts),
  transactionHash: `0x${'A'.repeat(64)}`,
})
const negative = (value: bigint) => BigInt.asUintN(256, value)

describe('a decoded log', () => {
  it('a decoded log has its address and hash in lower case', () => {
    expect(decode(log([TOPICS.transfer, from, to], [MAX], TOKEN.toUpperCase().replace('0X', '0x')))).toEqual({
      kind: 'transfer',
      address: TOKEN,
      logIndex: 7,
      txHash: `0x${'a'.repeat(64)}`,
      from: SENDER,
      to: RECEIVER,
      amount: MAX,
    })
  })

  it.each([
    [
      'a transfer without indexed arguments',
      log([TOPICS.transfer], [SENDER, RECEIVER, 5]),
      { from: SENDER, to: RECEIVER, amount: 5n },
    ],
    [
      'a WETH deposit',
      log([TOPICS.deposit, to], [5], preset.wrappedNative),
      { kind: 'deposit', to: RECEIVER, amount: 5n },
    ],
    [
      'a WETH withdrawal',
      log([TOPICS.withdrawal, from], [5], preset.wrappedNative),
      { kind: 'withdrawal', from: SENDER, amount: 5n },
    ],
    [
      'a V2 pair',
      log([TOPICS.pair_created, from, to], [TOKEN, 1], factoryV2),
      { token0: SENDER, token1: RECEIVER, pool: TOKEN },
    ],
    [
      'a V3 pool',
      log([TOPICS.pool_created, from, to, `0x${word(3000)}`], [60, TOKEN], factoryV3),
      { fee: 3000, pool: TOKEN },
    ],
    ['V2 reserves', log([TOPICS.v2_sync], [1, 2]), { kind: 'v2_sync', reserve0: 1n, reserve1: 2n }],
    ['a V2 mint', log([TOPICS.v2_mint, from], [1, 2]), { kind: 'v2_mint', amount0: 1n, amount1: 2n }],
    ['a V2 burn', log([TOPICS.v2_burn, from, to], [1, 2]), { kind: 'v2_burn', to: RECEIVER, amount1: 2n }],
    [
      'a V2 swap',
      log([TOPICS.v2_swap, from, to], [1, 2, 3, 4]),
      { amount0In: 1n, amount1In: 2n, amount0Out: 3n, amount1Out: 4n },
    ],
    ['a V3 start', log([TOPICS.v3_initialize], [2n ** 96n, negative(-5n)]), { sqrtPriceX96: 2n ** 96n, tick: -5 }],
    [
      'a V3 mint',
      log([TOPICS.v3_mint, from, `0x${word(negative(-60n))}`, `0x${word(60)}`], [SENDER, 9, 1, 2]),
      { kind: 'v3_mint', owner: SENDER, tickLower: -60, tickUpper: 60, liquidity: 9n, amount0: 1n, amount1: 2n },
    ],
    [
      'a V3 burn',
      log([TOPICS.v3_burn, from, `0x${word(negative(-60n))}`, `0x${word(60)}`], [9, 1, 2]),
      { kind: 'v3_burn', liquidity: 9n, amount0: 1n, amount1: 2n },
    ],
    [
      'a V3 swap',
      log([TOPICS.v3_swap, from, to], [negative(-7n), 8, 5, 6, negative(-1n)]),
      { kind: 'v3_swap', amount0: -7n, amount1: 8n, sqrtPriceX96: 5n, liquidity: 6n, tick: -1 },
    ],
    [
      'a PancakeSwap V3 swap',
      log([TOPICS.v3_swap_fees, from, to], [negative(-7n), 8, 5, 6, 3, 0, 0]),
      { kind: 'v3_swap', amount0: -7n, tick: 3 },
    ],
  ])('the decoder reads %s', (_, raw, fields) => {
    expect(decode(raw)).toMatchObject(fields)
  })
})

describe('a log that is not decoded', () => {
  it.each([
    ['an ERC-721 transfer', log([TOPICS.transfer, from, to, `0x${word(1)}`], [])],
    ['a transfer with too little data', log([TOPICS.transfer, from, to], [])],
    ['a transfer with too much data', log([TOPICS.transfer, from, to], [1, 2])],
    ['a withdrawal from a contract other than WETH', log([TOPICS.withdrawal, to], [5])],
    ['a pair of an unknown factory', log([TOPICS.pair_created, from, to], [TOKEN, 1])],
    ['an address with dirty upper bytes', log([TOPICS.transfer, `0x${'f'.repeat(64)}`, to], [1])],
    ['broken hex in the data', { ...log([TOPICS.transfer, from, to], [1]), data: `0x${'z'.repeat(64)}` }],
    ['broken hex in a topic', log([TOPICS.transfer, `0x${'0'.repeat(24)}${'z'.repeat(40)}`, to], [1])],
    ['a reserve above 112 bits', log([TOPICS.v2_sync], [2n ** 112n, 1])],
    ['a tick above 24 bits', log([TOPICS.v3_initialize], [1, 2 ** 24])],
    ['no topic', log([], [1])],
    ['another topic', log([`0x${'9'.repeat(64)}`], [1])],
    ['an address that is none', log([TOPICS.transfer, from, to], [1], '0x12')],
  ])('the decoder ignores %s', (_, raw) => {
    expect(decode(raw)).toBeNull()
  })

  it('a deposit into a contract other than WETH may be one of shares', () => {
    expect(decode(log([TOPICS.deposit, to], [5]))).toMatchObject({ kind: 'shares_staked', amount: 5n })
  })

  it('the decoder never throws, whatever a provider sends', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom(...Object.values(TOPICS), from, to, `0x${word(1)}`))
    const raw = fc.record({ address: text, data: text, topics: fc.array(text, { maxLength: 5 }), logIndex: text })
    fc.assert(fc.property(raw, (part) => void decode({ ...log([], []), ...part })))
  })
})
