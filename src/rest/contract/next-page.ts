// Pure. The link to the next page of a list (RFC 8288). Pages of events continue at an event, so that following them
// neither repeats nor skips one while new ones arrive.
import type { Route } from './routes.ts'

type Values = Record<string, unknown>

interface Listed {
  data: readonly unknown[]
  total?: number | null
  page: number
  limit: number
}

/** Whether there are items after the page. A total that is not known may be beyond a full page. */
const hasMore = ({ data, total, page, limit }: Listed): boolean =>
  data.length > 0 && (total === null || total === undefined ? data.length === limit : page * limit < total)

/** The value of the header Link; undefined for the last page. */
export function nextLink(route: Route, values: Values, body: Listed): string | undefined {
  if (!hasMore(body)) return undefined
  const query = Object.entries(route.query).flatMap(([wire, { name }]): [string, string][] => {
    const value = nextValues(route, values, body)[name]
    return value === undefined ? [] : [[wire, String(value)]]
  })
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  return `</v1${path}?${new URLSearchParams(query)}>; rel="next"`
}

function nextValues({ list }: Route, values: Values, { data, page }: Listed): Values {
  if (list !== 'events') return { ...values, page: page + 1 }
  const { id } = data.at(-1) as { id: string }
  return { ...values, page: undefined, [values.order === 'asc' ? 'after' : 'before']: id }
}
