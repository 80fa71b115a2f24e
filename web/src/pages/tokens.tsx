// The tokens: a table with filters, an order and pages, all of them in the address.
import type { ResultOf } from 'gql.tada'
import { ask } from '../api/ask.ts'
import { useQuery } from '../api/use-query.ts'
import { useChainLocation } from '../chain.ts'
import { compareAddress, MOST_COMPARED } from '../compare.ts'
import { PAGE_ROWS } from '../csv.ts'
import { forList } from '../filter.ts'
import { columns, needNumbers, needTrades } from '../kept/columns.ts'
import { watchlist } from '../kept/watchlist.ts'
import { reorder, toOrderBy } from '../order.ts'
import { AlertButton } from '../parts/alert-button.tsx'
import { ColumnChooser } from '../parts/column-chooser.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { ListBar } from '../parts/list-bar.tsx'
import { Pages } from '../parts/pages.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { TokenTable } from '../parts/token-table.tsx'
import { useTitle } from '../parts/use-title.ts'
import { readView, type View, writeView } from '../view.ts'
import { TOKENS } from './tokens-query.ts'

const PAGE_SIZE = 50

export function TokensPage() {
  useTitle('Tokens')
  const { query, route } = useChainLocation()
  const view = readView(query)
  const { filter, order, window, page, search } = view
  /** Another list begins with its first page. */
  const go = (change: Partial<View>) => route(writeView({ ...view, page: 1, ...change }))
  const variables = toVariables(view)
  const isBlank = view.isWatched && watchlist.now.value.length === 0
  const answer = useQuery(TOKENS, isBlank ? null : variables)
  const csv = {
    name: 'tokens',
    readPage: async (after: string | null) =>
      isBlank ? { nodes: [] } : withoutLines(await ask(TOKENS, { ...variables, first: PAGE_ROWS, offset: 0, after })),
  }
  return (
    <Panel
      title="Tokens"
      level={1}
      csv={csv}
      request={{ document: TOKENS, variables }}
      aside={
        <>
          <AlertButton filter={filter} alert={view.alert} />
          <ColumnChooser window={window} />
        </>
      }
    >
      <ListBar view={view} onWindow={(next) => go({ window: next })} />
      <FilterBar filter={filter} onChange={(next) => go({ filter: next })} />
      {isBlank ? (
        <Empty>
          You watch no token yet: press the star ☆ beside one. <a href="/">All tokens</a>
        </Empty>
      ) : (
        <Loaded query={answer} what="the tokens">
          {({ tokens: { nodes, total } }) =>
            nodes.length === 0 ? (
              <Empty>
                No {view.isWatched && 'watched '}token passes this {search ? 'search' : 'filter'}.{' '}
                <a href={view.isWatched ? '/?list=watched' : '/'}>Remove the filter</a>
              </Empty>
            ) : (
              <>
                {view.isWatched && nodes.length > 1 && (
                  <p>
                    <a href={compareAddress(nodes.slice(0, MOST_COMPARED).map(({ address }) => address))}>
                      Compare the first {Math.min(MOST_COMPARED, nodes.length)}
                    </a>
                  </p>
                )}
                <TokenTable
                  tokens={nodes}
                  order={order}
                  window={window}
                  columns={columns.now.value}
                  onOrder={(name) => go({ order: reorder(order, name) })}
                />
                <Pages
                  page={page}
                  size={PAGE_SIZE}
                  total={total}
                  isFull={nodes.length === PAGE_SIZE}
                  onPage={(next) => go({ page: next })}
                />
              </>
            )
          }
        </Loaded>
      )}
    </Panel>
  )
}

/** A drawn line is of no use in a file. */
const withoutLines = ({ tokens: { nodes, pageInfo } }: ResultOf<typeof TOKENS>) => ({
  nodes: nodes.map(({ sparkline: _, ...row }) => row),
  pageInfo,
})

const toVariables = ({ isWatched, search, filter, order, window, page }: View) => ({
  ...(isWatched && { addresses: watchlist.now.value }),
  filter: { ...forList(filter), ...(search && { search }) },
  orderBy: [toOrderBy(order, window)],
  first: PAGE_SIZE,
  offset: (page - 1) * PAGE_SIZE,
  trades: needTrades(columns.now.value),
  numbers: needNumbers(columns.now.value),
})
