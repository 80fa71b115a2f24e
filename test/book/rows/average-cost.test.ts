import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addBuy,
  addLeave,
  addSell,
  closePosition,
  newBasis,
  newRecord,
  recordBuy,
  recordClosed,
  recordSale,
} from '../../../src/book/rows/average-cost.ts'
import type { Basis, TradeRecord } from '../../../src/book/rows/rows.ts'

/** One line of a ledger: bought (received, paid), sold (given, proceeds), or left at a market value. */
type Line =
  | readonly ['buy', received: number, usd: number | null]
  | readonly ['sell', given: number, usd: number | null]
  | readonly ['leave', quantity: number, usd: number | null]

interface Outcome {
  realised?: number
  cost?: number
  costQuantity?: number
  bought?: number
  sold?: number
  soldKnown?: number
  leftCost?: number
  closed?: number
  wins?: number
  exits?: number
  exitWins?: number
  drawdown?: number
}

function run(lines: readonly Line[]): { basis: Basis; record: TradeRecord } {
  const basis = newBasis()
  const record = newRecord()
  for (const [what, quantity, usd] of lines) {
    if (what === 'leave') recordSale(record, addLeave(basis, quantity, usd ?? null))
    else if (what === 'buy') {
      addBuy(basis, quantity, usd ?? null)
      recordBuy(record, usd ?? null)
    } else recordSale(record, addSell(basis, quantity, usd ?? null))
    const resultUsd = closePosition(basis)
    if (resultUsd !== null) recordClosed(record, resultUsd)
  }
  return { basis, record }
}

