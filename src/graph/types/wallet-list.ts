// The list of wallets, such as a leaderboard.
import { toGain } from '../../base/amount.ts'
import { type Fault, invalid } from '../../base/errors.ts'
import { atOnce, type InTurn } from '../../base/turns.ts'
import type { Classification } from '../../base/vocabulary.ts'
import { toSnake } from '../../fields/field.ts'
import { checkValues } from '../../fields/filter.ts'
import { WALLET_CONDITION_ROWS, WALLET_FIELDS, WALLET_MEASURES, type WalletScreen } from '../../fields/wallet.ts'
import {
  countWallets,
  endOfWalk,
  type ListedWallet,
  listWallets,
  WALLET_WALK,
  type WalletListQuestion,
  type WalletOrder,
  type WalletPlace,
} from '../../ledger/read/wallet-list.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import {
  connectionArgs,
  connectionRef,
  implementConnection,
  readSlice,
  toCursor,
  toWalkedSlice,
} from '../schema/connection.ts'
import { WalletObject } from '../schema/refs.ts'
import { inputsOf, SortDirectionEnum } from './screen.ts'

type Given<Filter> = { [Field in keyof Filter]?: Filter[Field] | null | undefined }

const WalletFilterInput = builder.inputType('WalletFilter', {
  description:
    'The conditions for wallets. A field that is left out or null sets no condition. All bounds are inclusive.',
  fields: (t) => ({ ...inputsOf(t, WALLET_CONDITION_ROWS) }),
})

const MEASURE_OF = new Map(WALLET_MEASURES.map((measure) => [toSnake(measure), measure]))

const WalletOrderFieldEnum = builder.enumType('WalletOrderField', {
  description:
    'A number by which a list of wallets can be ordered. Profits are stored in total and by week. Sums over other periods, and open profits, which change with every price, have no index.',
  values: Object.fromEntries(
    [...MEASURE_OF].map(([name, measure]) => [name, { description: WALLET_FIELDS[measure].order }]),
  ),
})

const WalletOrderInput = builder.inputType('WalletOrder', {
  description:
    'The order of a list of wallets. Equal ones follow the order in which they were first seen, or its reverse in an ascending order.',
  fields: (t) => ({
    field: t.field({ type: WalletOrderFieldEnum, required: true, description: 'The number to order by.' }),
    direction: t.field({ type: SortDirectionEnum, defaultValue: 'desc', description: 'In which direction.' }),
  }),
})

/** Returns the filter without its null fields. Throws INVALID_PARAMS with every fault. */
function readFilter(given: Given<WalletScreen>): WalletScreen {
  const screen = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  ) as WalletScreen
  const faults = checkValues(WALLET_CONDITION_ROWS, screen, (name) => `filter.${name}`)
  if (faults.length > 0)
    throw invalid(
      faults.map(({ field, fault }): Fault => ({ location: 'argument', field, message: `${field} ${fault}` })),
    )
  return screen
}

interface GivenList {
  filter?: Given<WalletScreen> | null | undefined
  orderBy?: { field: string; direction?: 'asc' | 'desc' | null | undefined } | null | undefined
}

/** Whom an order by profit leaves out by itself: they are few. */
const PULLERS: readonly Classification[] = ['rug_puller']

function readList({ filter, orderBy }: GivenList): { screen: WalletScreen; order: WalletOrder } {
  const measure = MEASURE_OF.get(orderBy?.field ?? 'reputation_score') ?? 'reputationScore'
  const screen = readFilter(filter ?? {})
  if (measure.startsWith('realised') && !screen.classifications) screen.excludeClassifications ??= PULLERS
  if (screen.excludeClassifications?.length === 0) delete screen.excludeClassifications
  return { screen, order: { measure, descending: orderBy?.direction !== 'asc' } }
}

const isOpen = ({ screen }: Pick<WalletListQuestion, 'screen'>): boolean => Object.keys(screen).length === 0

