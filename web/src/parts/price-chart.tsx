// Candles with volume, liquidity, holders and risk below. The events are marks on the time axis, and a list below the
// chart.
import { useMemo } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, type Mark, toSeconds } from '../chart/pane.ts'
import { count, dollars, price, score, shortTime, whole } from '../format.ts'
import type { ChartToken } from '../pages/token-chart.ts'
import { Disclosure } from './disclosure.tsx'
import { marksOf } from './price-marks.ts'
import { Empty } from './state.tsx'
import { TimesTable } from './times-table.tsx'

interface PriceChartProps {
  token: ChartToken
  /** The token and its candles. */
  of: string
}

export function PriceChart({ token, of }: PriceChartProps) {
  const data = useMemo(() => toChart(token), [token])
  if (token.candles.length === 0)
    return <Empty>Nothing happened in the time that candles of this length show. Choose longer ones.</Empty>
  return (
    <>
      {token.candles.every(({ closeUsd }) => closeUsd === null) && (
        <p class="note">
          No price in this time: the token does not tell its decimals, or none of its pools is deep enough to tell one.
        </p>
      )}
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
      <MarkList marks={data.marks} />
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

/** The marks in words, the newest first. */
const MarkList = ({ marks }: { marks: readonly Mark[] }) =>
  marks.length > 0 && (
    <Disclosure summary={`What happened, as a list (${whole(marks.length)})`} class="as-table">
      <ul class="marks" aria-label="Marks on the chart">
        {[...marks]
          .sort((a, b) => b.time - a.time)
          .map(({ time, text }) => (
            <li key={`${time} ${text}`}>
              <time dateTime={toIso(time)}>{shortTime(toIso(time))}</time> {text}
            </li>
          ))}
      </ul>
    </Disclosure>
  )

const toIso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

function toChart(token: ChartToken): ChartData {
  const { candles, riskSeries } = token
  const points = candles.map((candle) => ({ ...candle, time: toSeconds(candle.start) }))
  // All panes have the times of the candles: a longer series would push the newest candles out of sight.
  const risks = riskSeries.map((point) => ({ ...point, time: toSeconds(point.time) }))
  const series = (pick: (candle: (typeof points)[number]) => number) =>
    points.map((candle) => ({
      time: candle.time,
      value: pick(candle),
      isUp: (candle.closeUsd ?? 0) >= (candle.openUsd ?? 0),
    }))
  return {
    panes: [
      {
        kind: 'candles',
        title: '',
        height: 8,
        format: (value) => (value < 1e-15 ? dollars(0) : price(value)),
        // A time without a price has no candle.
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
        // A candle covers the time until the next one, without trades in between.
        points: points.flatMap(({ time }, at) => {
          const risk = risks.findLast((point) => point.time < (points[at + 1]?.time ?? Number.POSITIVE_INFINITY))
          return risk ? [{ time, value: risk.score }] : []
        }),
      },
    ],
    marks: marksOf(token),
  }
}
