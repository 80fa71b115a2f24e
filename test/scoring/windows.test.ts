// Windows that end at a block: the last hour and the last day are what happened in the 3,600 and 86,400 seconds up to it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { measureToken } from '../../src/scoring/measures.ts'
import { nextTokenChange } from '../../src/scoring/token-score.ts'
import { DAY, NOW, swap, token } from '../support/facts.ts'

const HOUR = 3_600
/** Around both windows' ends at most, some to the second. */
const ago = fc.oneof(
  fc.integer({ min: 0, max: 2 * DAY }),
  fc.constantFrom(0, HOUR - 1, HOUR, HOUR + 1, DAY - 1, DAY, DAY + 1),
)
const market = fc.record({
  time: fc.integer({ min: NOW, max: NOW + HOUR - 1 }),
  ages: fc.array(ago, { minLength: 1, maxLength: 12 }),
})

const factsAt = (time: number, times: readonly number[]) =>
  token({
    block: toFactsBlock(1_000, time),
    swaps: times.map((at, nth) => swap({ time: at, walletId: nth, amountUsd: 100 + nth, quantity: 1 + 3 * nth })),
  })
const measuresAt = (time: number, times: readonly number[]) => measureToken(factsAt(time, times)).measures

test('the last hour and the last day end at the block and are exactly as long as they say', () => {
  fc.assert(
    fc.property(market, ({ time, ages }) => {
      const times = ages.map((age) => time - age).sort((a, b) => a - b)
      const measures = measuresAt(time, times)
      const within = (seconds: number) => times.filter((at) => at > time - seconds).length
      expect([measures.traderCount1h, measures.traderCount24h]).toEqual([within(HOUR), within(DAY)])
    }),
  )
})

test('a score is due before a trade leaves the hour or the day', () => {
  fc.assert(
    fc.property(market, fc.double({ min: 0, max: 1, noNaN: true }), ({ time, ages }, part) => {
      const times = ages.map((age) => time - age).sort((a, b) => a - b)
      const due = nextTokenChange(factsAt(time, times), { heldUntil: null }) ?? Number.NaN
      expect(due).toBeGreaterThan(time)
      const later = time + Math.floor(part * (due - 1 - time))
      const pick = ({ traderCount1h, traderCount24h, cleanVolume1hUsd }: ReturnType<typeof measuresAt>) => [
        ...[traderCount1h, traderCount24h, cleanVolume1hUsd],
      ]
      expect(pick(measuresAt(later, times))).toEqual(pick(measuresAt(time, times)))
    }),
  )
})

test('a price fell within the day when it stood higher less than a day before the block, and not before', () => {
  const time = NOW + 1_800
  const hours = [25, 24, 1].map((hoursAgo) => ({
    hour: NOW / HOUR - hoursAgo,
    closeUsd: hoursAgo === 1 ? 1 : 10,
    isTraded: true,
  }))
  const facts = (first: number) => ({
    ...factsAt(time, [first, time - 60]),
    hours,
    priceUsd: 1,
  })
  expect(measureToken(facts(time - DAY)).measures.priceFall24h).toBe(0)
  expect(measureToken(facts(time - DAY + 1)).measures.priceFall24h).toBe(0.9)
})
