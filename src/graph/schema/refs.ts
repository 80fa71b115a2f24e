// References to the object types, so that the nouns' files can refer to each other without a cycle. `select` names the
// columns that every row of a noun has, whether a hand-written statement or Prisma read it. A field for any other
// column is a `t.expose`, too: stored-columns.ts reads missing columns by key, for all rows in one query.
import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma'
import type { Address } from '../../base/address.ts'
import type { TokenFilter } from '../../fields/filter.ts'
import type { Delivery } from '../../ledger/alerts/delivery.ts'
import type { Contribution, Dimension, Explanation, Floor, Input, Reason } from '../../ledger/explanation.ts'
import type { EventRow } from '../../ledger/read/event.ts'
import type { ScorePointRow } from '../../ledger/read/history.ts'
import type { HolderRow } from '../../ledger/read/holder.ts'
import type { HourRow } from '../../ledger/read/hour.ts'
import type { PoolRow } from '../../ledger/read/pool.ts'
import type { PositionRow } from '../../ledger/read/position.ts'
import { TOKEN_SELECT, type TokenRow } from '../../ledger/read/token.ts'
import type { TokenLockRow } from '../../ledger/read/token-lock.ts'
import type { TokenScoreRow } from '../../ledger/read/token-score.ts'
import type { WalletRow } from '../../ledger/read/wallet.ts'
import type { WalletScoreRow } from '../../ledger/read/wallet-score.ts'
import type { Pnl } from '../../scoring/pnl.ts'
import { PART } from '../cost/list-size.ts'
import { builder } from './builder.ts'
import { connectionRef } from './connection.ts'

type Types = typeof builder.$inferSchemaTypes

/** Declares that all rows of the type come from a hand-written statement, which computes `Row` besides the columns. */
const computed =
  <Row extends object>() =>
  <Model extends PrismaModelTypes, Stored>(ref: PrismaObjectRef<Types, Model, Stored>) =>
    ref as unknown as PrismaObjectRef<Types, Model, Stored & Row>

/** The types of the rows that `node` found: a row does not name its type. */
const kinds = new WeakMap<object, string>()

/** Notes the type of a row that a field of the type Node returns. */
export function asNode<Row extends object>(kind: string, row: Row | null): Row | null {
  if (row) kinds.set(row, kind)
  return row
}

export const NodeInterface = builder.interfaceRef<object>('Node').implement({
  description: 'An object with an identifier, by which `node` finds it again.',
  resolveType: (row) => kinds.get(row),
  fields: (t) => ({
    id: t.id({
      description: 'The identifier: the kind of object and its address. Clients should not take it apart.',
      resolve: (row, _args, _context, { parentType }) =>
        `${parentType.name.toLowerCase()}:${(row as { address: string }).address}`,
    }),
  }),
})

const AddressedInterface = builder.interfaceRef<object>('Addressed').implement({
  description: 'An object with an address on the chain.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: 'The address.',
      resolve: (row) => (row as { address: Address }).address,
    }),
  }),
})

export const TokenObject = computed<TokenRow>()(
  builder.prismaObject('Token', {
    interfaces: [NodeInterface, AddressedInterface],
    description: 'An indexed token, as of the block that the answer reflects.',
    select: TOKEN_SELECT,
  }),
)

export const WalletObject = computed<WalletRow>()(
  builder.prismaObject('Wallet', {
    interfaces: [NodeInterface, AddressedInterface],
    description:
      'An indexed wallet: an address that was the wallet or the counterparty of an event, has ever held an indexed token, or is a relayer.',
    select: {
      id: true,
      address: true,
      firstFunderId: true,
      eventCount: true,
    },
  }),
)

export const PositionObject = computed<PositionRow>()(
  builder.prismaObject('Position', {
    interfaces: [NodeInterface],
    description: 'A token that a wallet holds or held.',
    select: {
      tokenId: true,
      walletId: true,
      costUsd: true,
      realisedUsd: true,
      boughtUsd: true,
      soldUsd: true,
      swapCount: true,
      firstAt: true,
      lastAt: true,
    },
  }),
)

export const HolderObject = computed<HolderRow>()(
  builder.prismaObject('Position', {
    variant: 'Holder',
    interfaces: [AddressedInterface],
    description: 'An address that holds a token.',
    select: { tokenId: true, walletId: true },
  }),
)

