// The object types by name, each on its flat row: so that the files of the nouns can point at each other without a cycle.
import type { Caller } from '../access/guard.ts'
import type { TokenFilter } from '../base/filter.ts'
import type { Paged } from '../base/page.ts'
import type { Contribution, Dimension, Explanation, Floor, Input, Reason } from '../ledger/explanation.ts'
import type { EventRow } from '../ledger/read/event.ts'
import type { ScorePointRow } from '../ledger/read/history.ts'
import type { HolderRow } from '../ledger/read/holder.ts'
import type { HourRow } from '../ledger/read/hour.ts'
import type { PoolRow } from '../ledger/read/pool.ts'
import type { PositionRow } from '../ledger/read/position.ts'
import type { TokenRow } from '../ledger/read/token.ts'
import type { TokenLockRow } from '../ledger/read/token-lock.ts'
import type { TokenScoreRow } from '../ledger/read/token-score.ts'
import type { WalletRow } from '../ledger/read/wallet.ts'
import type { WalletScoreRow } from '../ledger/read/wallet-score.ts'
import type { Pnl } from '../scoring/pnl.ts'
import { builder } from './builder.ts'

export const TokenObject = builder.objectRef<TokenRow>('Token')
export const TokenPageObject = builder.objectRef<Paged<TokenRow>>('TokenPage')
export const HolderObject = builder.objectRef<HolderRow>('Holder')
export const HolderPageObject = builder.objectRef<Paged<HolderRow>>('HolderPage')
export const WalletObject = builder.objectRef<WalletRow>('Wallet')
export const PositionObject = builder.objectRef<PositionRow>('Position')
export const EventObject = builder.objectRef<EventRow>('Event')
export const EventPageObject = builder.objectRef<Paged<EventRow>>('EventPage')
export const PoolObject = builder.objectRef<PoolRow>('Pool')
export const TokenLockObject = builder.objectRef<TokenLockRow>('TokenLock')
export const HourObject = builder.objectRef<HourRow>('TokenHour')
export const TokenScoreObject = builder.objectRef<TokenScoreRow>('TokenScore')
export const TokenDimensionsObject = builder.objectRef<TokenScoreRow>('TokenScoreDimensions')
export const TopHolderSummaryObject = builder.objectRef<TokenScoreRow>('TopHolderSummary')
export const WalletScoreObject = builder.objectRef<WalletScoreRow>('WalletScore')
export const WalletDimensionsObject = builder.objectRef<WalletScoreRow>('WalletScoreDimensions')
export const PnlObject = builder.objectRef<Pnl>('Pnl')
export const ScorePointObject = builder.objectRef<ScorePointRow>('ScorePoint')
export const ExplanationObject = builder.objectRef<Explanation>('ScoreExplanation')
export const DimensionObject = builder.objectRef<Dimension>('ScoreDimension')
export const InputObject = builder.objectRef<Input>('ScoreInput')
export const ContributionObject = builder.objectRef<Contribution>('ScoreContribution')
export const ReasonObject = builder.objectRef<Reason>('RiskReason')
export const FloorObject = builder.objectRef<Floor>('ScoreFloor')
export const ConditionsObject = builder.objectRef<TokenFilter>('AlertConditions')
export const MeObject = builder.objectRef<Caller>('Me')
