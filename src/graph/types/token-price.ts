// A token's price, and its basis.
import { toMeaning } from '../../base/amount.ts'
import { judgePrice, type PriceBasis } from '../../scoring/price-confidence.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { ConfidenceEnum } from '../schema/vocabulary.ts'

const HOUR_MS = 3_600_000

/** The columns that `basisOf` reads. */
const BASIS = { pricePoolCount: true, depth2PctUsd: true, priceOutlierShare: true, oldestPricedAt: true } as const

type Stored = Omit<PriceBasis, 'ageHours'> & { oldestPricedAt: Date | null }

/** `now`: the time of the block of the answer. */
const judge = (token: Stored, now: Date) => {
  const ageHours = token.oldestPricedAt && (now.getTime() - token.oldestPricedAt.getTime()) / HOUR_MS
  return judgePrice({ ...token, ageHours })
}

const toPrice = (usd: number) => (usd > 0 ? toMeaning(usd) : null)

builder.prismaObjectFields(TokenObject, (t) => ({
  priceUsd: t.float({
    nullable: true,
    description:
      'The price of a whole token in USD. It is the mean, weighted by depth, of the pools whose prices agree within 1 % of the median. It is stored in the quote of the deepest pool, and converted at the price of that quote at the block of the answer. It therefore follows the native coin, and a hub, while nobody trades the token. Null when no pool has a price.',
    resolve: ({ priceUsd }) => toPrice(priceUsd),
  }),
  lastPriceUsd: t.float({
    nullable: true,
    description:
      "The price in USD at the last change of the token's pools (`pricedAt`), which candles and price changes use. Null when no pool has a price.",
    resolve: ({ lastPriceUsd }) => toPrice(lastPriceUsd),
  }),
  pricedAt: t.expose('pricedAt', { type: 'DateTime', nullable: true }),
  pricePoolCount: t.exposeInt('pricePoolCount', {
    description:
      'How many pools agree on the price. 0 when it is not priced, and for stablecoins of the chain, which count as one dollar.',
  }),
  priceHops: t.exposeInt('priceHops', {
    description:
      "The number of pools from the token to the chain's money. 1 if a stablecoin or the wrapped native coin quotes it, 2 or 3 with other tokens between. 0 for that money, and when it is not priced.",
  }),
  depth2PctUsd: t.float({
    nullable: true,
    description:
      'The size of a trade that moves the price by 2 % in the easier direction, in USD and without fees. It is summed over the pricing pools. Tokens between the token and money limit it to their own depth. Null when no pool has a price, or only a launch curve, whose depth no log shows.',
    select: { depth2PctUsd: true, pricePoolCount: true },
    resolve: ({ depth2PctUsd, pricePoolCount }) => (pricePoolCount > 0 && depth2PctUsd > 0 ? depth2PctUsd : null),
  }),
  priceConfidence: t.field({
    type: ConfidenceEnum,
    nullable: true,
    description:
      'The confidence of the price. High: `depth2PctUsd` of $1,000 or more, a change within 24 hours, and at most 5 % of the money in pools that disagree. Low: a depth below $100, no change for seven days, or 30 % that disagree. Null when it is not priced.',
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
