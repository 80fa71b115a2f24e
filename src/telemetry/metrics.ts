// The program's own metrics. The registry is passed along rather than global, so that two apps can run in one process.
// `text()` returns the page for Prometheus.

import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { createBounds } from './bounds.ts'
import type { NoteSpan } from './trace.ts'

/** Seconds: from a cached answer to a client that gave up. */
const REQUEST_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds: from a single block at the head to a large backfill batch. */
const BATCH_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type Metrics = ReturnType<typeof createMetrics>

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of several processes in Prometheus' text format: each value has the label `worker`, the number of its process. */
export const writeMerged = (processes: ReadonlyMap<number, MetricValues>): Promise<string> =>
  writeValues([...processes].flatMap(([worker, values]) => label(values, { worker: String(worker) })))

/** The metrics of several chains: each value has the label `chain`, its name. */
export const labelChains = (chains: ReadonlyMap<string, MetricValues>): MetricValues =>
  [...chains].flatMap(([chain, values]) => label(values, { chain }))

/** Values in Prometheus' text format. */
export const writeValues = (values: MetricValues): Promise<string> => AggregatorRegistry.aggregate([values]).metrics()

const label = (metrics: MetricValues, labels: Record<string, string>): MetricValues =>
  metrics.map((metric) => ({
    ...metric,
    // No two values have the same labels, so none are summed.
    aggregator: 'first' as const,
    values: metric.values.map((value) => ({ ...value, labels: { ...labels, ...value.labels } })),
  }))

/** All metrics of the program. Labels are closed sets, never addresses or keys. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const indexedBlockTime = new Gauge({
    name: 'assay_indexed_block_time_seconds',
    help: 'Unix time of the newest block in the database; NaN when this process does not index.',
    registers,
  })
  // NaN until it is known: 0 would mean a block from 1970.
  indexedBlockTime.set(Number.NaN)
  const sourceSeen = new Gauge({
    name: 'assay_source_seen_seconds',
    help: 'Unix time at which the source last told its newest block; NaN when this process does not index.',
    registers,
  })
  sourceSeen.set(Number.NaN)
  let send: NoteSpan = () => {}
  return {
    /** Takes a span; it goes nowhere until `sendSpans` says where. */
    noteSpan: (span: Parameters<NoteSpan>[0]): void => send(span),
    sendSpans: (to: NoteSpan): void => {
      send = to
    },
    /** Answers by route pattern (not path) and status. */
    requestSeconds: new Histogram({
      name: 'assay_http_request_seconds',
      help: 'Time from the last byte of a request to the last byte of its answer.',
      labelNames: ['route', 'status'] as const,
      buckets: REQUEST_BUCKETS_S,
      registers,
    }),
    ...createWriteMetrics(registers),
    indexedBlock: new Gauge({ name: 'assay_indexed_block', help: 'Newest block in the database.', registers }),
    indexedBlockTime,
    sourceBlock: new Gauge({ name: 'assay_source_block', help: 'Newest block of the source.', registers }),
    sourceSeen,
    ...createCheckMetrics(registers),
    secondsLeft: new Gauge({
      name: 'assay_seconds_left',
      help: 'Time until the index reaches the head of the source.',
      registers,
    }),
    ...createProviderMetrics(registers),
    ...createBounds(registry),
    ...createEdgeMetrics(registers),
    /** Adds metrics of the process: memory, processor and event loop. */
    watchProcess: (): void => collectDefaultMetrics({ register: registry }),
    /** All metrics in Prometheus' text format; `contentType` is its media type. */
    text: (): Promise<string> => registry.metrics(),
    /** All metrics as plain values, for another process. */
    values: (): Promise<MetricValues> => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

/** Written batches and scoring runs. */
function createWriteMetrics(registers: Registry[]) {
  return {
    /** Counts of blocks and logs written, and of rollbacks. */
    blocksIndexed: new Counter({ name: 'assay_blocks_indexed_total', help: 'Blocks written.', registers }),
    logsIndexed: new Counter({ name: 'assay_logs_indexed_total', help: 'Decoded logs written.', registers }),
    rollbacks: new Counter({
      name: 'assay_rollbacks_total',
      help: 'Rollbacks after a reorganisation of the chain.',
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'assay_batch_seconds',
      help: 'Time to write one batch of blocks.',
      buckets: BATCH_BUCKETS_S,
      registers,
    }),
    rescoreSeconds: new Histogram({
      name: 'assay_rescore_seconds',
      help: 'Time of one scoring run.',
      buckets: BATCH_BUCKETS_S,
      registers,
    }),
  }
}

