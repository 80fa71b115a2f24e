// Trades of a wallet and the profit calculated by hand, tested end to end: pool logs, the writer, the graph. The
// "basis" is the quantity held with a known cost, and that cost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../src/base/address.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createMarket } from '../support/blocks.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { createDesk, type Desk, type DeskOptions, openQuotes } from '../support/ledger-desk.ts'
import { appendFinal, startAnew } from '../support/writing.ts'

interface Expected {
  realised: number
  open: number
  /** The share of the sold value with a known cost; default 1. */
  coverage?: number
  confidence?: 'low' | 'medium' | 'high'
  reasons?: string[]
  /** Digits to which the results are known by hand: a swap between the two moves is rounded. */
  digits?: number
}

interface Ledger extends Expected, DeskOptions {
  title: string
  /** Plays the trades; `other` creates a second token for the same wallet. */
  act: (desk: Desk, other: () => Desk) => unknown
}

const NO_COST = ['transfers_without_cost']
const UNPRICED = ['unpriced_holdings']
/** A pool price at which so little is left that the pool prices nothing. */
const DRAINED = 0.000_05

const LEDGERS: Ledger[] = [
  {
    title: 'a buy that doubled and is held',
    act: ({ buy, price }) => [buy(100, 100), price(2)],
    realised: 0,
    open: 100,
  },
  {
    title: 'a buy that halved and is held',
    act: ({ buy, price }) => [buy(100, 100), price(0.5)],
    realised: 0,
    open: -50,
  },
  {
    title: 'a round trip with a profit',
    act: ({ buy, sell }) => [buy(100, 100), sell(100, 150)],
    realised: 50,
    open: 0,
  },
  { title: 'a round trip with a loss', act: ({ buy, sell }) => [buy(100, 100), sell(100, 40)], realised: -60, open: 0 },
  {
    title: 'a round trip to the same dollar',
    act: ({ buy, sell }) => [buy(7, 100), sell(7, 100)],
    realised: 0,
    open: 0,
  },
  {
    title: 'two round trips, the second at another price: 20 - 50',
    act: ({ buy, sell }) => [buy(100, 100), sell(100, 120), buy(100, 200), sell(100, 150)],
    realised: -30,
    open: 0,
  },
  {
    title: 'a round trip within one transaction',
    act: ({ trade }) =>
      trade([
        { side: 'buy', quantity: 100, paid: 100, quote: 'usdc' },
        { side: 'sell', quantity: 100, paid: 110, quote: 'usdc' },
      ]),
    realised: 10,
    open: 0,
  },
  {
    title: 'a quarter sold at twice the price, the rest held: 50 - 25, and 75 x 2 - 75',
    act: ({ buy, sell, price }) => [buy(100, 100), sell(25, 50), price(2)],
    realised: 25,
    open: 75,
  },
  {
    title: 'sold in three parts to the last token: 15 + 0 - 15',
    act: ({ buy, sell }) => [buy(90, 90), sell(30, 45), sell(30, 30), sell(30, 15)],
    realised: 0,
    open: 0,
  },
  {
    title: 'two buys average: 200 for 400, so 50 cost 100, and 150 x 3 - 300',
    act: ({ buy, sell, price }) => [buy(100, 100), buy(100, 300), sell(50, 200), price(3)],
    realised: 100,
    open: 150,
  },
  {
    title: 'a sale between two buys: 100 - 50, then 100 for 50 + 150',
    act: ({ buy, sell }) => [buy(100, 100), sell(50, 100), buy(50, 150), sell(100, 250)],
    realised: 100,
    open: 0,
  },
  {
    title: 'one buy over two swaps of a transaction: 100 for 120',
    act: ({ trade, sell }) => [
      trade([
        { side: 'buy', quantity: 60, paid: 60, quote: 'usdc' },
        { side: 'buy', quantity: 40, paid: 60, quote: 'usdc' },
      ]),
      sell(100, 150),
    ],
    realised: 30,
    open: 0,
  },
  {
    title: 'an airdrop that is held',
    act: ({ receive, price }) => [receive(1_000), price(5)],
    realised: 0,
    open: 0,
    confidence: 'low',
    reasons: ['no_trades'],
  },
  {
    title: 'an airdrop that was sold',
    act: ({ receive, sell }) => [receive(1_000), sell(1_000, 800)],
    realised: 0,
    open: 0,
    coverage: 0,
    confidence: 'low',
    reasons: NO_COST,
  },
  {
    title: 'an airdrop beside a buy: tokens with a cost are sold first, and the rest counts nothing',
    act: ({ buy, receive, sell, price }) => [buy(100, 100), receive(100), sell(100, 150), price(5)],
    realised: 50,
    open: 0,
  },
  {
    title: 'a buy and an equally large airdrop sold at once: half of 400 has a known cost, less 100',
    act: ({ buy, receive, sell }) => [buy(100, 100), receive(100), sell(200, 400)],
    realised: 100,
    open: 0,
    coverage: 0.5,
    confidence: 'medium',
    reasons: NO_COST,
  },
  {
    title: 'a fifth of the sold tokens came by transfer: 80 - 40',
    act: ({ buy, receive, sell }) => [buy(80, 40), receive(20), sell(100, 100)],
    realised: 40,
    open: 0,
    coverage: 0.8,
  },
  {
    title: 'more than half of the sold tokens came by transfer: 40 - 10',
    act: ({ buy, receive, sell }) => [buy(40, 10), receive(60), sell(100, 100)],
    realised: 30,
    open: 0,
    coverage: 0.4,
    confidence: 'low',
    reasons: NO_COST,
  },
  {
    title: 'half given away at three times its cost is realised at the market: 150 - 50, and 50 x 3 - 50',
    act: ({ buy, give, price }) => [buy(100, 100), price(3), give(50)],
    realised: 100,
    open: 100,
  },
  {
    title: 'a loser that is given away stays a loss: 20 - 100',
    act: ({ buy, give, price }) => [buy(100, 100), price(0.2), give(100)],
    realised: -80,
    open: 0,
  },
  {
    title: 'a loser goes to a second wallet of its own with its cost, and is that one`s loss',
    act: ({ buy, give, price, openSecond }) => [buy(100, 100), price(0.2), give(100, openSecond())],
    realised: 0,
    open: 0,
  },
  {
    title: 'half burned is half of the cost lost',
    act: ({ buy, give }) => [buy(100, 100), give(50, ZERO_ADDRESS)],
    realised: -50,
    open: 0,
  },
  {
    title: 'what is given away when nothing prices it has no result, and the confidence says so',
    act: ({ buy, give, price }) => [buy(100, 100), price(DRAINED), give(100)],
    realised: 0,
    open: 0,
    coverage: 0,
    confidence: 'low',
    reasons: ['left_without_result'],
  },
  {
    title: 'tokens that were given away and came back have no cost',
    act: ({ buy, give, receive, sell }) => [buy(100, 100), give(100), receive(100), sell(100, 150)],
    realised: 0,
    open: 0,
    coverage: 0,
    confidence: 'low',
    reasons: NO_COST,
  },
  {
    title: 'liquidity that comes out as it went in makes nothing',
    act: ({ buy, provide, withdraw }) => [buy(100, 100), provide(100, 100), withdraw()],
    realised: 0,
    open: 0,
    digits: 5,
  },
  {
    title: 'liquidity that is in a pool is worth its part of the pool: 400 - 200',
    act: ({ buy, provide, othersBuy }) => [buy(100, 100), provide(100, 100), othersBuy(100)],
    realised: 0,
    open: 200,
    digits: 5,
  },
  {
    title:
      'what liquidity brought is realised, and the tokens from it cost what the pool took for them: 400 - 200, 50.08 - 200',
    act: ({ buy, provide, othersBuy, withdraw }) => [buy(100, 100), provide(100, 100), othersBuy(100), withdraw()],
    realised: 200,
    open: -149.9249,
    digits: 3,
  },
  {
    title: 'half of the liquidity withdrawn is half of it realised, the other half is open',
    act: ({ buy, provide, othersBuy, withdraw }) => [buy(100, 100), provide(100, 100), othersBuy(100), withdraw(50n)],
    realised: 100,
    open: 100 + 25.0376 - 100,
    digits: 3,
  },
  {
    title: 'tokens that come out of a pool and are sold in the same transaction keep their cost: 150 - 100',
    act: ({ buy, provide, withdrawAndSell }) => [buy(100, 100), provide(100, 100), withdrawAndSell(150)],
    realised: 50,
    open: 0,
    digits: 3,
  },
  {
    title:
      'of tokens held, and out of a pool in the same transaction, the sold ones have the average cost, 350 for 150',
    act: ({ buy, provide, withdrawAndSell }) => [buy(100, 100), provide(50, 50), buy(50, 250), withdrawAndSell(150)],
    realised: 150 - 50 * (350 / 150),
    open: 100 - 100 * (350 / 150),
    digits: 3,
  },
  {
    title: 'tokens without a cost have none in a pool: the dollars that come out less those that went in',
    confidence: 'medium',
    reasons: ['no_trades'],
    act: ({ receive, provide, othersBuy, withdraw }) => [receive(100), provide(100, 100), othersBuy(100), withdraw()],
    realised: 100,
    open: 0,
    digits: 5,
  },
  {
    title: 'tokens without a cost in a pool are no open profit',
    confidence: 'medium',
    reasons: ['no_trades'],
    act: ({ receive, provide }) => [receive(100), provide(100, 100)],
    realised: 0,
    open: 0,
    digits: 5,
  },
  {
    title: 'a gain is realised where bought tokens go into a pool: 300 - 100',
    act: ({ buy, provide, withdraw }) => [buy(100, 100), provide(100, 300), withdraw()],
    realised: 200,
    open: 100 - 300,
    digits: 5,
  },
  {
    title: 'a 10 % fee on the way in makes a buy dearer: 90 tokens for 90',
    feePct: 10,
    act: ({ buy, price }) => [buy(100, 90), price(2)],
    realised: 0,
    open: 90,
  },
  {
    title: 'a 10 % fee on the way in and out: 90 given, 81 arrive and bring 81',
    feePct: 10,
    act: ({ buy, sell }) => [buy(100, 90), sell(90, 81)],
    realised: -9,
    open: 0,
  },
  {
    title: 'half of a fee token sold: 60 - 45, and 45 x 1 - 45',
    feePct: 10,
    act: ({ buy, sell }) => [buy(100, 90), sell(45, 60)],
    realised: 15,
    open: 0,
  },
  {
    title: 'half of a fee token given away at its cost: the fee of 4.5 is lost, and 45 x 2 - 45',
    feePct: 10,
    act: ({ buy, give, price }) => [buy(100, 90), give(45), price(2)],
    realised: -4.5,
    open: 45,
  },
  {
    title: 'all but the smallest unit sold: the rest is worth nothing',
    act: ({ buy, sell, price }) => [buy(1_000, 1_000), sell(1_000n * 10n ** 18n - 1n, 1_500), price(1_000)],
    realised: 500,
    open: 0,
  },
  {
    title: 'the smallest unit bought for the smallest amount',
    act: ({ buy }) => [buy(1n, 0.000_001)],
    realised: 0,
    open: -0.000_001,
  },
  {
    title: 'dust sent by strangers changes nothing: 150 - 100',
    act: ({ buy, receive, sell }) => [buy(100, 100), receive(1n), receive(1n), sell(100, 150)],
    realised: 50,
    open: 0,
  },
  {
    title: 'tokens that a pool took for nothing are a fee to it, and no sale',
    act: ({ buy, sell }) => [buy(100, 100), sell(50, 0)],
    realised: 0,
    open: 0,
  },
  {
    title: 'a token that goes to zero loses all of its cost',
    act: ({ buy, price }) => [buy(100, 100), price(DRAINED)],
    realised: 0,
    open: -100,
    confidence: 'medium',
    reasons: UNPRICED,
  },
  {
    title: 'half sold before the token goes to zero: 200 - 50, and the other 50 are lost',
    act: ({ buy, sell, price }) => [buy(100, 100), sell(50, 200), price(DRAINED)],
    realised: 150,
    open: -50,
    confidence: 'medium',
    reasons: UNPRICED,
  },
  {
    title: 'a token that falls to a hundredth of a cent but keeps its price: 100 x .0001 - 100',
    act: ({ buy, price }) => [buy(100, 100), price(0.0001, 20_000_000)],
    realised: 0,
    open: -99.99,
  },
  {
    title: 'bought with dollars, sold for ether at 2,000',
    act: ({ buy, sellForEther }) => [buy(100, 1_000), sellForEther(100, 1)],
    realised: 1_000,
    open: 0,
  },
  {
    title: 'bought with ether, sold for dollars: 700 - .5 x 2,000',
    act: ({ buyForEther, sell }) => [buyForEther(100, 0.5), sell(100, 700)],
    realised: -300,
    open: 0,
  },
  {
    title: 'bought with both: 200 for 100 + .1 x 2,000, half sold for 200, and 100 x 1 - 150',
    act: ({ buy, buyForEther, sell }) => [buy(100, 100), buyForEther(100, 0.1), sell(100, 200)],
    realised: 50,
    open: -50,
  },
  {
    title: 'one token swapped for another without a quote: sold for its worth, which is the cost of the other',
    act: ({ buy, price, swapFor }, other) => {
      buy(100, 100)
      const second = other()
      second.price(4)
      price(2)
      swapFor(second, 100, 50)
      second.price(6)
    },
    realised: 100,
    open: 100,
  },
  {
    title: 'a profit with one token and a loss with another: 50 - 30, and 10 x 2 - 10',
    act: ({ buy, sell }, other) => {
      const second = other()
      buy(100, 100)
      sell(100, 150)
      second.buy(100, 100)
      second.sell(90, 60)
      second.price(2)
    },
    realised: 20,
    open: 10,
  },
  {
    title: 'a V3 pool gives the same result: 100 - 50, and 50 x 1 - 50',
    kind: 'v3',
    act: ({ buy, sell }) => [buy(100, 100), sell(50, 100)],
    realised: 50,
    open: 0,
  },
  {
    title: 'a token with 0 decimals: 20 - 10, and 2 x 15 - 20',
    decimals: 0,
    act: ({ buy, sell, price }) => [buy(3, 30), sell(1, 20), price(15)],
    realised: 10,
    open: 10,
  },
]

