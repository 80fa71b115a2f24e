// Candles with volume, liquidity, holders and risk below, and on the time axis what happened: liquidity that came or left, and
// changes of the risk.
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, type Mark, toSeconds } from '../chart/pane.ts'
import { count, dollars, price, score } from '../format.ts'
import type { TOKEN_CHART } from '../pages/token-query.ts'
import { Empty } from './state.tsx'
import { TimesTable } from './times-table.tsx'

type ChartToken = NonNullable<ResultOf<typeof TOKEN_CHART>['token']>

interface PriceChartProps {
  token: ChartToken | null
  /** Which token and which candles. */
  of: string
}

export function PriceChart({ token, of }: PriceChartProps) {
  const data = useMemo(() => (token ? toChart(token) : null), [token])
  if (!token || !data || token.candles.length === 0)
    return <Empty>There are no candles of this length: it has not traded yet, or choose longer ones.</Empty>
  return (
    <>
      <Chart
        of={of}
        data={data}
        class="tall-chart"
        label={`Price in USD, with volume, liquidity, holders and risk; now ${price(token.candles.at(-1)?.closeUsd)}`}
      >
        <TimesTable
          label="prices"
          points={token.candles}
          timeOf={({ start }) => start}
          columns={{
            Open: (candle) => price(candle.openUsd),
            High: (candle) => price(candle.highUsd),
            Low: (candle) => price(candle.lowUsd),
            Close: (candle) => price(candle.closeUsd),
            Volume: (candle) => dollars(candle.volumeUsd),
            Liquidity: (candle) => dollars(candle.liquidityUsd),
            Holders: (candle) => count(candle.holderCount),
          }}
        />
      </Chart>
      <p class="faint foot">
        Times without a change are left out. Drawn with{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts
        </a>
        .
      </p>
    </>
  )
}

function toChart({ candles, added, removed, riskSeries, score: { history } }: ChartToken): ChartData {
  const points = candles.map((candle) => ({ ...candle, time: toSeconds(candle.start) }))
  const times = points.map(({ time }) => time)
  const series = (pick: (candle: (typeof points)[number]) => number) =>
    points.map((candle) => ({
      time: candle.time,
      value: pick(candle),
      isUp: (candle.closeUsd ?? 0) >= (candle.openUsd ?? 0),
    }))
  const mark = (time: string, text: string, tone: Mark['tone']): Mark[] => {
    const on = startOf(times, toSeconds(time))
    return on === null ? [] : [{ time: on, text, tone }]
  }
  return {
    panes: [
      {
        kind: 'candles',
        title: '',
        height: 5,
        format: (value) => (value < 1e-15 ? '$0' : price(value)),
        // Where the token had no price there is no candle.
        points: points.flatMap(({ time, openUsd: open, highUsd: high, lowUsd: low, closeUsd: close }) =>
          open === null || high === null || low === null || close === null ? [] : [{ time, open, high, low, close }],
        ),
      },
      { kind: 'bars', title: 'Volume', height: 2, format: dollars, points: series(({ volumeUsd }) => volumeUsd) },
      {
        kind: 'area',
        title: 'Liquidity',
        height: 2,
        format: dollars,
        points: series(({ liquidityUsd }) => liquidityUsd),
      },
      { kind: 'line', title: 'Holders', height: 2, format: count, points: series(({ holderCount }) => holderCount) },
      {
        kind: 'line',
        title: 'Risk',
        height: 2,
        format: score,
        points: riskSeries.map((point) => ({ time: toSeconds(point.time), value: point.score })),
      },
    ],
    marks: [
      ...added.items.flatMap(({ timestamp, amountUsd }) => mark(timestamp, `+${dollars(amountUsd)}`, 'good')),
      ...removed.items.flatMap(({ timestamp, amountUsd }) => mark(timestamp, `−${dollars(amountUsd)}`, 'bad')),
      ...history.flatMap((point, i) =>
        point.level !== history[i + 1]?.level ? mark(point.time, point.level, 'neutral') : [],
      ),
    ],
  }
}

/** The newest of the ascending times that is not later; null when all are later. */
function startOf(times: readonly number[], time: number): number | null {
  return times.findLast((one) => one <= time) ?? null
}
