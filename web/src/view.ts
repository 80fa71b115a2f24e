// A list of the tokens' page, as its address tells it: the search, the filter, the order, the window and the page.
import { type Filter, readFilter, tokensAddress, writeFilter } from './filter.ts'
import { type Order, readOrder, readWindow, writeOrder } from './order.ts'
import { USUAL_WINDOW, type WindowName } from './time-windows.ts'

export interface View {
  /** Whether only watched tokens are listed. */
  isWatched: boolean
  search: string
  filter: Filter
  order: Order
  window: WindowName
  page: number
  /** The alert whose conditions the filter changes; empty: none. */
  alert: string
}

/** The longest text that a search takes. */
const MOST_SIGNS = 64

/** Words that mean nothing are left out. */
export const readView = (query: Record<string, string>): View => ({
  isWatched: query.list === 'watched',
  search: (query.q ?? '').trim().slice(0, MOST_SIGNS),
  filter: readFilter(query),
  order: readOrder(query),
  window: readWindow(query),
  page: Math.max(1, Math.trunc(Number(query.page)) || 1),
  alert: /^[\da-f-]{36}$/.test(query.alert ?? '') ? (query.alert ?? '') : '',
})

export const writeView = ({ isWatched, search, filter, order, window, page, alert }: View): string =>
  tokensAddress({
    ...(isWatched && { list: 'watched' }),
    q: search,
    ...writeOrder(order),
    ...(window !== USUAL_WINDOW && { window }),
    ...writeFilter(filter),
    ...(page > 1 && { page: String(page) }),
    alert,
  })

/** The same list from an address, rewritten: only known words are left. */
export const viewOf = (address: string): View =>
  readView(Object.fromEntries(new URLSearchParams(address.replace(/^\/?\??/, ''))))

/** The address of the list itself, without a place in it. */
export const writeList = (view: View): string => writeView({ ...view, page: 1, alert: '' })

/** Whether two lists are the same, on any page. */
export const isSame = (one: View, other: View): boolean => writeList(one) === writeList(other)
