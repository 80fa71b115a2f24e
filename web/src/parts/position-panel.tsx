// What a wallet holds, or has closed, a page at a time.
import { useState } from 'preact/hooks'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { Pages } from './pages.tsx'
import { Panel } from './panel.tsx'
import { PositionTable } from './position-table.tsx'
import { Loaded } from './state.tsx'

const PAGE_SIZE = 25

export const POSITIONS = graphql(`
query Positions($address: Address!, $status: PositionStatus!, $orderBy: PositionOrder!, $limit: Int, $page: Int) {
  wallet(address: $address) {
    positions(status: $status, orderBy: $orderBy, limit: $limit, page: $page) {
      total
      items {
        tokenAddress tokenSymbol quantity valueUsd sellableUsd costUsd boughtUsd soldUsd realisedUsd tradeCount lastAt netActivity
        token { riskScore riskLevel riskFlags reasons { text } }
      }
    }
  }
}`)

/** Of the closed ones there is no value left to order by. */
const KINDS = {
  OPEN: { name: 'Open', orderBy: 'VALUE_USD' },
  CLOSED: { name: 'Closed', orderBy: 'LAST_AT' },
} as const

type Kind = keyof typeof KINDS

export function PositionPanel({ address }: { address: string }) {
  const [status, setStatus] = useState<Kind>('OPEN')
  const [page, setPage] = useState(1)
  const variables = { address, status, orderBy: KINDS[status].orderBy, limit: PAGE_SIZE, page }
  const answer = useQuery(POSITIONS, variables)
  const choose = (kind: Kind) => {
    setStatus(kind)
    setPage(1)
  }
  return (
    <Panel
      title="Positions"
      request={{ document: POSITIONS, variables }}
      aside={
        <fieldset class="row" aria-label="Which positions">
          {(Object.keys(KINDS) as Kind[]).map((kind) => (
            <button key={kind} type="button" class="chip" aria-pressed={kind === status} onClick={() => choose(kind)}>
              {KINDS[kind].name}
            </button>
          ))}
        </fieldset>
      }
    >
      <Loaded query={answer} what="the positions">
        {({ wallet }) => (
          <>
            <PositionTable positions={wallet?.positions.items ?? []} isClosed={status === 'CLOSED'} />
            {wallet !== null && wallet.positions.total > PAGE_SIZE && (
              <Pages
                page={page}
                size={PAGE_SIZE}
                total={wallet.positions.total}
                isFull={wallet.positions.items.length === PAGE_SIZE}
                onPage={setPage}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