/** Contract checks, and the coverage of measured blocks. */
function createCheckMetrics(registers: Registry[]) {
  return {
    /** Contract checks by result, and their calls. */
    contractChecks: new Counter({
      name: 'assay_contract_checks_total',
      help: 'Checks of contracts by result: complete, in_part or failed.',
      labelNames: ['result'] as const,
      registers,
    }),
    contractCalls: new Counter({
      name: 'assay_contract_calls_total',
      help: 'Calls that checks of contracts sent.',
      registers,
    }),
    contractChecksDue: new Gauge({
      name: 'assay_contract_checks_due',
      help: 'Tokens whose check of the contract is due, 100,000 at most.',
      registers,
    }),
    contractCheckLag: new Gauge({
      name: 'assay_contract_check_lag_seconds',
      help: 'How long the oldest check of a contract has been due, by the time of the newest block; 0: none is due.',
      registers,
    }),
    /** The track record of the newest weeks. */
    judgedTokens: new Gauge({
      name: 'assay_judged_tokens',
      help: 'Tokens whose level was judged after horizon_days, and those of them that were pulled, lost 90 % or became unsellable.',
      labelNames: ['horizon_days', 'age_hours', 'level', 'became'] as const,
      registers,
    }),
    /** The coverage of measured blocks: their swaps of known exchanges, and how many were read. */
    swapsKnown: new Counter({
      name: 'assay_coverage_swaps_total',
      help: 'Swaps of known exchanges in the blocks whose coverage was measured, five every ten minutes.',
      registers,
    }),
    swapsRead: new Counter({
      name: 'assay_coverage_swaps_read_total',
      help: 'Those of them that the index read.',
      registers,
    }),
  }
}

/** Requests to the providers of RPC_URL. */
function createProviderMetrics(registers: Registry[]) {
  const requests = new Counter({
    name: 'assay_provider_requests_total',
    help: 'HTTP requests to the providers of RPC_URL; one may hold many calls.',
    registers,
  })
  const calls = new Counter({
    name: 'assay_provider_calls_total',
    help: 'Calls to the providers of RPC_URL, by method.',
    labelNames: ['method'] as const,
    registers,
  })
  return {
    /** Counts one request by the methods of its calls, which are those of the program. */
    noteSent(sent: { calls: Readonly<Record<string, number>> }): void {
      requests.inc()
      for (const [method, count] of Object.entries(sent.calls)) calls.inc({ method }, count)
    },
  }
}

/**
 * The server's refusals and open resources. The event loop's lag is in the process metrics (`nodejs_eventloop_lag_*`).
 */
function createEdgeMetrics(registers: Registry[]) {
  const edgeRefusals = new Counter({
    name: 'assay_edge_refusals_total',
    help: 'Connections closed and requests refused before their key was checked, by kind.',
    labelNames: ['kind'] as const,
    registers,
  })
  return {
    edgeRefusals,
    /**
     * Reports every kind of refusal from the start (as 0), and the current connections and requests at every scrape.
     */
    watchTraffic(
      kinds: readonly string[],
      traffic: Readonly<{ connections: number; inFlight: number; streams: number }>,
    ): void {
      for (const kind of kinds) edgeRefusals.inc({ kind }, 0)
      new Gauge({
        name: 'assay_http_connections',
        help: 'Open connections.',
        registers,
        collect() {
          this.set(traffic.connections)
        },
      })
      new Gauge({
        name: 'assay_http_streams',
        help: 'Open streams.',
        registers,
        collect() {
          this.set(traffic.streams)
        },
      })
      new Gauge({
        name: 'assay_http_requests_in_flight',
        help: 'Requests in flight.',
        registers,
        collect() {
          this.set(traffic.inFlight)
        },
      })
    },
  }
}
