// The messages of an alert, and their outcome.
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { foreign, percent, whole } from '../format.ts'
import { TokenLink } from './address.tsx'
import { Empty, Loaded } from './state.tsx'
import { DateTime } from './when.tsx'

const DELIVERIES = graphql(`
query Deliveries($id: ID!) {
  alert(id: $id) {
    deliveries(first: 20) {
      total
      nodes { id status createdAt sentAt attempts response tokenCount tokens { tokenAddress tokenSymbol } exits { tokenAddress tokenSymbol kind sharePct transactionHash } }
    }
  }
}`)

export function Deliveries({ alertId }: { alertId: string }) {
  const answer = useQuery(DELIVERIES, { id: alertId })
  return (
    <Loaded query={answer} what="the log">
      {({ alert }) =>
        !alert || alert.deliveries.nodes.length === 0 ? (
          <Empty>It has sent nothing yet: no token began to pass its filter.</Empty>
        ) : (
          <ul class="log">
            {alert.deliveries.nodes.map((delivery) => (
              <li key={delivery.id}>
                <DateTime iso={delivery.createdAt} />{' '}
                <b class={delivery.status === 'sent' ? 'up' : delivery.status === 'pending' ? 'faint' : 'down'}>
                  {delivery.status}
                </b>{' '}
                {delivery.tokens.slice(0, 8).map((token) => (
                  <>
                    <TokenLink key={token.tokenAddress} address={token.tokenAddress} symbol={token.tokenSymbol} />{' '}
                  </>
                ))}
                {delivery.tokenCount > 8 && <span class="faint">and {whole(delivery.tokenCount - 8)} more </span>}
                {delivery.exits.slice(0, 8).map((exit) => (
                  <span key={exit.transactionHash + exit.kind}>
                    {exit.kind === 'sale' ? 'sold ' : 'moved '}
                    {exit.sharePct === null ? 'an unknown share' : percent(exit.sharePct)} of{' '}
                    <TokenLink address={exit.tokenAddress} symbol={exit.tokenSymbol} />{' '}
                  </span>
                ))}
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
