// Swaps and liquidity of real users through the whole index, compared with another decoder: whose they are, and the spent
// and received amounts.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { CHANGE_VERDICTS } from '../../research/goldens/receipts/changes.ts'
import { judgeSwap, type Seen } from '../../research/goldens/receipts/judge.ts'
import type { Expectation } from '../../research/goldens/receipts/read.ts'
import { judgeReceipts } from '../../research/goldens/receipts/run.ts'

const FOLDER = resolve('../shared/data/receipts')
const LEAST_RIGHT = 93
const LEAST_CLAIMED = 0.98

describe('receipts of real swaps (skipped where ../shared/data is absent)', () => {
  it.skipIf(!existsSync(FOLDER))(
    'are of the right wallet, and nearly all have the right amounts',
    async () => {
      const { swaps: judged, changes } = await judgeReceipts(FOLDER, inject('postgresUrl'))
      const of = (verdict: string) => judged.filter((each) => each.verdict === verdict)
      expect(judged).toHaveLength(101)
      expect(of('wrong trader').map(({ expected, reason }) => `${expected.txHash}: ${reason}`)).toEqual([])
      expect(of('right').length).toBeGreaterThanOrEqual(LEAST_RIGHT)
      const claimed = judged.filter(({ isClaimed }) => isClaimed)
      const held = claimed.filter(({ verdict }) => verdict === 'right' || verdict === 'surplus or fee')
      expect(held.length / claimed.length).toBeGreaterThanOrEqual(LEAST_CLAIMED)
      const isOf = (verdict: string) => changes.filter((each) => each.verdict === verdict).length
      expect(CHANGE_VERDICTS.map(isOf)).toEqual([30, 1, 0, 0, 0, 0, 17])
    },
    120_000,
  )
})

describe('the judge of a swap', () => {
  const [USER, OTHER, A, B] = ['0x1', '0x2', '0xa', '0xb']
  const expected: Expectation = {
    chain: 'test',
    chainId: 1,
    txHash: '0x0',
    kind: 'swap',
    wallets: [USER],
    spent: [{ token: A, amount: '100', native: false, wallet: USER }],
    received: [{ token: B, amount: '50', native: false, wallet: USER }],
    fees: [],
    protocol: 'test',
  }
  const seen: Seen = {
    logIndex: 1,
    wallet: USER,
    attribution: 'signer',
    tokenIn: A,
    tokenOut: B,
    amountIn: 100,
    amountOut: 50,
  }
  const recording = { chainId: 1, txHash: '0x0', blockHash: '0x0', value: '0', events: [], expected: [], logs: [] }
  const verdictOf = (...swaps: Seen[]) => judgeSwap(expected, swaps, recording).verdict

  it('calls right what has both amounts, also over several pools', () => {
    expect(verdictOf(seen)).toBe('right')
    expect(verdictOf({ ...seen, amountIn: 40, amountOut: 20 }, { ...seen, amountIn: 60, amountOut: 30 })).toBe('right')
  })

  it('finds a wrong trader, a missing side, and a swap that is not seen', () => {
    expect(verdictOf({ ...seen, wallet: OTHER })).toBe('wrong trader')
    expect(verdictOf({ ...seen, tokenOut: '0xc' })).toBe('one side')
    expect(verdictOf({ ...seen, amountIn: 50, amountOut: 25 })).toBe('a part')
    expect(verdictOf()).toBe('not seen')
    expect(verdictOf({ ...seen, amountIn: 101, amountOut: 51 })).toBe('surplus or fee')
  })
})
