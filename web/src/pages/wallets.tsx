// The wallets: a leaderboard of accounts, with its order in the address.

import { ask } from '../api/ask.ts'
import { useQuery } from '../api/use-query.ts'
import { useChainLocation } from '../chain.ts'
import { PAGE_ROWS } from '../csv.ts'
import { Pages } from '../parts/pages.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { useTitle } from '../parts/use-title.ts'
import { WALLETS, WalletTable } from '../parts/wallet-table.tsx'

const PAGE_SIZE = 50

const ORDERS = {
  reputation: { field: 'reputation_score', name: 'Reputation', profit: 'ever' },
  profit: { field: 'realised_usd', name: 'Realised ever', profit: 'ever' },
  this_week: { field: 'realised_this_week_usd', name: 'Realised since Thursday', profit: 'this_week' },
  last_week: { field: 'realised_last_week_usd', name: 'Realised in the week before', profit: 'last_week' },
  swaps: { field: 'trade_count', name: 'Swaps', profit: 'ever' },
} as const

type OrderName = keyof typeof ORDERS

export function WalletsPage() {
  useTitle('Wallets')
  const { query, route } = useChainLocation()
  const order = query.sort !== undefined && query.sort in ORDERS ? (query.sort as OrderName) : 'reputation'
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const go = (name: OrderName, to = 1) => {
    const parts = { ...(name !== 'reputation' && { sort: name }), ...(to > 1 && { page: String(to) }) }
    const search = new URLSearchParams(parts).toString()
    route(search === '' ? '/wallets' : `/wallets?${search}`)
  }
  const isByProfit = ORDERS[order].field.startsWith('realised')
  const variables = {
    filter: { kinds: ['account' as const] },
    orderBy: { field: ORDERS[order].field },
    first: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
  const answer = useQuery(WALLETS, variables)
  const csv = {
    name: 'wallets',
    readPage: async (after: string | null) =>
      (await ask(WALLETS, { ...variables, first: PAGE_ROWS, offset: 0, after })).wallets,
  }
  return (
    <Panel title="Wallets" level={1} csv={csv} request={{ document: WALLETS, variables }}>
      <fieldset class="row chips slide" aria-label="Order">
        {(Object.keys(ORDERS) as OrderName[]).map((name) => (
          <button key={name} type="button" class="chip" aria-pressed={name === order} onClick={() => go(name)}>
            {ORDERS[name].name}
          </button>
        ))}
      </fieldset>
      <Loaded query={answer} what="the wallets">
        {({ wallets: { nodes, total } }) =>
          nodes.length === 0 ? (
            <Empty>
              No wallet stands in this order yet. <a href="/wallets">Order by reputation</a>
            </Empty>
          ) : (
            <>
              <WalletTable wallets={nodes} profit={ORDERS[order].profit} first={(page - 1) * PAGE_SIZE + 1} />
              <p class="faint foot">
                Dots beside a number say how well it is known.
                {isByProfit &&
                  ' Profit is of sales and of withdrawn liquidity. Wallets that pulled liquidity are left out.'}
                {ORDERS[order].profit !== 'ever' && ' A week begins on Thursday at 00:00 UTC.'}
              </p>
              <Pages
                page={page}
                size={PAGE_SIZE}
                total={total}
                isFull={nodes.length === PAGE_SIZE}
                onPage={(to) => go(order, to)}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
