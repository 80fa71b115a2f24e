// The messages of an alert, and their outcome.
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { dateTime, foreign, whole } from '../format.ts'
import { TokenLink } from './address.tsx'
import { Empty, Loaded } from './state.tsx'

const DELIVERIES = graphql(`
query Deliveries($id: ID!) {
  alert(id: $id) {
    deliveries(limit: 20) {
      total
      items { id status createdAt sentAt attempts response tokenCount tokens { tokenAddress tokenSymbol } }
    }
  }
}`)

export function Deliveries({ alertId }: { alertId: string }) {
  const answer = useQuery(DELIVERIES, { id: alertId })
  return (
    <Loaded query={answer} what="the log">
      {({ alert }) =>
        !alert || alert.deliveries.items.length === 0 ? (
          <Empty>It has sent nothing yet: no token began to pass its filter.</Empty>
        ) : (
          <ul class="log">
            {alert.deliveries.items.map((delivery) => (
              <li key={delivery.id}>
                <time dateTime={delivery.createdAt}>{dateTime(delivery.createdAt)}</time>{' '}
                <b class={delivery.status === 'sent' ? 'up' : delivery.status === 'pending' ? 'faint' : 'down'}>
                  {delivery.status}
                </b>{' '}
                {delivery.tokens.slice(0, 8).map((token) => (
                  <>
                    <TokenLink key={token.tokenAddress} address={token.tokenAddress} symbol={token.tokenSymbol} />{' '}
                  </>
                ))}
                {delivery.tokenCount > 8 && <span class="faint">and {whole(delivery.tokenCount - 8)} more </span>}
                {delivery.status !== 'sent' && delivery.response && (
                  <span class="faint">{foreign(delivery.response, 200)}</span>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
