import { expect, test } from 'vitest'
import { estimatePnl, type PnlPosition } from '../../src/scoring/pnl.ts'

const position = (more: Partial<PnlPosition> = {}): PnlPosition => ({
  quantity: 0,
  costQuantity: 0,
  costUsd: 0,
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
  priceUsd: 1,
  ...more,
})

test.each([
  ['a wallet without positions', [], 0, 'low', ['no_trades']],
  [
    'an open position that doubled',
    [position({ quantity: 10, costQuantity: 10, costUsd: 100, boughtUsd: 100, priceUsd: 20 })],
    100,
    'high',
    [],
  ],
  [
    'a closed position with a profit',
    [position({ boughtUsd: 100, soldUsd: 150, soldKnownUsd: 150, realisedUsd: 50 })],
    50,
    'high',
    [],
  ],
  [
    'a position half sold at a loss and half held',
    [
      position({
        quantity: 5,
        costQuantity: 5,
        costUsd: 50,
        boughtUsd: 100,
        soldUsd: 40,
        soldKnownUsd: 40,
        realisedUsd: -10,
        priceUsd: 12,
      }),
    ],
    0,
    'high',
    [],
  ],
  ['an airdrop that is held', [position({ quantity: 1_000, priceUsd: 5 })], 0, 'low', ['no_trades']],
  ['a buy that was given away', [position({ boughtUsd: 100 })], 0, 'high', []],
  [
    'a buy that left without a price',
    [position({ boughtUsd: 100, leftCostUsd: 100 })],
    0,
    'low',
    ['left_without_result'],
  ],
  [
    'a third that left without a price, and two thirds that were sold',
    [position({ boughtUsd: 150, soldUsd: 100, soldKnownUsd: 100, leftCostUsd: 50 })],
    0,
    'medium',
    ['left_without_result'],
  ],
  ['an airdrop that was sold', [position({ soldUsd: 500 })], 0, 'low', ['transfers_without_cost']],
  [
    'a sale of which half came by transfer',
    [position({ boughtUsd: 70, soldUsd: 200, soldKnownUsd: 100, realisedUsd: 30 })],
    30,
    'medium',
    ['transfers_without_cost'],
  ],
  [
    'ten bought and ten received tokens, all held',
    [position({ quantity: 20, costQuantity: 10, costUsd: 100, boughtUsd: 100, priceUsd: 15 })],
    50,
    'high',
    [],
  ],
  [
    'a token that lost its price',
    [position({ quantity: 10, costQuantity: 10, costUsd: 80, boughtUsd: 80, priceUsd: null })],
    -80,
    'medium',
    ['unpriced_holdings'],
  ],
  [
    'worthless gifts beside a real position',
    [
      position({ quantity: 10, costQuantity: 10, costUsd: 100, boughtUsd: 100, priceUsd: 11 }),
      position({ quantity: 1e9, priceUsd: 0 }),
    ],
    10,
    'high',
    [],
  ],
] as const)('the profit estimate of %s', (_, positions, pnl, confidence, reasons) => {
  const estimate = estimatePnl(positions)
  expect(estimate.pnlEstimateUsd).toBe(pnl)
  expect(estimate.pnlConfidence).toBe(confidence)
  expect(estimate.reasons).toEqual(reasons)
})
