// Text columns whose values come from a closed set of words. For PostgreSQL and Prisma they are plain text; the schema types
// them with the words. The code that writes such a column must write only words of its set.
import type { Confidence, NetActivity, Plan, RiskFlag, WalletKind } from '../../base/vocabulary.ts'
import type { MessageStatus } from '../../ledger/alerts/outbox.ts'

export interface ClosedSets {
  Token: { riskFlags: RiskFlag[] }
  Wallet: { kind: WalletKind }
  TokenScore: { confidence: Confidence; earlyMoverNetActivity: NetActivity }
  WalletScore: { confidence: Confidence }
  AlertMessage: { status: MessageStatus }
  Account: { plan: Plan }
}
