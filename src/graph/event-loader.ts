// Loads lists of events for any place in a query. Those of one token, one wallet, both or none come by the counters of
// their scope, all that are requested together in one statement. Other filters search on their own.
import DataLoader from 'dataloader'
import { invalid } from '../base/errors.ts'
import { type EventId, earlierOf, laterOf } from '../base/event-id.ts'
import type { Paged } from '../base/page.ts'
import { atOnce, type InTurn } from '../base/turns.ts'
import type { EventType } from '../base/vocabulary.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import type { EventRow, EventSpan } from '../ledger/read/event.ts'
import { type EventPageQuestion, readEventPages, readMeetingPage } from '../ledger/read/event-page.ts'
import { countFound, type EventSearch, isPlain, scopesOf, searchEvents } from '../ledger/read/event-search.ts'
import type { TokenDetailRow } from '../ledger/read/token-detail.ts'
import type { WalletRow } from '../ledger/read/wallet.ts'
/** A filter of events, and a stretch of those that pass. Null and undefined set no condition. */
export interface EventQuestion
  extends Pick<EventSearch, 'minAmountUsd' | 'classifications' | 'from' | 'to' | 'fromBlock' | 'toBlock'> {
  tokenIds: readonly number[] | undefined
  wallets: readonly WalletRow[] | undefined
  types: readonly EventType[] | undefined
  after: EventId | null
  before: EventId | null
  /** The excluded start of the stretch; null: the beginning of the list. */
  place: EventId | null
  oldestFirst: boolean
  /** Left out before the first of `count` events. */
  skip: number
  count: number
}

export interface EventList {
  items: EventRow[]
  hasMore: boolean
  /** Where a search ended, if that is beyond its last event. */
  walkedTo: EventId | null
  /** How many events follow the start of the stretch; null if they would have to be counted one by one. */
  total(): number | null | Promise<number | null>
}

export interface EventLoader {
  load(question: EventQuestion, walks: InTurn): Promise<EventList>
}

const NONE: EventList = { items: [], hasMore: false, walkedTo: null, total: () => 0 }

/** Whether counters know how many events pass: those of one scope within bounds of time and place. */
const isCounted = ({ minAmountUsd, classifications, fromBlock, toBlock, ...lists }: EventQuestion): boolean =>
  !minAmountUsd &&
  [classifications, fromBlock, toBlock].every((condition) => condition === undefined) &&
  [lists.tokenIds, lists.wallets, lists.types].every((list) => list === undefined || list.length === 1)

const spanOf = ({ from, to, after, before, place, oldestFirst }: EventQuestion): EventSpan => ({
  since: from ? new Date(from.getTime() - 1) : null,
  until: to ?? null,
  after: oldestFirst ? laterOf(after, place) : after,
  before: oldestFirst ? before : earlierOf(before, place),
})

/** Reads tokens' counters through their own loader, so that fifty tokens still take one statement. */
export function createEventLoader(reading: Reading, details: DataLoader<number, TokenDetailRow>): EventLoader {
  const pages = new DataLoader((questions: readonly EventPageQuestion[]) => readEventPages(reading, questions), {
    cache: false,
  })
  const page = async (question: EventQuestion): Promise<Paged<EventRow>> => {
    const { tokenIds: [tokenId] = [], wallets: [wallet] = [], types: [type] = [], skip: offset, count } = question
    const asked = { ...spanOf(question), type: type ?? null, oldestFirst: question.oldestFirst, offset, limit: count }
    if (tokenId !== undefined && wallet) return readMeetingPage(reading, { ...asked, tokenId, walletId: wallet.id })
    const counts = tokenId === undefined ? (wallet ?? reading.head) : await details.load(tokenId)
    const total = type === undefined ? counts.eventCount : counts.countByType[type]
    return pages.load({ ...asked, tokenId: tokenId ?? null, walletId: wallet?.id ?? null, total })
  }
  const search = async (question: EventQuestion, walks: InTurn): Promise<EventList> => {
    if (question.skip > 0) throw NO_OFFSET
    const { place, oldestFirst, count } = question
    const asked = await toSearch(question, reading, details)
    const inTurn = isPlain(asked) ? atOnce : walks
    const total = () => countFound(reading, asked)
    if (count === 0) return { ...NONE, total }
    const { items, next } = await inTurn(() => searchEvents(reading, asked, { place, oldestFirst, count }))
    return { items, hasMore: next !== null, walkedTo: next, total }
  }
  return {
    load: async (question, walks) => {
      if (question.tokenIds?.length === 0 || question.wallets?.length === 0) return NONE
      if (!isCounted(question)) return search(question, walks)
      const { items, total } = await page(question)
      return { items, hasMore: question.skip + items.length < total, walkedTo: null, total: () => total }
    },
  }
}

const NO_OFFSET = invalid([
  {
    location: 'argument',
    field: 'offset',
    message:
      'offset must be left out, unless the filter has at most one token, wallet and type, and bounds of time only: continue after a cursor',
  },
])

/** The scopes of the question, and the conditions on each event. */
async function toSearch(
  { tokenIds, wallets, types: known, minAmountUsd, ...rest }: EventQuestion,
  { head }: Reading,
  details: DataLoader<number, TokenDetailRow>,
): Promise<EventSearch> {
  const types = known ?? null
  // Every event is worth 0 or more.
  const asked = { ...rest, minAmountUsd: minAmountUsd === 0 ? undefined : minAmountUsd }
  if (wallets) {
    const owners = wallets.map((row) => ({ ...row, tokenId: null, walletId: row.id }))
    return { ...asked, scopes: scopesOf(owners, types), tokenIds }
  }
  if (!tokenIds) return { ...asked, scopes: scopesOf([{ ...head, tokenId: null, walletId: null }], types) }
  const owners = (await details.loadMany(tokenIds)).map((row) => {
    if (row instanceof Error) throw row
    return { ...row, tokenId: row.id, walletId: null }
  })
  return { ...asked, scopes: scopesOf(owners, types) }
}
