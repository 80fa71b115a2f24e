import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readCells } from '../../../research/labels/csv.ts'
import { createLeftOut } from '../../../research/labels/left-out.ts'
import { createChainState } from './chain-state.ts'

/** In order of time. */
interface Swap {
  pool: string
  wallet: string
  direction: string
}

/** How many of a pool's latest traders to compare the next trader with. */
const AMONG = [1, 4, 16, 64]

/** Shares of swaps by wallets new to the pool and new on the chain, and of repeat swaps by the pool's last traders. */
function describeWallets(swaps: readonly Swap[]) {
  const wallets = new Set<string>()
  const pools = new Map<string, string[]>()
  const again: Record<string, number[]> = { buy: [], sell: [] }
  let newToPool = 0
  for (const { pool, wallet, direction } of swaps) {
    wallets.add(wallet)
    const traders = pools.get(pool) ?? []
    if (traders.length === 0) pools.set(pool, traders)
    const at = traders.lastIndexOf(wallet)
    if (at < 0) newToPool += 1
    else {
      again[direction]?.push(traders.length - at)
      traders.splice(at, 1)
    }
    traders.push(wallet)
  }
  const shares = (ranks: readonly number[] = []) =>
    AMONG.map((most) => ranks.filter((rank) => rank <= most).length / ranks.length)
  return {
    shares: [newToPool / swaps.length, wallets.size / swaps.length, ...shares(again.buy), ...shares(again.sell)],
    perPool: swaps.length / pools.size,
  }
}

/**
 * Shares of swaps on the 10 and 50 newest pools (by first swap), among the swaps made while there were from..to pools.
 */
function describePools(swaps: readonly Swap[], from: number, to: number): number[] {
  const firsts = new Map<string, number>()
  const ranks: number[] = []
  for (const { pool } of swaps) {
    const first = firsts.get(pool) ?? firsts.size
    firsts.set(pool, first)
    if (firsts.size >= from && firsts.size < to) ranks.push(firsts.size - first)
  }
  return [10, 50].map((most) => ranks.filter((rank) => rank <= most).length / ranks.length)
}

/**
 * Real figures: 170,059 swaps in 340 pools of Polygon in 2021, as `describeWallets` returns them (new, buys, sells).
 */
const REAL = [0.141, 0.079, 0.368, 0.697, 0.915, 0.982, 0.314, 0.631, 0.882, 0.982]

/** The same swaps by number of pools: 50 to 99, 100 to 199, 200 to 339. More pools do not mean trades in older ones. */
const REAL_POOLS = [
  [0.671, 0.979],
  [0.606, 0.871],
  [0.664, 0.831],
]

const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'

function generate(count: number): Swap[] {
  const state = createChainState(1)
  const swaps: Swap[] = []
  while (swaps.length < count) {
    for (const { from, value, logs } of state.nextBlock(200)) {
      const swap = logs.find(({ topics }) => topics[0] === SWAP)
      if (swap) swaps.push({ pool: swap.address, wallet: from, direction: value === '0x0' ? 'sell' : 'buy' })
    }
  }
  return swaps
}

test('wallets of the generated chain come, stay with a pool and return to it as real wallets do', () => {
  const { shares, perPool } = describeWallets(generate(60_000))
  expect(perPool).toBeGreaterThan(500)
  const differences = shares.map((share, i) => Math.abs(share - (REAL[i] ?? 0)))
  expect(Math.max(...differences)).toBeLessThan(0.12)
  // New wallets create rows, so their shares are held closer.
  expect(Math.max(...differences.slice(0, 2))).toBeLessThan(0.02)
})

test('trades of the generated chain spread over more pools than real ones, but not further as pools are added', () => {
  const swaps = generate(400_000)
  const [before = [], after = []] = [describePools(swaps, 260, 380), describePools(swaps, 380, 500)]
  for (const [i, share] of before.entries()) {
    expect(share).toBeLessThan(Math.min(...REAL_POOLS.map((shares) => shares[i] ?? 0)))
    expect(Math.abs(share - (after[i] ?? 0))).toBeLessThan(0.02)
  }
})

const DATA = fileURLToPath(new URL('../../../../shared/data/rug-polygon-2021', import.meta.url))
const hasData = existsSync(DATA)

test.skipIf(!hasData)(
  `real trades have the figures stated here${hasData ? '' : ' (skipped: ../shared/data is not here)'}`,
  () => {
    const cells = readCells(
      DATA,
      'events.csv.gz',
      ['event', 'block', 'token_id', 'direction', 'wallet'],
      createLeftOut(),
    )
    const swaps = cells
      .filter(([event]) => event === 'swap')
      .toSorted((one, other) => Number(one[1]) - Number(other[1]))
      .map(([, , pool = '', direction = '', wallet = '']) => ({ pool, wallet, direction }))
    const { shares, perPool } = describeWallets(swaps)
    expect(perPool).toBeGreaterThan(490)
    const round = (list: number[]) => list.map((share) => Number(share.toFixed(3)))
    expect(round(shares)).toEqual(REAL)
    const pools = [describePools(swaps, 50, 100), describePools(swaps, 100, 200), describePools(swaps, 200, 340)]
    expect(pools.map(round)).toEqual(REAL_POOLS)
  },
)