export const EventObject = computed<EventRow>()(
  builder.prismaObject('Event', {
    interfaces: [NodeInterface],
    description: 'Something that happened to an indexed token on the chain.',
    select: {
      tokenId: true,
      walletId: true,
      counterpartyId: true,
    },
  }),
)

export const PoolObject = computed<PoolRow>()(
  builder.prismaObject('Pool', {
    interfaces: [NodeInterface, AddressedInterface],
    description: 'A liquidity pool.',
    select: { address: true, kind: true, lpTokenId: true, baseId: true, quoteId: true, liquidityUsd: true },
  }),
)

export const TokenLockObject = computed<TokenLockRow>()(
  builder.prismaObject('TokenLock', {
    description:
      'Tokens that a known locker, or the contract of a launch venue, holds until a time, according to logs.',
    select: { lockerId: true, number: true, tokenId: true, endsAt: true },
  }),
)

export const HourObject = computed<HourRow>()(
  builder.prismaObject('TokenHour', {
    description: 'An hour in which a token traded.',
    select: {
      tokenId: true,
      hour: true,
      openUsd: true,
      highUsd: true,
      lowUsd: true,
      closeUsd: true,
      buyCount: true,
      sellCount: true,
      liquidityUsd: true,
      holderCount: true,
    },
  }),
)

// A token without a score has no row in `token_score`; a loader's statement computes its priors. A field beyond
// `select` must therefore come from a loader.
export const TokenScoreObject = computed<TokenScoreRow>()(
  builder.prismaObject('TokenScore', {
    interfaces: [NodeInterface, AddressedInterface],
    description:
      "The risk of a token: a published function of its dimensions, which `explanation` lists. The chain's stablecoins and its wrapped coin are not scored as launches: their risk is 10, and more if a flag applies.",
    extensions: PART,
    select: { riskScore: true, confidence: true, updatedAt: true, blockNumber: true },
  }),
)

export const WalletScoreObject = computed<WalletScoreRow>()(
  builder.prismaObject('WalletScore', {
    interfaces: [NodeInterface, AddressedInterface],
    description: 'The reputation of a wallet: a weighted composite of its dimensions, not an average.',
    extensions: PART,
    select: { reputationScore: true, updatedAt: true, blockNumber: true },
  }),
)

export const ScorePointObject = computed<Pick<ScorePointRow, 'flags'>>()(
  builder.prismaObject('ScorePoint', {
    description: 'An earlier score.',
    select: { kind: true, id: true, blockNumber: true, time: true, score: true, level: true },
  }),
)

export const DeliveryObject = computed<Delivery>()(
  builder.prismaObject('AlertMessage', {
    name: 'AlertDelivery',
    interfaces: [NodeInterface],
    description: 'A message of an alert: the time it was written, its tokens, and the state of its delivery.',
    select: { id: true, status: true, createdAt: true, sentAt: true, attempts: true },
  }),
)

export const MeObject = builder.prismaObject('Account', {
  name: 'Me',
  description: 'The account behind your API key.',
  select: { id: true, email: true, plan: true, requestsPerMinute: true, requestsPerDay: true, streams: true },
})

export const HolderConnection = connectionRef<HolderRow>('Holder')
export const PoolConnection = connectionRef<PoolRow>('Pool')
export const EventConnection = connectionRef<EventRow>('Event')
export const TokenDimensionsObject = builder.objectRef<TokenScoreRow>('TokenScoreDimensions')
export const TopHolderSummaryObject = builder.objectRef<TokenScoreRow>('TopHolderSummary')
export const WalletDimensionsObject = builder.objectRef<WalletScoreRow>('WalletScoreDimensions')
export const PnlObject = builder.objectRef<Pnl>('Pnl')
export const ExplanationObject = builder.objectRef<Explanation>('ScoreExplanation')
export const DimensionObject = builder.objectRef<Dimension>('ScoreDimension')
export const InputObject = builder.objectRef<Input>('ScoreInput')
export const ContributionObject = builder.objectRef<Contribution>('ScoreContribution')
export const ReasonObject = builder.objectRef<Reason>('RiskReason')
export const FloorObject = builder.objectRef<Floor>('ScoreFloor')
export const ConditionsObject = builder.objectRef<TokenFilter>('AlertConditions')
