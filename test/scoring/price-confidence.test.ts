import { expect, test } from 'vitest'
import { judgePrice, type PriceBasis } from '../../src/scoring/price-confidence.ts'

const sound: PriceBasis = { priceUsd: 2, pricePoolCount: 1, depth2PctUsd: 2_700, priceOutlierShare: 0, ageHours: 1 }

test.each<[Partial<PriceBasis>, string | undefined, string | undefined]>([
  [{ priceUsd: 0 }, undefined, undefined],
  [{ pricePoolCount: 0 }, 'medium', 'It is a stablecoin of the chain and counts as one dollar: no pool is asked.'],
  [{}, 'high', 'One pool tells it, and it takes $2.7k to move the price by 2 %.'],
  [{ pricePoolCount: 3 }, 'high', '3 pools agree, and it takes $2.7k to move the price by 2 %.'],
  [{ depth2PctUsd: 500 }, 'medium', 'A trade of $500 moves the price by 2 %.'],
  [{ depth2PctUsd: 0 }, 'low', 'It is the price of a launch curve, whose depth no log shows.'],
  [{ depth2PctUsd: 40 }, 'low', 'A trade of $40 moves the price by 2 %.'],
  [{ priceOutlierShare: 0.1 }, 'medium', 'Pools with 10 % of the money say another price.'],
  [{ priceOutlierShare: 0.4 }, 'low', 'Pools with 40 % of the money say another price.'],
  [{ ageHours: 30.5 }, 'medium', 'Its pools last changed 30 hours ago.'],
  [{ ageHours: 200 }, 'low', 'Its pools last changed 200 hours ago.'],
  [{ ageHours: null }, 'low', 'It is not known when its pools last changed.'],
])('a price with %j has the confidence %s', (change, confidence, reason) => {
  const judged = judgePrice({ ...sound, ...change })
  expect([judged?.confidence, judged?.reason]).toEqual([confidence, reason])
})
