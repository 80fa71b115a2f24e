// The tokens: a table with filters, an order and pages, all of them in the address.
import { useLocation } from 'preact-iso'
import { useQuery } from '../api/use-query.ts'
import { type Filter, readFilter, tokensAddress, writeFilter } from '../filter.ts'
import { ORDERS, type Order, readOrder, reorder, writeOrder } from '../order.ts'
import { AlertButton } from '../parts/alert-button.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { Pages } from '../parts/pages.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { TOKENS, TokenTable } from '../parts/token-table.tsx'
import { useTitle } from '../parts/use-title.ts'

const PAGE_SIZE = 50

export function TokensPage() {
  useTitle('Tokens')
  const { query, route } = useLocation()
  const filter = readFilter(query)
  const order = readOrder(query)
  const search = (query.q ?? '').trim()
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const go = (change: { filter?: Filter; order?: Order; page?: number }) =>
    route(
      tokensAddress({
        q: search,
        ...writeOrder(change.order ?? order),
        ...writeFilter(change.filter ?? filter),
        ...(change.page && change.page > 1 && { page: String(change.page) }),
      }),
    )
  const variables = {
    filter: { ...filter, ...(search && { search }) },
    orderBy: [{ field: ORDERS[order.name].field, direction: order.direction }],
    limit: PAGE_SIZE,
    page,
  }
  const answer = useQuery(TOKENS, variables)
  return (
    <Panel title="Tokens" level={1} request={{ document: TOKENS, variables }} aside={<AlertButton filter={filter} />}>
      <FilterBar filter={filter} onChange={(next) => go({ filter: next })} />
      <Loaded query={answer} what="the tokens">
        {({ tokens: { items, total } }) =>
          items.length === 0 ? (
            <Empty>
              No token passes this {search ? 'search' : 'filter'}. <a href="/">Remove the filter</a>
            </Empty>
          ) : (
            <>
              <TokenTable tokens={items} order={order} onOrder={(name) => go({ order: reorder(order, name) })} />
              <Pages
                page={page}
                size={PAGE_SIZE}
                total={total}
                isFull={items.length === PAGE_SIZE}
                onPage={(next) => go({ page: next })}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
