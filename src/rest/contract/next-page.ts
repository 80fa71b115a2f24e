// Pure. The link to the next page of a list (RFC 8288). Lists move while somebody follows links: pages of tokens
// keep the block of the first one. Pages of wallets continue after a place in the order, those of events at an event.
import type { Param } from './param.ts'

/** What a route says of its pages. */
interface Linked {
  path: string
  query: Readonly<Record<string, Param>>
  list?: string
}

type Values = Record<string, unknown>

export interface Listed {
  data: readonly unknown[]
  total?: number | null
  page: number
  limit: number
}

/** The end of a list whose pages continue after a cursor. */
export interface ListEnd {
  hasNextPage: boolean
  endCursor: string | null
}

interface Answered {
  body: Listed
  end: ListEnd | undefined
  /** The block that the answer reflects. */
  block: number
}

/** Whether there are items after the page. A total that is not known may be beyond a full page. */
const hasMore = ({ body: { data, total, page, limit }, end }: Answered): boolean =>
  end?.hasNextPage ??
  (data.length > 0 && (total === null || total === undefined ? data.length === limit : page * limit < total))

/** The value of the header Link; undefined for the last page. */
export function nextLink(route: Linked, values: Values, answered: Answered): string | undefined {
  if (!hasMore(answered)) return undefined
  const query = Object.entries(route.query).flatMap(([wire, { name }]): [string, string][] => {
    const value = nextValues(route, values, answered)[name]
    return value === undefined ? [] : [[wire, String(value)]]
  })
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  return `</v1${path}?${new URLSearchParams(query)}>; rel="next"`
}

/** No column keeps changes of price, so a list in their order has no earlier block. */
const isMoving = ({ sort }: Values): boolean => sort === 'gainers' || sort === 'losers'

function nextValues({ list }: Linked, values: Values, { body: { data, page }, end, block }: Answered): Values {
  if (end) return { ...values, page: undefined, after: end.endCursor ?? undefined }
  if (list === 'block') return { ...values, page: page + 1, ...(!isMoving(values) && { asOf: values.asOf ?? block }) }
  if (list !== 'events') return { ...values, page: page + 1 }
  const { id } = data.at(-1) as { id: string }
  return { ...values, page: undefined, [values.order === 'asc' ? 'after' : 'before']: id }
}
