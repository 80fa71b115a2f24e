// A wallet's profit: realised and open profit, net worth and reputation over time.
import { useMemo } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, toSeconds } from '../chart/pane.ts'
import { dollars, score } from '../format.ts'
import type { WalletData } from '../pages/wallet-query.ts'
import { type Interval, Intervals } from './intervals.tsx'
import { Panel } from './panel.tsx'
import { Empty } from './state.tsx'
import { TimesTable } from './times-table.tsx'
import { hasPulled } from './wallet-overview.tsx'

type Points = WalletData['pnlSeries']

/** The series has the values at the last change of the reputation. The newest interval has the current ones. */
function toPoints({ pnlSeries, pnl, netWorthUsd, reputationScore }: WalletData): Points {
  const last = pnlSeries.at(-1)
  if (!last) return []
  const { realisedUsd, openUsd } = pnl
  return [...pnlSeries.slice(0, -1), { ...last, realisedUsd, openUsd, netWorthUsd, reputationScore }]
}

interface ProfitPanelProps {
  wallet: WalletData
  interval: Interval
  onInterval(interval: Interval): void
  request: { document: string; variables: unknown }
}

export const ProfitPanel = ({ wallet, interval, onInterval, request }: ProfitPanelProps) => (
  <Panel
    title="Profit over time"
    class="profit-panel"
    request={request}
    aside={<Intervals chosen={interval} onChoose={onInterval} what="point" />}
  >
    <ProfitChart wallet={wallet} of={`${wallet.address} ${interval}`} />
  </Panel>
)

function ProfitChart({ wallet, of }: { wallet: WalletData; of: string }) {
  const points = useMemo(() => toPoints(wallet), [wallet])
  // A gain from pulled liquidity is other people's money, and has no colour.
  const kind = hasPulled(wallet) ? 'line' : 'profit'
  const data = useMemo(() => toChart(points, kind), [points, kind])
  const last = points.at(-1)
  if (!last) return <Empty>It was not scored in this time. Points are kept whenever a wallet is scored.</Empty>
  return (
    <Chart of={of} data={data} label={`Profit in USD, net worth and reputation; realised ${dollars(last.realisedUsd)}`}>
      <TimesTable
        label="profits"
        points={points}
        timeOf={({ time }) => time}
        columns={{
          Realised: (point) => dollars(point.realisedUsd),
          Open: (point) => dollars(point.openUsd),
          'Net worth': (point) => dollars(point.netWorthUsd),
          Reputation: (point) => score(point.reputationScore),
        }}
      />
    </Chart>
  )
}

function toChart(points: Points, kind: 'line' | 'profit'): ChartData {
  const series = (pick: (point: Points[number]) => number | null) =>
    points.flatMap((point) => {
      const value = pick(point)
      return value === null ? [] : [{ time: toSeconds(point.time), value }]
    })
  return {
    panes: [
      {
        kind,
        title: 'Realised',
        height: 3,
        format: dollars,
        points: series(({ realisedUsd }) => realisedUsd),
      },
      { kind, title: 'Open', height: 2, format: dollars, points: series(({ openUsd }) => openUsd) },
      { kind: 'area', title: 'Net worth', height: 2, format: dollars, points: series((point) => point.netWorthUsd) },
      {
        kind: 'line',
        title: 'Reputation',
        height: 2,
        format: score,
        points: series(({ reputationScore }) => reputationScore),
      },
    ],
    marks: [],
  }
}
