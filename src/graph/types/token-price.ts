// A token's price, and what it rests on.
import { toMeaning } from '../../base/amount.ts'
import { judgePrice, type PriceBasis } from '../../scoring/price-confidence.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { ConfidenceEnum } from '../schema/vocabulary.ts'

const HOUR_MS = 3_600_000

/** The columns that `basisOf` reads. */
const BASIS = { pricePoolCount: true, depth2PctUsd: true, priceOutlierShare: true, oldestPricedAt: true } as const

type Stored = Omit<PriceBasis, 'ageHours'> & { oldestPricedAt: Date | null }

/** `now`: the time of the block that is read. */
const judge = (token: Stored, now: Date) => {
  const ageHours = token.oldestPricedAt && (now.getTime() - token.oldestPricedAt.getTime()) / HOUR_MS
  return judgePrice({ ...token, ageHours })
}

const toPrice = (usd: number) => (usd > 0 ? toMeaning(usd) : null)

builder.prismaObjectFields(TokenObject, (t) => ({
  priceUsd: t.float({
    nullable: true,
    description:
      'The price of a whole token in USD: the mean of the pools whose prices agree within 1 % of the median, weighed by their depth. It is kept in the quote of the deepest pool, and shown at what that quote costs at the block of the answer: it follows the native coin, and a hub, while nobody trades the token. Null when no pool tells it.',
    resolve: ({ priceUsd }) => toPrice(priceUsd),
  }),
  lastPriceUsd: t.float({
    nullable: true,
    description:
      "The price in USD as it was when the token's pools last changed, at `pricedAt`: what candles and changes of the price go by. Null when no pool tells it.",
    resolve: ({ lastPriceUsd }) => toPrice(lastPriceUsd),
  }),
  pricedAt: t.expose('pricedAt', { type: 'DateTime', nullable: true }),
  pricePoolCount: t.exposeInt('pricePoolCount', {
    description:
      'How many pools tell the price: those that agree. 0 when it is not priced, and of stablecoins of the chain, which count as one dollar.',
  }),
  priceHops: t.exposeInt('priceHops', {
    description:
      "How many pools lead from the token to the chain's money: 1 where a stablecoin or the wrapped native coin quotes it, 2 or 3 where other tokens stand between. 0 for that money, and when it is not priced.",
  }),
  depth2PctUsd: t.float({
    nullable: true,
    description:
      'What a trade must be, in USD and without fees, to move the price by 2 %: of both directions the one that takes less, added up over the pools that tell the price; where other tokens stand between, no more than theirs. Null when no pool tells the price, or only a launch curve, of which no log tells the depth.',
    select: { depth2PctUsd: true, pricePoolCount: true },
    resolve: ({ depth2PctUsd, pricePoolCount }) => (pricePoolCount > 0 && depth2PctUsd > 0 ? depth2PctUsd : null),
  }),
  priceConfidence: t.field({
    type: ConfidenceEnum,
    nullable: true,
    description:
      'How far the price can be trusted: high with $1,000 of `depth2PctUsd`, a change within 24 hours and 5 % of the money at most in pools that disagree; low below $100, after seven days, or with 30 % that disagree. Null when it is not priced.',
    select: BASIS,
    resolve: (token, _, { reading }) => judge(token, reading.head.time)?.confidence ?? null,
  }),
  priceConfidenceReason: t.string({
    nullable: true,
    description: 'The reason for `priceConfidence` in a sentence. Null when it is not priced.',
    select: BASIS,
    resolve: (token, _, { reading }) => judge(token, reading.head.time)?.reason ?? null,
  }),
}))