describe('the profit equals the one calculated by hand:', () => {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  const found = new Map<string, any>()
  let stop = () => {}
  afterAll(() => stop())

  beforeAll(async () => {
    const market = createMarket()
    openQuotes(market)
    const wallets = LEDGERS.map(({ act, ...options }, at) => {
      const desk = createDesk(market, at, options)
      act(desk, () => createDesk(market, 500 + at, { who: desk.who }))
      return desk.who
    })
    const database = await createTestDatabase()
    const lock = await acquireWriter({ database })
    await appendFinal(await startAnew(lock, market.reader), market.blocks)
    await lock.release()
    const graph = await openGraph(database)
    stop = () => graph.head.stop()
    for (const [at, { title }] of LEDGERS.entries()) {
      const query = `{ wallet(address: "${wallets[at]}") { pnlEstimateUsd pnlConfidence
        pnl { estimateUsd realisedUsd openUsd coverage confidence confidenceGaps } } }`
      found.set(title, (await graph.execute(query, {}, SOMEBODY)).data.wallet)
    }
  })

  test.each(LEDGERS)(
    '$title',
    ({ title, realised, open, coverage = 1, confidence = 'high', reasons = [], digits = 6 }) => {
      const { pnl, pnlEstimateUsd, pnlConfidence } = found.get(title)
      expect(pnl.realisedUsd).toBeCloseTo(realised, digits)
      expect(pnl.openUsd).toBeCloseTo(open, digits)
      expect(pnl.estimateUsd).toBeCloseTo(realised + open, digits)
      expect(pnlEstimateUsd).toBe(pnl.estimateUsd)
      expect(pnl.coverage).toBeCloseTo(coverage, 12)
      expect([pnl.confidence, pnlConfidence, pnl.confidenceGaps]).toEqual([confidence, confidence, reasons])
    },
  )
})
