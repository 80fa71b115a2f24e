// Text columns whose values are one of a closed set: PostgreSQL and Prisma know text, the schema knows the words. Whoever
// writes a column holds it to its set.
import type { Confidence, NetActivity, Plan, RiskFlag, WalletKind } from '../base/vocabulary.ts'
import type { MessageStatus } from '../ledger/alerts/outbox.ts'

export interface ClosedSets {
  Token: { riskFlags: RiskFlag[] }
  Wallet: { kind: WalletKind }
  TokenScore: { confidence: Confidence; earlyMoverNetActivity: NetActivity }
  WalletScore: { confidence: Confidence }
  AlertMessage: { status: MessageStatus }
  Account: { plan: Plan }
}
