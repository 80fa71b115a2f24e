// A token. First come the verdict and the numbers of the day, then chart, findings and checks. Lists of holders, pools,
// locks and events follow.
import { useMemo } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { head } from '../api/live.ts'
import { useQuery } from '../api/use-query.ts'
import { foreign } from '../format.ts'
import { HolderMap, toneOfLinked } from '../map/holder-map.tsx'
import { HOLDER_MAP } from '../map/query.ts'
import { ChecksPanel } from '../parts/checks-panel.tsx'
import { HolderTable } from '../parts/holder-table.tsx'
import { INTERVAL_NAMES, type Interval, Intervals } from '../parts/intervals.tsx'
import { LAUNCH, LaunchGroups } from '../parts/launch-groups.tsx'
import { LiveEvents } from '../parts/live-events.tsx'
import { Panel } from '../parts/panel.tsx'
import { PoolTable } from '../parts/pool-table.tsx'
import { PriceChart } from '../parts/price-chart.tsx'
import { RiskPanel } from '../parts/risk-panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { TokenNumbers } from '../parts/token-numbers.tsx'
import { TokenOverview } from '../parts/token-overview.tsx'
import { TraderTable } from '../parts/trader-table.tsx'
import { Units, useUnit } from '../parts/units.tsx'
import { useAddressWord } from '../parts/use-address-word.ts'
import { useGrowing } from '../parts/use-growing.ts'
import { useTitle } from '../parts/use-title.ts'
import { WindowTable } from '../parts/windows.tsx'
import { chartOf, suitingInterval, type TokenData, toVariables } from './token-chart.ts'
import { REQUESTS, TOKEN } from './token-query.ts'
import { tokenLists } from './whole-lists.ts'

export function TokenPage() {
  const address = useRoute().params.address?.toLowerCase() ?? ''
  const [chosen, choose] = useAddressWord<Interval>('interval', INTERVAL_NAMES)
  const variables = toVariables(address, chosen)
  const answer = useQuery(TOKEN, variables, address)
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
          <TokenPanels token={token} chainId={chain?.chainId} chosen={chosen} onInterval={choose} />
        )
      }
    </Loaded>
  )
}

const PANELS = 8

interface TokenPanelsProps {
  token: TokenData
  /** Undefined: nothing is indexed. */
  chainId: number | undefined
  chosen: Interval | null
  onInterval(interval: Interval): void
}

/** On a narrow screen they are one column: the chart, the findings and checks, the events, the holders. */
function TokenPanels({ token, chainId, chosen, onInterval }: TokenPanelsProps) {
  const shown = useGrowing(PANELS, 1, 1)
  const variables = { address: token.address }
  const interval = chosen ?? suitingInterval(token, head.value?.time ?? null)
  const chart = useMemo(() => chartOf(token, interval), [token, interval])
  const unit = useUnit(chart)
  const lists = tokenLists(token.address)
  const { isChosen: _, ...chartVariables } = toVariables(token.address, interval)
  return (
    <div class="columns token">
      <TokenOverview token={token} chainId={chainId} request={{ document: REQUESTS.overview, variables }} />
      <div class="stacked">
        {shown > 1 && (
          <Panel
            title="Price"
            class="chart-panel"
            request={{ document: REQUESTS.chart, variables: chartVariables }}
            aside={
              <>
                <Intervals chosen={interval} onChoose={onInterval} />
                <Units unit={unit} />
              </>
            }
          >
            <PriceChart token={chart} unit={unit} of={`${token.address} ${interval}`} />
          </Panel>
        )}
        {shown > 4 && (
          <Panel title="Events" csv={lists.events} request={{ document: REQUESTS.events, variables }}>
            <LiveEvents
              address={token.address}
              events={token.events.nodes}
              total={token.events.total ?? 0}
              symbol={token.symbol}
              chainId={chainId}
            />
          </Panel>
        )}
        {shown > 5 && (
          <Panel title="Map of holders" request={{ document: HOLDER_MAP, variables }}>
            <HolderMap address={token.address} tone={toneOfLinked(token.verdict?.findings ?? [])} />
          </Panel>
        )}
        {shown > 6 && (
          <Panel title="Launch" request={{ document: LAUNCH, variables }}>
            <LaunchGroups address={token.address} />
          </Panel>
        )}
        {shown > 6 && (
          <Panel title="Top traders" csv={lists.traders} request={{ document: REQUESTS.traders, variables }}>
            <TraderTable traders={token.topTraders} />
          </Panel>
        )}
      </div>
      <div class="stacked">
        {shown > 2 && <RiskPanel token={token} request={{ document: REQUESTS.risk, variables }} />}
        {shown > 3 && <ChecksPanel token={token} request={{ document: REQUESTS.safety, variables }} />}
        {shown > 4 && <TokenNumbers token={token} request={{ document: REQUESTS.overview, variables }} />}
        {shown > 5 && (
          <Panel title="Activity" request={{ document: REQUESTS.windows, variables }}>
            <WindowTable token={token} />
          </Panel>
        )}
        {shown > 6 && (
          <Panel title="Largest holders" csv={lists.holders} request={{ document: REQUESTS.holders, variables }}>
            <HolderTable holders={token.topHolders} count={token.holderCount} />
          </Panel>
        )}
        {shown > 7 && (
          <Panel title="Pools and locks" csv={lists.pools} request={{ document: REQUESTS.pools, variables }}>
            <PoolTable pools={token.pools.nodes} now={head.value?.time ?? null} />
          </Panel>
        )}
      </div>
    </div>
  )
}
