// Blocks as columns and back: nothing may be different, whatever a log can say.
import { expect, test } from 'vitest'
import type { Address, Hash } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import type { ChainBlock, DecodedLog, LogKind, LogOf } from '../../../src/chain/event.ts'
import { loadPreset } from '../../../src/chain/presets.ts'
import { readRecording } from '../../../src/chain/recording.ts'
import { createReplay } from '../../../src/chain/replay.ts'
import { createRpc } from '../../../src/chain/rpc.ts'
import { createSource } from '../../../src/chain/source.ts'
import { packBlocks, unpackBlocks } from '../../../src/chain/thread/pack.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const hash = (digit: string): Hash => `0x${digit.repeat(64)}`
const [token0, token1, owner] = [address('1'), address('2'), address('3')]
const MOST = 2n ** 256n - 1n
const LEAST = -(2n ** 255n)

type Own<Kind extends LogKind> = Omit<LogOf<Kind>, 'kind' | 'address' | 'logIndex' | 'txHash'>

/** One log of each kind, with the ends of its numbers. */
const LOGS: { [Kind in LogKind]: Own<Kind> } = {
  transfer: { from: token0, to: owner, amount: MOST },
  deposit: { to: owner, amount: 0n },
  withdrawal: { from: owner, amount: 1n },
  pair_created: { token0, token1, pool: owner },
  v2_mint: { amount0: 2n ** 64n, amount1: 2n ** 64n - 1n },
  v2_burn: { to: owner, amount0: 2n ** 128n, amount1: 2n ** 192n + 5n },
  v2_swap: { to: owner, amount0In: 1n, amount1In: 0n, amount0Out: 2n ** 63n, amount1Out: 2n ** 127n },
  v2_sync: { reserve0: 2n ** 112n - 1n, reserve1: 0n },
  pool_created: { token0, token1, fee: 10_000, pool: owner },
  v3_initialize: { sqrtPriceX96: 2n ** 160n - 1n, tick: -887_272 },
  v3_mint: { owner, tickLower: -60, tickUpper: 60, liquidity: 2n ** 128n - 1n, amount0: 0n, amount1: 7n },
  v3_burn: { owner, tickLower: -8_388_608, tickUpper: 8_388_607, liquidity: 0n, amount0: 3n, amount1: MOST },
  v3_swap: { amount0: LEAST, amount1: -LEAST - 1n, sqrtPriceX96: 1n, liquidity: 2n ** 96n, tick: 0 },
  lock_set: { number: 12, token: token0, owner, amount: 5n, endsAt: 253_402_300_799 },
  lock_changed: { number: 0, owner: null, amount: null, endsAt: null },
  lock_reduced: { number: 4, amount: 2n ** 200n },
  lock_added: { token: token1, owner, amount: 9n, endsAt: 0 },
  lock_taken: { token: token0, amount: 1n },
}

const block = (number: number, logs: DecodedLog[]): ChainBlock => ({
  ...{ number, hash: hash('a'), parentHash: hash('b'), time: 1_760_000_000, logs },
  transactions: [
    { hash: hash('c'), index: 0, from: owner, to: null, value: 0n, plain: false },
    { hash: hash('d'), index: 7, from: token0, to: owner, value: MOST, plain: true },
  ],
})

const pass = (blocks: readonly ChainBlock[]) => {
  const { packed, transfer } = packBlocks(blocks)
  return unpackBlocks(structuredClone(packed, { transfer }))
}

test('a log of every kind comes back as it was, to the last bit', () => {
  const logs = Object.entries(LOGS).map(
    ([kind, own], logIndex) => ({ kind, ...own, address: token1, logIndex, txHash: hash('c') }) as DecodedLog,
  )
  const blocks = [block(5, logs), block(6, []), block(7, logs.slice(3, 5))]
  expect(pass(blocks)).toEqual(blocks)
  expect(pass([])).toEqual([])
})

test('the demo chain comes back as it was', async () => {
  const recording = readRecording()
  const rpc = createRpc({ endpoints: [createReplay(recording)], clock: systemClock })
  const source = createSource({ rpc, preset: loadPreset(recording.chainId), clock: systemClock })
  const blocks = await source.readRange(0, (await source.readHead()).number)
  expect(blocks.reduce((sum, { logs }) => sum + logs.length, 0)).toBeGreaterThan(20_000)
  expect(pass(blocks)).toEqual(blocks)
})
