// Candles with volume, liquidity and holders below, and on the time axis what happened: liquidity that came or left, and
// changes of the risk.
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, type Mark, toSeconds } from '../chart/pane.ts'
import { count, dollars, price, shortTime } from '../format.ts'
import type { TOKEN_CHART } from '../pages/token-query.ts'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'

type ChartToken = NonNullable<ResultOf<typeof TOKEN_CHART>['token']>

interface PriceChartProps {
  token: ChartToken | null
  address: string
}

export function PriceChart({ token, address }: PriceChartProps) {
  const data = useMemo(() => (token ? toChart(token) : null), [token])
  if (!token || !data || token.hours.length === 0)
    return <Empty>It has not traded yet, so there is nothing to draw.</Empty>
  return (
    <>
      <Chart
        of={address}
        data={data}
        class="tall-chart"
        label={`Price in USD by the hour, with volume, liquidity and holders; now ${price(token.hours[0]?.closeUsd)}`}
      >
        <HourTable hours={token.hours.slice(0, 48)} />
      </Chart>
      <p class="faint foot">
        Hours with a trade. Drawn with{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts
        </a>
        .
      </p>
    </>
  )
}

function toChart({ hours, added, removed, score }: ChartToken): ChartData {
  const points = [...hours].reverse().map((hour) => ({ ...hour, time: toSeconds(hour.start) }))
  const times = points.map(({ time }) => time)
  const series = (pick: (hour: (typeof points)[number]) => number) =>
    points.map((hour) => ({ time: hour.time, value: pick(hour), isUp: hour.closeUsd >= hour.openUsd }))
  const mark = (time: string, text: string, tone: Mark['tone']): Mark[] => {
    const on = hourOf(times, toSeconds(time))
    return on === null ? [] : [{ time: on, text, tone }]
  }
  return {
    panes: [
      {
        kind: 'candles',
        title: '',
        height: 5,
        format: (value) => (value < 1e-15 ? '$0' : price(value)),
        points: points.map(({ time, openUsd, highUsd, lowUsd, closeUsd }) => ({
          time,
          open: openUsd,
          high: highUsd,
          low: lowUsd,
          close: closeUsd,
        })),
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
    ],
    marks: [
      ...added.items.flatMap(({ timestamp, amountUsd }) => mark(timestamp, `+${dollars(amountUsd)}`, 'good')),
      ...removed.items.flatMap(({ timestamp, amountUsd }) => mark(timestamp, `−${dollars(amountUsd)}`, 'bad')),
      ...score.history.flatMap((point, i) =>
        point.level !== score.history[i + 1]?.level ? mark(point.time, point.level, 'neutral') : [],
      ),
    ],
  }
}

/** The newest of the ascending times that is not later; null when all are later. */
function hourOf(times: readonly number[], time: number): number | null {
  return times.findLast((one) => one <= time) ?? null
}

const HourTable = ({ hours }: { hours: ChartToken['hours'] }) => (
  <Scroll label="Prices by the hour" tall>
    <table>
      <thead>
        <tr>
          {['Hour', 'Open', 'High', 'Low', 'Close', 'Volume', 'Liquidity', 'Holders'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour.start}>
            <th scope="row">{shortTime(hour.start)}</th>
            <td>{price(hour.openUsd)}</td>
            <td>{price(hour.highUsd)}</td>
            <td>{price(hour.lowUsd)}</td>
            <td>{price(hour.closeUsd)}</td>
            <td>{dollars(hour.volumeUsd)}</td>
            <td>{dollars(hour.liquidityUsd)}</td>
            <td>{count(hour.holderCount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
