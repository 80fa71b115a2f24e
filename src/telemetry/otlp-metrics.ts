// The program's metrics in OpenTelemetry's form. Input: Prometheus' values. Output: sums, gauges and histograms. Pure.
import type { DataPoint, HistogramMetricData, MetricData } from '@opentelemetry/sdk-metrics'
import type { MetricValues } from './metrics.ts'

type Metric = MetricValues[number]
type Value = Metric['values'][number]
type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>

/** The constants of the SDK, which is loaded only where metrics are sent. */
export interface MetricKinds {
  SUM: 3
  GAUGE: 2
  HISTOGRAM: 0
}

/** Values that are not known (NaN) are left out; so are summaries, which OpenTelemetry lacks. */
export function toMetricData(metrics: MetricValues, kinds: MetricKinds, startMs: number, nowMs: number): MetricData[] {
  const times = { startTime: toHrTime(startMs), endTime: toHrTime(nowMs) }
  return metrics.flatMap((metric): MetricData[] => {
    const { name, help: description } = metric
    const base = {
      descriptor: { name, description, unit: unitOf(name), valueType: 1 },
      // Cumulative.
      aggregationTemporality: 1,
    }
    const type = String(metric.type)
    if (type === 'histogram') {
      return [
        { ...base, dataPointType: kinds.HISTOGRAM, dataPoints: toHistograms(metric, times) } as HistogramMetricData,
      ]
    }
    const dataPoints = metric.values.filter(isKnown).map((value) => ({ ...times, ...pointOf(value) }))
    if (type === 'counter') return [{ ...base, dataPointType: kinds.SUM, isMonotonic: true, dataPoints } as MetricData]
    return type === 'gauge' ? [{ ...base, dataPointType: kinds.GAUGE, dataPoints } as MetricData] : []
  })
}

const toHrTime = (ms: number): [number, number] => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]
const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''
const isKnown = ({ value }: Value): boolean => Number.isFinite(value)
const pointOf = ({ labels, value }: Value) => ({ attributes: { ...labels }, value })

/** Prometheus counts all values up to a bound, OpenTelemetry those between two. */
function toHistograms({ values }: Metric, times: Times): HistogramMetricData['dataPoints'] {
  const series = new Map<string, { attributes: Record<string, string | number>; values: Value[] }>()
  for (const value of values) {
    const { le: _, ...attributes } = value.labels as Record<string, string | number>
    const key = JSON.stringify(attributes)
    const known = series.get(key) ?? { attributes, values: [] }
    known.values.push(value)
    series.set(key, known)
  }
  return [...series.values()].map(({ attributes, values: of }) => {
    const buckets = of.filter(({ labels }) => 'le' in labels)
    const bounds = buckets.map(({ labels }) => Number((labels as { le: unknown }).le)).filter(Number.isFinite)
    const upTo = buckets.map(({ value }) => value)
    const named = (suffix: string) =>
      of.find((value) => String((value as { metricName?: string }).metricName).endsWith(suffix))?.value ?? 0
    return {
      ...times,
      attributes,
      value: {
        buckets: { boundaries: bounds, counts: upTo.map((count, at) => count - (upTo[at - 1] ?? 0)) },
        sum: named('_sum'),
        count: named('_count'),
      },
    }
  })
}