const LEDGERS: readonly (readonly [title: string, lines: readonly Line[], outcome: Outcome])[] = [
  ['nothing', [], { realised: 0, cost: 0, costQuantity: 0, bought: 0, sold: 0, closed: 0 }],
  ['a buy that is held', [['buy', 100, 50]], { realised: 0, cost: 50, costQuantity: 100, bought: 50, closed: 0 }],
  [
    'a round trip with a profit',
    [
      ['buy', 100, 50],
      ['sell', 100, 80],
    ],
    { realised: 30, cost: 0, costQuantity: 0, sold: 80, soldKnown: 80, closed: 1, wins: 1, drawdown: 0 },
  ],
  [
    'a round trip with a loss',
    [
      ['buy', 100, 50],
      ['sell', 100, 20],
    ],
    { realised: -30, closed: 1, wins: 0, drawdown: 30 },
  ],
  [
    'a round trip at the same price is no win',
    [
      ['buy', 4, 8],
      ['sell', 4, 8],
    ],
    { realised: 0, closed: 1, wins: 0 },
  ],
  [
    'a partial sell',
    [
      ['buy', 100, 50],
      ['sell', 25, 25],
    ],
    { realised: 12.5, cost: 37.5, costQuantity: 75 },
  ],
  [
    'partial sells until nothing is left',
    [
      ['buy', 3, 9],
      ['sell', 1, 4],
      ['sell', 1, 2],
      ['sell', 1, 3],
    ],
    { realised: 0, cost: 0, costQuantity: 0, closed: 1, wins: 0, exits: 1, exitWins: 0, drawdown: 1 },
  ],
  [
    'two buys average',
    [
      ['buy', 100, 100],
      ['buy', 100, 300],
      ['sell', 100, 250],
    ],
    { realised: 50, cost: 200, costQuantity: 100 },
  ],
  [
    'a buy after a partial sell averages with what is left',
    [
      ['buy', 100, 100],
      ['sell', 50, 100],
      ['buy', 50, 150],
      ['sell', 100, 300],
    ],
    { realised: 150, cost: 0, closed: 1, wins: 1, exits: 2, exitWins: 2 },
  ],
  [
    'two round trips',
    [
      ['buy', 10, 10],
      ['sell', 10, 15],
      ['buy', 10, 20],
      ['sell', 10, 18],
    ],
    { realised: 3, closed: 2, wins: 1, drawdown: 2 },
  ],
  [
    'an airdrop that is sold has no cost',
    [['sell', 100, 70]],
    { realised: 0, sold: 70, soldKnown: 0, closed: 0, wins: 0 },
  ],
  [
    'an airdrop on top: what was bought goes first',
    [
      ['buy', 100, 100],
      ['sell', 150, 300],
    ],
    { realised: 100, sold: 300, soldKnown: 200, closed: 1 },
  ],
  [
    'an airdrop on top, a small sell is of what was bought',
    [
      ['buy', 100, 100],
      ['sell', 50, 100],
    ],
    { realised: 50, sold: 100, soldKnown: 100, cost: 50 },
  ],
  [
    'a sell after everything known was sold',
    [
      ['buy', 10, 10],
      ['sell', 10, 20],
      ['sell', 10, 20],
    ],
    { realised: 10, sold: 40, soldKnown: 20, closed: 1 },
  ],
  [
    'a fee on the way in makes the buy dearer',
    [
      ['buy', 90, 100],
      ['sell', 90, 90],
    ],
    { realised: -10, cost: 0, costQuantity: 0 },
  ],
  [
    'a fee on the way out is part of what was given',
    [
      ['buy', 100, 100],
      ['sell', 100, 90],
    ],
    { realised: -10, costQuantity: 0 },
  ],
  [
    'a fee of everything: nothing arrives, nothing is held',
    [['buy', 0, 100]],
    { bought: 100, cost: 0, costQuantity: 0, realised: 0 },
  ],
  [
    'what is sent away is a disposal at the market, and no sale',
    [
      ['buy', 100, 100],
      ['leave', 60, 30],
      ['sell', 40, 60],
    ],
    { realised: -10, sold: 60, soldKnown: 60, costQuantity: 0, closed: 1, wins: 0, exits: 1 },
  ],
  [
    'a loser that is sent away whole is a lost position',
    [
      ['buy', 100, 100],
      ['leave', 100, 1],
    ],
    { cost: 0, costQuantity: 0, realised: -99, sold: 0, closed: 1, wins: 0, drawdown: 99 },
  ],
  [
    'what leaves without a price has no result: its cost is counted',
    [
      ['buy', 100, 100],
      ['leave', 100, null],
    ],
    { cost: 0, costQuantity: 0, realised: 0, closed: 0, leftCost: 100 },
  ],
  [
    'a token that goes to zero is a loss of its cost',
    [
      ['buy', 1000, 400],
      ['sell', 1000, 0],
    ],
    { realised: -400, soldKnown: 0, closed: 1, wins: 0, drawdown: 400 },
  ],
  [
    'dust is sold to the last cent',
    [
      ['buy', 1e-18, 1e-6],
      ['sell', 1e-18, 2e-6],
    ],
    { realised: 1e-6, cost: 0, costQuantity: 0, wins: 1 },
  ],
  [
    'dust that is left keeps its share of the cost',
    [
      ['buy', 1e9, 1000],
      ['sell', 999_999_999, 2000],
    ],
    { realised: 1000.000001, cost: 0.000001, costQuantity: 1 },
  ],
  [
    'a rounding error of a double is no token',
    [
      ['buy', 0.1, 1],
      ['buy', 0.2, 2],
      ['sell', 0.3, 6],
    ],
    { realised: 3, cost: 0, costQuantity: 0 },
  ],
  [
    'swaps across quotes are in dollars: bought for 1 ETH at 2,000, sold for 2,500 USDC',
    [
      ['buy', 5, 1 * 2000],
      ['sell', 5, 2500],
    ],
    { realised: 500, wins: 1 },
  ],
  [
    'swaps across quotes: the native fell, the token did not',
    [
      ['buy', 5, 1 * 2000],
      ['sell', 5, 1 * 1500],
    ],
    { realised: -500, wins: 0 },
  ],
  [
    'a buy without a price has no cost',
    [
      ['buy', 100, null],
      ['sell', 100, 50],
    ],
    { bought: 0, realised: 0, sold: 50, soldKnown: 0 },
  ],
  [
    'a sell without a price takes the cost with it, and is no trade',
    [
      ['buy', 100, 50],
      ['sell', 50, null],
      ['sell', 50, 40],
    ],
    { realised: 15, sold: 40, closed: 1, cost: 0, leftCost: 25 },
  ],
  [
    'a sale of tokens that the wallet did not give has no cost',
    [
      ['buy', 100, 50],
      ['sell', 0, 70],
    ],
    { realised: 0, sold: 70, soldKnown: 0, cost: 50, closed: 0 },
  ],
  [
    'fifty slices are one exit and one closed position',
    [['buy', 50, 50], ...Array.from({ length: 50 }, () => ['sell', 1, 2] as const)],
    { realised: 50, closed: 1, wins: 1, exits: 1, exitWins: 1 },
  ],
  [
    'a position with more than a twentieth left is open, its sales are an exit',
    [
      ['buy', 100, 100],
      ['sell', 94, 200],
    ],
    { realised: 106, closed: 0, exits: 1, exitWins: 1 },
  ],
  [
    'a twentieth that is left does not keep a position open, and its own sale closes none',
    [
      ['buy', 100, 100],
      ['sell', 95, 200],
      ['sell', 5, 1],
    ],
    { realised: 101, closed: 1, wins: 1, exits: 1, exitWins: 1 },
  ],
  [
    'an exit that begins with a profit and ends with a loss is not won',
    [
      ['buy', 100, 100],
      ['sell', 10, 20],
      ['sell', 90, 30],
    ],
    { realised: -50, closed: 1, wins: 0, exits: 1, exitWins: 0 },
  ],
  [
    'a tiny buy between two sales does not split one exit into two',
    [
      ['buy', 100, 100],
      ['sell', 40, 80],
      ['buy', 1, 2],
      ['sell', 61, 90],
    ],
    { closed: 1, wins: 1, exits: 1, exitWins: 1 },
  ],
  [
    'who buys again after selling nearly all opens a second position',
    [
      ['buy', 100, 100],
      ['sell', 98, 150],
      ['buy', 100, 100],
      ['sell', 102, 50],
    ],
    { closed: 2, wins: 1, exits: 2, exitWins: 1 },
  ],
  [
    'the drawdown is from the highest point',
    [
      ['buy', 4, 40],
      ['sell', 1, 30],
      ['sell', 1, 2],
      ['sell', 1, 5],
      ['sell', 1, 40],
    ],
    { realised: 37, closed: 1, wins: 1, drawdown: 13 },
  ],
  [
    'the drawdown before any profit counts from nothing',
    [
      ['buy', 2, 20],
      ['sell', 1, 1],
      ['sell', 1, 40],
    ],
    { realised: 21, drawdown: 9 },
  ],
]

