// How a wallet's profit came about: realised and open profit, net worth and reputation over time.
import type { ResultOf } from 'gql.tada'
import { useMemo, useState } from 'preact/hooks'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, toSeconds } from '../chart/pane.ts'
import { dollars, score } from '../format.ts'
import { type Interval, Intervals } from './intervals.tsx'
import { Panel } from './panel.tsx'
import { Empty, Loaded } from './state.tsx'
import { TimesTable } from './times-table.tsx'

const PROFIT = graphql(`
query Profit($address: Address!, $interval: Interval!) {
  wallet(address: $address) {
    reputationScore netWorthUsd pnl { realisedUsd openUsd }
    pnlSeries(interval: $interval, limit: 200) { time realisedUsd openUsd netWorthUsd reputationScore }
  }
}`)

type Wallet = NonNullable<ResultOf<typeof PROFIT>['wallet']>
type Points = Wallet['pnlSeries']

/** The series keeps what was true at its last change of the reputation: the newest interval has what is true now. */
function toPoints({ pnlSeries, pnl, netWorthUsd, reputationScore }: Wallet): Points {
  const last = pnlSeries.at(-1)
  if (!last) return []
  const { realisedUsd, openUsd } = pnl
  return [...pnlSeries.slice(0, -1), { ...last, realisedUsd, openUsd, netWorthUsd, reputationScore }]
}

export function ProfitPanel({ address }: { address: string }) {
  const [interval, setInterval] = useState<Interval>('D1')
  const variables = { address, interval }
  const answer = useQuery(PROFIT, variables)
  return (
    <Panel
      title="Profit over time"
      class="profit-panel"
      request={{ document: PROFIT, variables }}
      aside={<Intervals chosen={interval} onChoose={setInterval} what="point" />}
    >
      <Loaded query={answer} what="the profit">
        {({ wallet }) => <ProfitChart wallet={wallet} of={`${address} ${interval}`} />}
      </Loaded>
    </Panel>
  )
}

function ProfitChart({ wallet, of }: { wallet: Wallet | null; of: string }) {
  const points = useMemo(() => (wallet ? toPoints(wallet) : []), [wallet])
  const data = useMemo(() => toChart(points), [points])
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

function toChart(points: Points): ChartData {
  const series = (pick: (point: Points[number]) => number | null) =>
    points.flatMap((point) => {
      const value = pick(point)
      return value === null ? [] : [{ time: toSeconds(point.time), value }]
    })
  return {
    panes: [
      {
        kind: 'profit',
        title: 'Realised',
        height: 3,
        format: dollars,
        points: series(({ realisedUsd }) => realisedUsd),
      },
      { kind: 'profit', title: 'Open', height: 2, format: dollars, points: series(({ openUsd }) => openUsd) },
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
