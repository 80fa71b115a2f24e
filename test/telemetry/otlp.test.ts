// Metrics and traces at a collector that speaks OTLP over HTTP.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { openOtlp } from '../../src/telemetry/otlp.ts'
import { toMetricData } from '../../src/telemetry/otlp-metrics.ts'
import { ownSpan, parseTraceParent } from '../../src/telemetry/trace.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'

const UNTIL = 200

interface Sent {
  path: string
  body: {
    resourceSpans?: {
      resource: { attributes: { key: string; value: { stringValue?: string } }[] }
      scopeSpans: { spans: Record<string, unknown>[] }[]
    }[]
    resourceMetrics?: { scopeMetrics: { metrics: Record<string, unknown>[] }[] }[]
  }
}

/** A collector that keeps what it gets; it answers 503 while it is `away`. */
async function startCollector() {
  const sent: Sent[] = []
  const state = { isAway: false }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (!state.isAway)
      sent.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) as Sent['body'] })
    response.writeHead(state.isAway ? 400 : 200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The identifiers of the processes that sent spans. */
    instances: () =>
      new Set(
        sent
          .flatMap(({ body }) => body.resourceSpans ?? [])
          .map(
            ({ resource }) => resource.attributes.find(({ key }) => key === 'service.instance.id')?.value.stringValue,
          )
          .filter((id) => id !== undefined),
      ),
    paths: () => new Set(sent.map(({ path }) => path)),
    spans: () =>
      sent.flatMap(({ body }) => body.resourceSpans ?? []).flatMap((each) => each.scopeSpans.flatMap((s) => s.spans)),
    metrics: () =>
      sent
        .flatMap(({ body }) => body.resourceMetrics ?? [])
        .flatMap((each) => each.scopeMetrics.flatMap((s) => s.metrics)),
  }
}

const optionsFor = (endpoint: string, log = { info: () => {}, warn: () => {} } as never) => ({
  ...{ endpoint, serviceName: 'assay', version: '1', everyMs: 50, metrics: createMetrics(), clock: systemClock, log },
})

