// What the program counts of itself, in one registry that is passed along: no global state, so that two apps can live in
// one process. `text()` is what Prometheus reads.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createBounds } from './bounds.ts'

/** Seconds; from a kept answer to a client that gave up. */
const REQUEST_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds; a block at the head to a large batch of a backfill. */
const BATCH_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type Metrics = ReturnType<typeof createMetrics>

/** All metrics of the program; labels are closed sets, never addresses or keys. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const indexedBlockTime = new Gauge({
    name: 'assay_indexed_block_time_seconds',
    help: 'Unix time of the newest block in the database; not a number where this process does not index.',
    registers,
  })
  // Zero would be a block of 1970.
  indexedBlockTime.set(Number.NaN)
  return {
    /** Answers by route (its pattern, not its path) and status. */
    requestSeconds: new Histogram({
      name: 'assay_http_request_seconds',
      help: 'Time from the last byte of a request to the last byte of its answer.',
      labelNames: ['route', 'status'] as const,
      buckets: REQUEST_BUCKETS_S,
      registers,
    }),
    /** Blocks and logs written, rollbacks made. */
    blocksIndexed: new Counter({ name: 'assay_blocks_indexed_total', help: 'Blocks written.', registers }),
    logsIndexed: new Counter({ name: 'assay_logs_indexed_total', help: 'Decoded logs written.', registers }),
    rollbacks: new Counter({ name: 'assay_rollbacks_total', help: 'Reorganisations undone.', registers }),
    batchSeconds: new Histogram({
      name: 'assay_batch_seconds',
      help: 'Time to write one batch of blocks.',
      buckets: BATCH_BUCKETS_S,
      registers,
    }),
    rescoreSeconds: new Histogram({
      name: 'assay_rescore_seconds',
      help: 'Time of one run of scoring.',
      buckets: BATCH_BUCKETS_S,
      registers,
    }),
    indexedBlock: new Gauge({ name: 'assay_indexed_block', help: 'Newest block in the database.', registers }),
    indexedBlockTime,
    sourceBlock: new Gauge({ name: 'assay_source_block', help: 'Newest block of the source.', registers }),
    secondsLeft: new Gauge({ name: 'assay_seconds_left', help: 'Time until the source is caught up with.', registers }),
    ...createBounds(registry),
    ...createEdgeMetrics(registers),
    /** Counts memory, processor and event loop of the process too, from now on. */
    watchProcess: (): void => collectDefaultMetrics({ register: registry }),
    /** All of the above in Prometheus' text format, and its media type. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** What the server turned away and what it holds. The loop's lag is among the metrics of the process (`nodejs_eventloop_lag_*`). */
function createEdgeMetrics(registers: Registry[]) {
  const edgeRefusals = new Counter({
    name: 'assay_edge_refusals_total',
    help: 'Connections closed and requests turned away before anybody looked at their key, by kind.',
    labelNames: ['kind'] as const,
    registers,
  })
  return {
    edgeRefusals,
    /** Shows every kind of refusal from the start, and what is open and under way whenever somebody looks. */
    watchTraffic(kinds: readonly string[], traffic: Readonly<{ connections: number; inFlight: number }>): void {
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
        name: 'assay_http_requests_in_flight',
        help: 'Requests under way.',
        registers,
        collect() {
          this.set(traffic.inFlight)
        },
      })
    },
  }
}
