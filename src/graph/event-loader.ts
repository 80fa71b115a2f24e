// Loads pages of events for any place in a query: finds the scope's total, then reads all pages requested together in
// one statement.
import DataLoader from 'dataloader'
import type { Page, Paged } from '../base/page.ts'
import type { EventType } from '../base/vocabulary.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import type { EventRow, EventSpan } from '../ledger/read/event.ts'
import { type EventPageQuestion, readEventPages, readMeetingPage } from '../ledger/read/event-page.ts'
import type { TokenDetailRow } from '../ledger/read/token-detail.ts'
import type { WalletRow } from '../ledger/read/wallet.ts'

/** Asks for a page of events: of a token, of a wallet, between both, or of the whole chain. */
interface EventQuestion extends EventSpan, Page {
  oldestFirst: boolean
  tokenId?: number | undefined
  wallet?: WalletRow | undefined
  /** Null: all types. */
  type: EventType | null
}

export interface EventLoader {
  load(question: EventQuestion): Promise<Paged<EventRow>>
}

/** Reads tokens' counters through their own loader, so that fifty tokens still take one statement. */
export function createEventLoader(reading: Reading, details: DataLoader<number, TokenDetailRow>): EventLoader {
  const pages = new DataLoader((questions: readonly EventPageQuestion[]) => readEventPages(reading, questions), {
    cache: false,
  })
  return {
    load: async ({ tokenId, wallet, ...question }) => {
      if (tokenId !== undefined && wallet) {
        return readMeetingPage(reading, { ...question, tokenId, walletId: wallet.id })
      }
      const counts = tokenId === undefined ? (wallet ?? reading.head) : await details.load(tokenId)
      const total = question.type === null ? counts.eventCount : counts.countByType[question.type]
      return pages.load({ ...question, tokenId: tokenId ?? null, walletId: wallet?.id ?? null, total })
    },
  }
}
