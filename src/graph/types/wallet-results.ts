// What a wallet earned in the newest days, in plain numbers.
import { toGain, toMeaning } from '../../base/amount.ts'
import type { ResultPeriod, WalletResult, WalletResultsRow } from '../../ledger/read/wallet-days.ts'
import { PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { WalletObject } from '../schema/refs.ts'

const WalletResultObject = builder.objectRef<WalletResult>('WalletResult')
const WalletResultsObject = builder.objectRef<WalletResultsRow>('WalletResults')

builder.objectType(WalletResultObject, {
  extensions: PART,
  description: 'What a wallet earned in a number of days.',
  fields: (t) => ({
    realisedUsd: t.float({
      description: 'The realised profit of the days in USD: the proceeds of sales with a known cost, minus that cost.',
      resolve: ({ realisedUsd }) => toGain(realisedUsd),
    }),
    closedPositionCount: t.exposeInt('closedCount', { description: 'How many positions it closed in the days.' }),
    wonPositionCount: t.exposeInt('winCount', { description: 'How many of these made a profit.' }),
    winRate: t.float({
      nullable: true,
      description: 'The share of these positions that made a profit, 0-1; null where it closed none.',
      resolve: ({ closedCount, winCount }) => (closedCount > 0 ? toMeaning(winCount / closedCount) : null),
    }),
  }),
})

const daysOf = (period: ResultPeriod, days: number) =>
  ({
    type: WalletResultObject,
    nullable: true,
    description: `The ${days} days of UTC up to the block. Null where the index has not all of them.`,
    resolve: (results: WalletResultsRow) => results[period],
  }) as const

builder.objectType(WalletResultsObject, {
  extensions: PART,
  description: 'What a wallet earned in the newest days.',
  fields: (t) => ({ d7: t.field(daysOf('d7', 7)), d30: t.field(daysOf('d30', 30)) }),
})

builder.prismaObjectField(WalletObject, 'results', (t) =>
  t.field({
    type: WalletResultsObject,
    nullable: true,
    description: 'Its realised profit and win rate of 7 and 30 days.',
    resolve: ({ id }, _, { loaders }) => loaders.walletResults.load(id),
  }),
)
