// The wallets: a leaderboard of accounts, with its order in the address.
import { useLocation } from 'preact-iso'
import { useQuery } from '../api/use-query.ts'
import { Pages } from '../parts/pages.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { useTitle } from '../parts/use-title.ts'
import { WALLETS, WalletTable } from '../parts/wallet-table.tsx'

const PAGE_SIZE = 50

const ORDERS = {
  reputation: { field: 'REPUTATION_SCORE', name: 'Reputation' },
  profit: { field: 'REALISED_USD', name: 'Realised profit' },
  this_week: { field: 'REALISED_THIS_WEEK_USD', name: 'Profit this week' },
  last_week: { field: 'REALISED_LAST_WEEK_USD', name: 'Profit last week' },
  swaps: { field: 'TRADE_COUNT', name: 'Swaps' },
} as const

type OrderName = keyof typeof ORDERS

export function WalletsPage() {
  useTitle('Wallets')
  const { query, route } = useLocation()
  const order = query.sort !== undefined && query.sort in ORDERS ? (query.sort as OrderName) : 'reputation'
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const go = (name: OrderName, to = 1) => {
    const parts = { ...(name !== 'reputation' && { sort: name }), ...(to > 1 && { page: String(to) }) }
    const search = new URLSearchParams(parts).toString()
    route(search === '' ? '/wallets' : `/wallets?${search}`)
  }
  const isByProfit = ORDERS[order].field.startsWith('REALISED')
  const variables = {
    filter: { kinds: ['account' as const] },
    orderBy: { field: ORDERS[order].field },
    limit: PAGE_SIZE,
    page,
  }
  const answer = useQuery(WALLETS, variables)
  return (
    <Panel title="Wallets" level={1} request={{ document: WALLETS, variables }}>
      <fieldset class="row chips" aria-label="Order">
        {(Object.keys(ORDERS) as OrderName[]).map((name) => (
          <button key={name} type="button" class="chip" aria-pressed={name === order} onClick={() => go(name)}>
            {ORDERS[name].name}
          </button>
        ))}
      </fieldset>
      <Loaded query={answer} what="the wallets">
        {({ wallets: { items, total } }) =>
          items.length === 0 ? (
            <Empty>
              No wallet stands in this order yet. <a href="/wallets">Order by reputation</a>
            </Empty>
          ) : (
            <>
              <WalletTable wallets={items} first={(page - 1) * PAGE_SIZE + 1} />
              <p class="faint foot">
                The small word beside a number is how sure it is.
                {isByProfit && ' Wallets that pulled liquidity are left out.'}
              </p>
              <Pages
                page={page}
                size={PAGE_SIZE}
                total={total}
                isFull={items.length === PAGE_SIZE}
                onPage={(to) => go(order, to)}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