describe('average cost', () => {
  test.each(LEDGERS)('%s', (_title, lines, outcome) => {
    const { basis, record } = run(lines)
    const found: Required<Outcome> = {
      realised: basis.realisedUsd,
      cost: basis.costUsd,
      costQuantity: basis.costQuantity,
      bought: basis.boughtUsd,
      sold: basis.soldUsd,
      soldKnown: basis.soldKnownUsd,
      leftCost: basis.leftCostUsd,
      closed: record.closedCount,
      wins: record.winCount,
      exits: record.exitCount,
      exitWins: record.exitWinCount,
      drawdown: record.maxDrawdownUsd,
    }
    for (const [name, value] of Object.entries(outcome)) {
      expect(found[name as keyof Outcome], name).toBeCloseTo(value, 9)
    }
    expect(record.realisedUsd).toBe(basis.realisedUsd)
    expect(record.soldKnownUsd).toBe(basis.soldKnownUsd)
  })

  test('loses no dollar: each paid dollar is realised, or still held as cost', () => {
    const line = fc.tuple(
      fc.constantFrom('buy', 'sell'),
      fc.double({ min: 0.001, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(line as fc.Arbitrary<Line>, { maxLength: 40 }), (lines) => {
        const { basis } = run(lines)
        const scale = Math.max(1, basis.boughtUsd, basis.soldUsd)
        expect((basis.boughtUsd - basis.costUsd + basis.realisedUsd - basis.soldKnownUsd) / scale).toBeCloseTo(0, 9)
        expect(basis.costQuantity).toBeGreaterThanOrEqual(0)
        expect(basis.costUsd / scale).toBeGreaterThanOrEqual(-1e-9)
        expect(basis.soldKnownUsd).toBeLessThanOrEqual(basis.soldUsd * (1 + 1e-9))
      }),
    )
  })
})

test('a deployer’s unbought tokens cost nothing: the sale is all profit, and an exit only for the bought part', () => {
  const basis = newBasis()
  addBuy(basis, 10, 100)
  const sale = addSell(basis, 40, 800, true)
  // A quarter was bought, for 100, and brought 200.
  expect(sale).toEqual({ usd: 800, knownUsd: 800, realisedUsd: 700, known: true, exits: 1, exitWins: 1 })
  expect(basis).toMatchObject({ soldUsd: 800, soldKnownUsd: 800, realisedUsd: 700, exitResultUsd: 100, costUsd: 0 })
  const more = addSell(basis, 10, 50, true)
  expect(more).toEqual({ usd: 50, knownUsd: 50, realisedUsd: 50, known: true, exits: 0, exitWins: 0 })
  expect(addSell(newBasis(), 10, 50)).toMatchObject({ knownUsd: 0, realisedUsd: 0, known: false })
})