test('a collector gets the spans of requests in the trace of their caller, those of batches, and all metrics', async () => {
  const collector = await startCollector()
  const { url } = await createTestDatabase()
  const environment = { DATABASE_URL: url, PORT: '0', DEMO: 'still', DATA_DIR: makeFolder('otlp') }
  const app = await openApp({
    ...{ config: readConfig({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` }), log: silentLog },
    ...{ clock: systemClock, signal: new AbortController().signal, roles: ['api', 'index'], until: UNTIL },
    onProgress: () => {},
  })
  expect(app.metricsAddress).toBe(null)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await fetch(`${app.address}/v1/tokens?secret=x`, { headers: { traceparent } })
  await app.done
  await app.stop()
  expect([...collector.paths()].sort()).toEqual(['/v1/metrics', '/v1/traces'])
  const spans = collector.spans()
  expect(spans.find(({ name }) => name === 'GET none')).toMatchObject({
    ...{ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331', kind: 2 },
    attributes: expect.arrayContaining([{ key: 'http.response.status_code', value: { intValue: 401 } }]),
  })
  expect(JSON.stringify(spans)).not.toContain('secret')
  expect(new Set(spans.map(({ name }) => name))).toContain('index append')
  const block = collector.metrics().findLast(({ name }) => name === 'assay_indexed_block')
  expect(block).toMatchObject({ gauge: { dataPoints: [{ asDouble: UNTIL }] } })
})

test('a collector gets the metrics and spans of all chains of a process, which is an instance of its own', async () => {
  const collector = await startCollector()
  const { url } = await createTestDatabase()
  const environment = { DATABASE_URL: url, PORT: '0', CHAINS: 'first=demo,second=demo', DATA_DIR: makeFolder('otlp') }
  const app = await openApp({
    ...{ config: readConfig({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), log: silentLog },
    ...{ clock: systemClock, signal: new AbortController().signal, roles: ['api'], onProgress: () => {} },
  })
  await fetch(`${app.address}/second/v1/tokens`)
  await fetch(`${app.address}/v1/tokens`)
  await app.stop()
  const chainOf = ({ attributes }: Record<string, unknown>) =>
    (attributes as { key: string; value: { stringValue?: string } }[]).find(({ key }) => key === 'assay.chain')?.value
  expect(collector.spans().map(chainOf)).toEqual([{ stringValue: 'second' }, undefined])
  const requests = collector.metrics().filter(({ name }) => name === 'assay_http_request_seconds')
  for (const chain of ['first', 'second']) expect(JSON.stringify(requests)).toContain(`"stringValue":"${chain}"`)
  expect(collector.instances().size).toBe(1)
})

test('a collector that is away is told once, and once when it is back', async () => {
  const collector = await startCollector()
  collector.state.isAway = true
  const lines: string[] = []
  const log = {
    info: (_: object, line: string) => void lines.push(line),
    warn: (_: object, line: string) => void lines.push(line),
  }
  const otlp = await openOtlp(optionsFor(collector.url, log as never))
  await expect.poll(() => lines).toEqual(['the OpenTelemetry collector is unavailable; metrics and traces wait'])
  otlp.note(ownSpan('lost', { now: new Date(), tookMs: 1 }))
  await new Promise((resolve) => setTimeout(resolve, 200))
  collector.state.isAway = false
  await expect.poll(() => lines.slice(1)).toEqual(['the OpenTelemetry collector answers again'])
  await otlp.stop()
})

test('at most 2,048 spans wait, beside a batch of 512 that is being sent', async () => {
  const collector = await startCollector()
  const otlp = await openOtlp({ ...optionsFor(collector.url), everyMs: 60_000 })
  for (let n = 0; n < 5_000; n++) otlp.note(ownSpan('work', { now: new Date(), tookMs: 1 }))
  await otlp.stop()
  expect(collector.spans().length).toBeGreaterThan(0)
  expect(collector.spans().length).toBeLessThanOrEqual(2_560)
})

test('a histogram has the count of each bucket, and unknown values are left out', async () => {
  const metrics = createMetrics()
  for (const seconds of [0.002, 0.002, 0.3, 60]) metrics.requestSeconds.observe({ route: '/a', status: 200 }, seconds)
  const data = toMetricData(await metrics.values(), { SUM: 3, GAUGE: 2, HISTOGRAM: 0 }, 1_500, 2_250)
  const found = data.find(({ descriptor }) => descriptor.name === 'assay_http_request_seconds')
  expect(found?.dataPoints).toMatchObject([
    {
      ...{ startTime: [1, 500_000_000], endTime: [2, 250_000_000], attributes: { route: '/a', status: 200 } },
      value: { buckets: { counts: [0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }, sum: 60.304, count: 4 },
    },
  ])
  expect(found?.descriptor.unit).toBe('s')
  expect(data.find(({ descriptor }) => descriptor.name === 'assay_indexed_block_time_seconds')?.dataPoints).toEqual([])
})

test('a malformed traceparent, and one of zeros, is none', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  expect(parseTraceParent(`00-${trace}-b7ad6b7169203331-00`)).toEqual({
    ...{ traceId: trace, spanId: 'b7ad6b7169203331', isSampled: false },
  })
  for (const header of [
    undefined,
    '',
    `00-${trace}`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${trace}-b7ad6b7169203331-01`,
  ])
    expect(parseTraceParent(header)).toBe(null)
})

test('the documented command installs the versions that the tests run with', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const [command = ''] = /npm install --no-save @opentelemetry.*/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const own = Object.entries(devDependencies).filter(([name]) => name.startsWith('@opentelemetry/'))
  expect(command.split(' ').slice(3)).toEqual(own.map(([name, version]) => `${name}@${version}`))
})
