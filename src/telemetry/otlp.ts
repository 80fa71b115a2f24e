// Sends metrics and traces to an OpenTelemetry collector, by OTLP over HTTP. Its packages are optional, and loaded here
// only. The SDK reads its own variables too, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { toMetricData } from './otlp-metrics.ts'
import { createOutage, type Outage } from './outage.ts'
import type { NoteSpan, WorkSpan } from './trace.ts'

/** Spans that wait while the collector is slow or away; further ones are dropped. */
const MAX_WAITING_SPANS = 2_048
const EXPORT_WITHIN_MS = 5_000

export interface OtlpOptions {
  /** The base URL of the collector. */
  endpoint: string
  serviceName: string
  version: string
  /** Milliseconds between two sends. */
  everyMs: number
  metrics: Pick<Metrics, 'values'>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

export interface Otlp {
  note: NoteSpan
  /** Sends what waits. */
  stop(): Promise<void>
}

/** Throws a `StartupError` where a package is missing. */
export async function openOtlp(options: OtlpOptions): Promise<Otlp> {
  const sdk = await loadSdk()
  const { log, serviceName, version } = options
  const resource = sdk.resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    // Several processes send metrics of the same names.
    'service.instance.id': randomUUID(),
  })
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'the OpenTelemetry collector is unavailable; metrics and traces wait'),
    () => log.info({}, 'the OpenTelemetry collector answers again'),
  )
  const meters = openMeters(sdk, options, outage, resource)
  const tracers = openTracers(sdk, options, outage, resource)
  const tracer = tracers.getTracer('assay', version)
  return {
    note: (span) => sendSpan(sdk, tracer, span),
    stop: async () => {
      await Promise.allSettled([tracers.shutdown(), meters.shutdown()])
    },
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>
type Resource = ReturnType<Sdk['resourceFromAttributes']>

const PACKAGES = [
  'api',
  'exporter-metrics-otlp-http',
  'exporter-trace-otlp-http',
  'resources',
  'sdk-metrics',
  'sdk-trace-base',
]

async function loadSdk() {
  try {
    const [api, { OTLPMetricExporter }, { OTLPTraceExporter }, { resourceFromAttributes }, metrics, traces] =
      await Promise.all([
        import('@opentelemetry/api'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/resources'),
        import('@opentelemetry/sdk-metrics'),
        import('@opentelemetry/sdk-trace-base'),
      ])
    return { api, OTLPMetricExporter, OTLPTraceExporter, resourceFromAttributes, metrics, traces }
  } catch (error) {
    const names = PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ')
    throw new StartupError(`OTEL_EXPORTER_OTLP_ENDPOINT needs packages: npm install --no-save ${names}`, 1, error)
  }
}

const urlOf = (endpoint: string, signal: 'metrics' | 'traces') => `${endpoint.replace(/\/+$/, '')}/v1/${signal}`

interface ExportResult {
  /** 0: sent. */
  code: number
  error?: Error
}

interface Exporter<Data> {
  export(data: Data, done: (result: ExportResult) => void): void
}

/** The exporter, which tells the outage of each success and failure. */
function watchExports<Data, Kind extends Exporter<Data>>(exporter: Kind, outage: Outage): Kind {
  const send = exporter.export.bind(exporter)
  exporter.export = (data, done) =>
    send(data, (result) => {
      if (result.code === 0) outage.pass()
      else outage.fail(result.error)
      done(result)
    })
  return exporter
}

function openMeters(sdk: Sdk, { endpoint, everyMs, metrics, clock }: OtlpOptions, outage: Outage, resource: Resource) {
  const { MeterProvider, PeriodicExportingMetricReader, DataPointType } = sdk.metrics
  const startMs = clock.now().getTime()
  const collect = async () => {
    const data = toMetricData(await metrics.values(), DataPointType, startMs, clock.now().getTime())
    return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'assay' }, metrics: data }] }, errors: [] }
  }
  const exporter = new sdk.OTLPMetricExporter({ url: urlOf(endpoint, 'metrics'), timeoutMillis: EXPORT_WITHIN_MS })
  const reader = new PeriodicExportingMetricReader({
    exporter: watchExports(exporter, outage),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(EXPORT_WITHIN_MS, everyMs),
    metricProducers: [{ collect }],
  })
  return new MeterProvider({ resource, readers: [reader] })
}

function openTracers(sdk: Sdk, { endpoint, everyMs }: OtlpOptions, outage: Outage, resource: Resource) {
  const { BasicTracerProvider, BatchSpanProcessor } = sdk.traces
  const exporter = new sdk.OTLPTraceExporter({ url: urlOf(endpoint, 'traces'), timeoutMillis: EXPORT_WITHIN_MS })
  const processor = new BatchSpanProcessor(watchExports(exporter, outage), {
    maxQueueSize: MAX_WAITING_SPANS,
    scheduledDelayMillis: everyMs,
    exportTimeoutMillis: EXPORT_WITHIN_MS,
  })
  return new BasicTracerProvider({ resource, spanProcessors: [processor] })
}

function sendSpan({ api }: Sdk, tracer: ReturnType<Sdk['api']['trace']['getTracer']>, span: WorkSpan): void {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = api
  const { name, parent, attributes, startedMs, endedMs } = span
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
      })
    : ROOT_CONTEXT
  const kind = span.kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL
  const sent = tracer.startSpan(name, { kind, attributes, startTime: startedMs, root: parent === null }, context)
  if (span.isFailed) sent.setStatus({ code: SpanStatusCode.ERROR })
  sent.end(endedMs)
}
