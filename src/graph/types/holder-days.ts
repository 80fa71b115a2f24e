// The largest holders of a token at the start of each of the last days.
import { toMeaning } from '../../base/amount.ts'
import { DAY_HOLDERS, HOLDER_DAYS, type HolderDayRow, MOST_POSITIONS } from '../../ledger/read/holder-days.ts'
import { asLongAs, listOf, PART, seriesOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { ClassificationEnum } from '../schema/vocabulary.ts'

/** Reading all positions of a token takes as long as so many items. */
const ITEMS = 100

interface PastHolder {
  walletId: number
  share: number | null
}

const PastHolderObject = builder.objectRef<PastHolder>('PastHolder').implement({
  description: 'A holder at the start of a day.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: 'The address of the holder.',
      resolve: async ({ walletId }, _, { loaders }) => (await loaders.walletById.load(walletId)).address,
    }),
    holdingPct: t.float({
      nullable: true,
      description: 'What it held then, in percent of the supply of now; null if the supply is unknown.',
      resolve: ({ share }) => (share === null ? null : toMeaning(share)),
    }),
    classification: t.field({
      type: ClassificationEnum,
      description: 'What the wallet does, or the kind of the address, as of now.',
      resolve: async ({ walletId }, _, { loaders }) => (await loaders.walletById.load(walletId)).classification,
    }),
  }),
})

const HolderDayObject = builder.objectRef<HolderDayRow>('HolderDay').implement({
  description: 'The holders of a token at the start of a day (UTC).',
  extensions: PART,
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      description: 'The start of the day.',
      resolve: ({ day }) => new Date(day * 86_400_000),
    }),
    holders: t.field({
      type: [PastHolderObject],
      extensions: seriesOf(DAY_HOLDERS),
      description: `The ${DAY_HOLDERS} largest, including pools and burn addresses, the largest first.`,
      resolve: ({ walletIds, shares }) => walletIds.map((walletId, at) => ({ walletId, share: shares[at] ?? null })),
    }),
  }),
})

builder.prismaObjectField(TokenObject, 'holderDays', (t) =>
  t.field({
    type: [HolderDayObject],
    nullable: true,
    extensions: { ...asLongAs(ITEMS), ...listOf(HOLDER_DAYS) },
    description: `The largest holders at the start of each of the last ${HOLDER_DAYS} days (UTC), the newest last; null if more than ${MOST_POSITIONS.toLocaleString('en')} addresses ever held the token.`,
    resolve: async (token, _, { lists }) => {
      const days = await lists.holderDays.load(token.id)
      return days.every(({ isWhole }) => isWhole) ? days : null
    },
  }),
)