/** A list without a filter of the caller reads only the wallets that it shows, so it needs no turn. */
const turnOf = ({ screen }: Pick<WalletListQuestion, 'screen'>, walks: InTurn): InTurn =>
  Object.values(screen).some((condition) => condition !== PULLERS) ? walks : atOnce

const listArgs = builder.args((t) => ({
  filter: t.field({ type: WalletFilterInput, description: 'The conditions for the wallets.' }),
  orderBy: t.field({ type: WalletOrderInput, description: 'Their order; the highest reputation first if left out.' }),
}))

const WalletConnection = connectionRef<ListedWallet>('Wallet')
implementConnection(WalletConnection, WalletObject, {
  one: 'A wallet',
  many: 'wallets',
  unknownTotal: `above ${WALLET_WALK} wallets to read.`,
})

const tooFar = invalid([
  {
    location: 'argument',
    field: 'offset',
    message: `offset reaches beyond the first ${WALLET_WALK} wallets of the order, which is as far as it goes: continue after a cursor`,
  },
])

const writePlace = ({ measure, descending }: WalletOrder, { value, id }: WalletPlace) =>
  toCursor(`${measure}${descending ? '-' : '+'} ${value} ${id}`)

function parsePlace({ measure, descending }: WalletOrder, text: string): WalletPlace | null {
  const [order, value = '', id = ''] = text.split(' ')
  const place = { value: Number(value), id: Number(id) }
  const isOurs = order === `${measure}${descending ? '-' : '+'}` && value !== '' && /^\d{1,9}$/.test(id)
  return isOurs && Number.isFinite(place.value) ? place : null
}

builder.queryField('wallets', (t) =>
  t.field({
    type: WalletConnection,
    description: `The indexed wallets that pass a filter, in an order. One request reads ${WALLET_WALK} wallets at most. If few match, a page may have fewer nodes than \`first\` or \`last\` although there are more pages. A wallet whose number changes meanwhile may appear twice or not at all; every other one appears once.`,
    args: { ...listArgs, ...connectionArgs },
    extensions: CONNECTION,
    resolve: async (_, { filter, orderBy, ...asked }, { reading, walks }) => {
      const list = readList({ filter, orderBy })
      const { count, ...beginning } = readSlice(asked, (text) => parsePlace(list.order, text))
      const { place, skip, backwards } = beginning
      if (skip + count > WALLET_WALK) throw tooFar
      // Backwards is the reverse order, from the same place.
      const order = { ...list.order, descending: list.order.descending !== backwards }
      const question: WalletListQuestion = { ...list, order, after: place }
      const inTurn = turnOf(question, walks)
      const found = await inTurn(() => listWallets(reading, question, { offset: skip, limit: count + 1 }))
      const hasMore = found.length > count
      // Without a filter the walk shows all that it reads, so it ends with the list.
      const end = hasMore || isOpen(list) ? null : await endOfWalk(reading, question)
      return toWalkedSlice(
        found.slice(0, count),
        ({ orderValue, id }) => writePlace(list.order, { value: orderValue, id }),
        { ...beginning, hasMore: hasMore || end !== null, walkedTo: end && writePlace(list.order, end) },
        () => inTurn(() => countWallets(reading, { ...list, after: null })),
      )
    },
  }),
)

builder.prismaObjectFields(WalletObject, (t) => ({
  realisedUsd: t.float({
    description: 'The realised profit in USD: the proceeds of sales with a known cost, minus that cost.',
    resolve: (wallet) => toGain(wallet.realisedUsd),
  }),
  realisedThisWeekUsd: t.float({
    description: 'The part of it since Thursday 00:00 UTC, in USD.',
    resolve: async ({ id }, _, { loaders }) => toGain((await loaders.walletWeeks.load(id))?.realisedThisWeekUsd ?? 0),
  }),
  realisedLastWeekUsd: t.float({
    description: 'The part of it in the week before, in USD.',
    resolve: async ({ id }, _, { loaders }) => toGain((await loaders.walletWeeks.load(id))?.realisedLastWeekUsd ?? 0),
  }),
}))
