// Candles with volume, liquidity, holders and risk below. The events are marks in a lane above, and a list below the
// chart.
import { useMemo } from 'preact/hooks'
import { NOT_JUDGED } from '../../../src/verdict/finding.ts'
import { type Prices, toPrices } from '../chart/candle-prices.ts'
import { Chart } from '../chart/chart.tsx'
import { type ChartData, type Mark, toSeconds } from '../chart/pane.ts'
import { count, dollars, price, risk, UNKNOWN, whole } from '../format.ts'
import type { ChartToken } from '../pages/token-chart.ts'
import { Disclosure } from './disclosure.tsx'
import { marksOf } from './price-marks.ts'
import { Empty } from './state.tsx'
import { TimesTable } from './times-table.tsx'
import { formatIn, nameOf, type Unit } from './units.tsx'
import { ShortTime, When } from './when.tsx'

interface PriceChartProps {
  token: ChartToken
  unit: Unit
  /** The token and its candles. */
  of: string
}

/** In the order of the candles. */
type CandlePrices = ReturnType<typeof toPrices>

export function PriceChart({ token, unit, of }: PriceChartProps) {
  const { isCap, isQuote } = unit
  // biome-ignore lint/correctness/useExhaustiveDependencies: the unit follows from these.
  const prices = useMemo(() => toPrices(token.candles, unit), [token, isCap, isQuote])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the unit follows from the prices.
  const data = useMemo(() => toChart(token, prices, unit), [token, prices])
  if (token.candles.length === 0)
    return <Empty>Nothing happened in the time that candles of this length show. Choose longer ones.</Empty>
  return (
    <>
      {prices.every((one) => one === null) && (
        <p class="note">
          No price in this time:{' '}
          {token.decimals === null
            ? 'the token does not tell its decimals.'
            : 'none of its pools is deep enough to tell one.'}
        </p>
      )}
      <Chart
        of={`${of} ${isCap} ${isQuote} ${data.panes.length}`}
        data={data}
        class="tall-chart"
        label={`${nameOf(unit)}, with volume, liquidity, holders and risk; price now ${price(token.lastPriceUsd)}`}
      >
        <PriceTable candles={token.candles} prices={prices} unit={unit} />
      </Chart>
      <NewestTrade time={token.newest.nodes[0]?.timestamp} />
      <MarkList marks={data.marks} />
      <p class="faint foot">
        {isCap && 'The market cap is the price times the supply in circulation at the time. '}
        {isCap &&
          token.candles.some(({ closeUsd, marketCapUsd }) => closeUsd !== null && marketCapUsd === null) &&
          EARLIER}
        Wheel or two fingers zoom, dragging moves. Drawn with{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts
        </a>
        .
      </p>
    </>
  )
}

const EARLIER = 'Where no cap is drawn, an earlier version made the index, and the supply at the time is not known. '

const isActive = ({ buyCount, sellCount, volumeUsd }: ChartToken['candles'][number]): boolean =>
  buyCount + sellCount > 0 || volumeUsd > 0

/** The candles with trades: others repeat the close before them. */
function PriceTable({ candles, prices, unit }: { candles: ChartToken['candles']; prices: CandlePrices; unit: Unit }) {
  const format = formatIn(unit)
  const points = candles.map((candle, at) => ({ ...candle, prices: prices[at] })).filter(isActive)
  const tell = (pick: keyof Prices) => (point: (typeof points)[number]) =>
    point.prices ? format(point.prices[pick]) : UNKNOWN
  return (
    <TimesTable
      label="prices"
      points={points}
      timeOf={({ start }) => start}
      columns={{
        Open: tell('open'),
        High: tell('high'),
        Low: tell('low'),
        Close: tell('close'),
        Volume: (candle) => dollars(candle.volumeUsd),
        Bought: (candle) => dollars(candle.buyVolumeUsd),
        Sold: (candle) => dollars(candle.sellVolumeUsd),
        Liquidity: (candle) => dollars(candle.liquidityUsd),
        Holders: (candle) => count(candle.holderCount),
      }}
    />
  )
}

/** A candle without trades repeats the close before it, so the chart alone does not tell how old its price is. */
const NewestTrade = ({ time }: { time: string | undefined }) => (
  <p class="note">Newest trade: {time === undefined ? 'none is known' : <When iso={time} />}</p>
)

/** The marks in words, the newest first. */
const MarkList = ({ marks }: { marks: readonly Mark[] }) =>
  marks.length > 0 && (
    <Disclosure summary={`What happened, as a list (${whole(marks.length)})`} class="as-table">
      <ul class="marks" aria-label="Marks on the chart">
        {[...marks]
          .sort((a, b) => b.time - a.time)
          .map(({ time, text }) => (
            <li key={`${time} ${text}`}>
              <ShortTime iso={toIso(time)} /> {text}
            </li>
          ))}
      </ul>
    </Disclosure>
  )

const toIso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

interface Timed {
  time: number
}

function toChart(token: ChartToken, prices: CandlePrices, unit: Unit): ChartData {
  const points = token.candles.map((candle) => ({ ...candle, time: toSeconds(candle.start) }))
  const series = (pick: (candle: (typeof points)[number]) => number) =>
    points.map((candle) => ({ time: candle.time, value: pick(candle) }))
  return {
    panes: [
      ...toCandles(points, prices, unit),
      {
        ...{ kind: 'volume', title: 'Volume', height: 2, format: dollars },
        points: points.map(({ time, volumeUsd: all, buyVolumeUsd: bought, sellVolumeUsd: sold }) => ({
          ...{ time, all, bought, sold },
        })),
      },
      {
        ...{ kind: 'area', title: 'Liquidity', height: 2, format: dollars },
        points: series(({ liquidityUsd }) => liquidityUsd),
      },
      {
        ...{ kind: 'steps', title: 'Holders', height: 2, format: count },
        points: series(({ holderCount }) => holderCount),
      },
      ...toRisk(points, token),
    ],
    marks: marksOf(token),
  }
}

/** No pane where nothing has a price: it would be an empty half of the chart. */
const toCandles = (points: readonly Timed[], prices: CandlePrices, unit: Unit): ChartData['panes'] =>
  prices.every((one) => one === null)
    ? []
    : [
        {
          ...{ kind: 'candles', title: '', height: 8, format: formatIn(unit) },
          points: points.map(({ time }, at) => (prices[at] ? { time, ...prices[at] } : { time })),
        },
      ]

/** All panes have the times of the candles: a longer series would push the newest candles out of sight. */
function toRisk(points: readonly Timed[], { riskSeries, verdict }: ChartToken): ChartData['panes'] {
  // Its number would contradict "not judged".
  if (verdict?.headline === NOT_JUDGED) return []
  const risks = riskSeries.map((point) => ({ ...point, time: toSeconds(point.time) }))
  // A point of the risk may span several candles.
  const values = points.flatMap(({ time }, at) => {
    const last = risks.findLast((point) => point.time < (points[at + 1]?.time ?? Number.POSITIVE_INFINITY))
    return last ? [{ time, value: last.score }] : []
  })
  return [{ ...{ kind: 'steps', title: 'Risk', height: 2, format: risk }, points: values }]
}
