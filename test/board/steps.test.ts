// An order of many tokens is made in steps, while others are served and blocks come, and is the order that is made at once.
import { describe, expect, it } from 'vitest'
import { type Board, createBoard } from '../../src/board/board.ts'
import { createColumns } from '../../src/board/columns.ts'
import type { TokenOrder } from '../../src/fields/screen.ts'
import type { BoardBlock, BoardRows } from '../../src/ledger/read/board.ts'
import { createRandom } from '../support/seed.ts'

const COUNT = 20_500
const ORDER: TokenOrder[] = [
  { measure: 'holderCount', descending: true },
  { measure: 'riskScore', descending: false },
]
const QUESTION = { screen: {}, order: ORDER, offset: 0, limit: COUNT + 100 }

/** Rows of tokens whose numbers depend on the block. */
function rowsOf(ids: readonly number[], block: number): BoardRows {
  const random = createRandom(block + 1)
  const number = () => Math.floor(random() * 50)
  const numbers = Object.entries(createColumns(0)).map(([name, column]) => [
    name,
    column instanceof Float64Array ? Float64Array.from(ids, number) : Int32Array.from(ids, number),
  ])
  return {
    ...(Object.fromEntries(numbers) as unknown as BoardRows),
    id: Int32Array.from(ids),
    address: ids.map((id) => `0x${((id * 7919) % 65_521).toString(16).padStart(40, '0')}`),
    launchpad: ids.map(() => 'uniswap_v2'),
    symbol: ids.map((id) => `t${id}`),
    name: ids.map((id) => `token ${id}`),
    unit: Int32Array.from(ids, (id) => id % 2),
  }
}

const blockOf = (number: number, tokenCount: number, nativeUsd = 1): BoardBlock => ({
  number,
  hash: `0x${number}`,
  timeMs: number * 1_000,
  tokenCount,
  lastTokenId: tokenCount,
  isFinal: false,
  units: { ids: [1], usd: [nativeUsd] },
})

function open(): Board {
  const board = createBoard()
  board.fill(
    rowsOf(
      Array.from({ length: COUNT }, (_, at) => at + 1),
      1,
    ),
  )
  board.open(blockOf(1, COUNT))
  return board
}

const CHANGES = [[5, 77, 20_000, COUNT + 1], [], [77, 78, COUNT + 2]]

describe('an order that is made in steps', () => {
  it('is the one that is made at once, though blocks changed, brought and took tokens meanwhile', async () => {
    const [slow, quick] = [open(), open()]
    expect(slow.isReady(ORDER)).toBe(false)
    let steps = 0
    const change = (board: Board, step: number) => {
      const ids = CHANGES[step]
      if (ids) board.apply([rowsOf(ids, 2 + step)], blockOf(2 + step, COUNT + 1 + Math.floor(step / 2)))
      const first = board.past().at(-1)
      if (step === CHANGES.length && first) board.rewind(first)
    }
    const pause = async () => {
      change(slow, steps)
      steps += 1
    }
    const [first, second] = [slow.makeReady(ORDER, pause), slow.makeReady(ORDER, pause)]
    expect(second).toBe(first)
    await first
    expect(steps).toBeGreaterThan(CHANGES.length + 1)
    for (let step = 0; step < steps; step += 1) change(quick, step)
    expect(slow.isReady(ORDER)).toBe(true)
    expect(slow.list(QUESTION)).toEqual(quick.list(QUESTION))
  })

  it('begins with the order by address, made in steps too', async () => {
    const [slow, quick] = [open(), open()]
    let steps = 0
    const pause = async () => {
      if (steps === 1) slow.apply([rowsOf([5, 77, COUNT + 1], 2)], blockOf(2, COUNT + 1))
      steps += 1
    }
    await slow.makeReady([], pause)
    expect(steps).toBeGreaterThan(2)
    quick.apply([rowsOf([5, 77, COUNT + 1], 2)], blockOf(2, COUNT + 1))
    expect(slow.list({ ...QUESTION, order: [] })).toEqual(quick.list({ ...QUESTION, order: [] }))
  })

  it('is not stored if it sorts by values that the native coin moved meanwhile', async () => {
    const board = open()
    const order: TokenOrder[] = [{ measure: 'marketCapUsd', descending: true }]
    await board.makeReady(order, async () => board.apply([], blockOf(2, COUNT, 3)))
    expect(board.isReady(order)).toBe(false)
    await board.makeReady(order, async () => {})
    expect(board.isReady(order)).toBe(true)
  })

  it('lets none of the orders of REST go, however many others are asked for', async () => {
    const board = open()
    const liquidity: TokenOrder[] = [{ measure: 'liquidityUsd', descending: true }]
    await board.makeReady(liquidity, async () => {})
    const measures = ['holderCount', 'buyerCount', 'eventCount', 'swapCount', 'createdAt', 'priceUsd'] as const
    for (const first of measures)
      for (const second of measures)
        await board.makeReady(
          [
            { measure: first, descending: true },
            { measure: second, descending: false },
          ],
          async () => {},
        )
    expect(board.isReady(liquidity)).toBe(true)
    expect(board.isReady([{ measure: 'holderCount', descending: true }])).toBe(false)
  })
})
