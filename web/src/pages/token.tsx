// A token: what it is worth, its chart, why its risk is what it is, who holds it, its pools and their locks, its events.
import type { ResultOf } from 'gql.tada'
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { type Query, useQuery } from '../api/use-query.ts'
import { foreign, secondsBetween } from '../format.ts'
import { HolderTable } from '../parts/holder-table.tsx'
import { type Interval, Intervals } from '../parts/intervals.tsx'
import { LiveEvents } from '../parts/live-events.tsx'
import { Panel } from '../parts/panel.tsx'
import { PoolTable } from '../parts/pool-table.tsx'
import { PriceChart } from '../parts/price-chart.tsx'
import { RiskPanel } from '../parts/risk-panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { TokenOverview } from '../parts/token-overview.tsx'
import { TraderTable } from '../parts/trader-table.tsx'
import { useGrowing } from '../parts/use-growing.ts'
import { useTitle } from '../parts/use-title.ts'
import { REQUESTS, TOKEN, TOKEN_CHART } from './token-query.ts'

/** Hours that a chart of hours shows. */
const SHOWN_HOURS = 200

/** A young token has no hours to show yet, and one that was left has none in sight. */
function firstInterval(data: ResultOf<typeof TOKEN> | null): Interval {
  if (!data?.token) return 'H1'
  if (data.token.ageHours < 12) return 'M5'
  const quietSeconds = secondsBetween(data.token.events.items[0]?.timestamp, data.chain?.block.time)
  return quietSeconds !== null && quietSeconds > SHOWN_HOURS * 3_600 ? 'D1' : 'H1'
}

export function TokenPage() {
  const address = useRoute().params.address?.toLowerCase() ?? ''
  const variables = { address }
  const answer = useQuery(TOKEN, variables)
  const [chosen, setChosen] = useState<Interval | null>(null)
  const age = answer.data?.token?.ageHours
  const interval = chosen ?? firstInterval(answer.data)
  // Scores have no points of five minutes.
  const chartVariables = { address, interval, riskInterval: interval === 'M5' ? ('H1' as const) : interval }
  const chart = useQuery(TOKEN_CHART, age === undefined ? null : chartVariables)
  const symbol = answer.data?.token?.symbol
  useTitle(symbol === undefined ? 'Token' : foreign(symbol, 16))
  return (
    <Loaded query={answer} what="the token">
      {({ token, chain }) =>
        token === null ? (
          <Panel title="Unknown token" level={1} class="narrow">
            <Empty>
              No token with the address <code>{address}</code> is indexed. Is it a wallet?{' '}
              <a href={`/wallet/${address}`}>Look there</a>
            </Empty>
          </Panel>
        ) : (
          <TokenPanels
            token={token}
            now={chain?.block.time ?? null}
            chart={chart}
            chartVariables={chartVariables}
            onInterval={setChosen}
          />
        )
      }
    </Loaded>
  )
}

const PANELS = 7

interface TokenPanelsProps {
  token: NonNullable<ResultOf<typeof TOKEN>['token']>
  /** The time of the block. */
  now: string | null
  chart: Query<ResultOf<typeof TOKEN_CHART>>
  chartVariables: { address: string; interval: Interval; riskInterval: 'H1' | 'H4' | 'D1' }
  onInterval(interval: Interval): void
}

/** On a phone they come one after another, from above. */
function TokenPanels({ token, now, chart, chartVariables, onInterval }: TokenPanelsProps) {
  const shown = useGrowing(PANELS, 1, 1)
  const variables = { address: token.address }
  return (
    <div class="columns">
      <TokenOverview token={token} request={{ document: REQUESTS.overview, variables }} />
      <div class="stacked">
        {shown > 1 && (
          <Panel
            title="Price"
            class="chart-panel"
            request={{ document: TOKEN_CHART, variables: chartVariables }}
            aside={<Intervals chosen={chartVariables.interval} onChoose={onInterval} />}
          >
            <Loaded query={chart} what="the chart">
              {(data) => <PriceChart token={data.token} of={`${token.address} ${chartVariables.interval}`} />}
            </Loaded>
          </Panel>
        )}
        {shown > 2 && (
          <Panel title="Events" request={{ document: REQUESTS.events, variables }}>
            <LiveEvents
              address={token.address}
              events={token.events.items}
              total={token.events.total}
              symbol={token.symbol}
            />
          </Panel>
        )}
      </div>
      <div class="stacked">
        {shown > 3 && <RiskPanel token={token} request={{ document: REQUESTS.risk, variables }} />}
        {shown > 4 && (
          <Panel title="Largest holders" request={{ document: REQUESTS.holders, variables }}>
            <HolderTable holders={token.topHolders} count={token.holderCount} />
          </Panel>
        )}
        {shown > 5 && (
          <Panel title="Top traders" request={{ document: REQUESTS.traders, variables }}>
            <TraderTable traders={token.topTraders} />
          </Panel>
        )}
        {shown > 6 && (
          <Panel title="Pools and locks" request={{ document: REQUESTS.pools, variables }}>
            <PoolTable pools={token.pools} now={now} />
          </Panel>
        )}
      </div>
    </div>
  )
}
