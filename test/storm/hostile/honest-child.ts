// The process of the honest client: a fixed rate of requests, whatever happens to earlier ones. Latency counts from
// when a request was due, so that a stalled server shows in all the requests that fell into the stall.
import { type Agent, Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { HonestOrder, HonestReport } from './honest.ts'

const PATIENCE_MS = 20_000
/** The most requests in flight; those due beyond it count as unanswered. */
const MOST_OPEN = 400

const order = JSON.parse(process.argv[2] ?? '{}') as HonestOrder
const url = new URL(order.origin)
const isTls = url.protocol === 'https:'
const localAddress = order.from
const agent: Agent = isTls
  ? new HttpsAgent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false })
  : new HttpAgent({ keepAlive: true, maxSockets: 20 })
const calm = new Map<string, string>()
let report: HonestReport = empty()
let open = 0

function empty(): HonestReport {
  return { latenciesMs: [], statuses: {}, faults: [] }
}

const fault = (words: string) => {
  if (report.faults.length < 20) report.faults.push(words)
}

/** The answer without the parts that may differ between two requests at the same block. */
function essenceOf(name: string, body: string): string {
  if (name === 'ready') return ''
  const { extensions: _, ...rest } = JSON.parse(body) as { extensions?: unknown }
  return JSON.stringify(rest)
}

function judge(name: string, status: number, body: string): void {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  if (status !== 200) return
  try {
    const essence = essenceOf(name, body)
    if (!calm.has(name)) calm.set(name, essence)
    if (calm.get(name) !== essence) fault(`${name} answered something else: ${body.slice(0, 200)}`)
  } catch {
    fault(`${name} answered what is no JSON: ${body.slice(0, 200)}`)
  }
}

function ask({ name, path, body }: HonestOrder['requests'][number], isRetry = false, dueMs = performance.now()): void {
  const headers: Record<string, string> = { authorization: `Bearer ${order.key}` }
  if (body) headers['content-type'] = 'application/json'
  const mine = report
  open += 1
  let isDone = false
  const end = (words?: string) => {
    if (isDone) return
    isDone = true
    open -= 1
    mine.latenciesMs.push(performance.now() - dueMs)
    if (words) fault(`${name}: ${words}`)
  }
  const options = {
    host: url.hostname,
    port: url.port,
    path,
    method: body ? 'POST' : 'GET',
    headers,
    agent,
    localAddress,
  }
  const request = (isTls ? requestHttps : requestHttp)({ ...options, timeout: PATIENCE_MS }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      judge(name, response.statusCode ?? 0, Buffer.concat(chunks).toString())
      end()
    })
    response.on('error', (error) => end(`cut off: ${error.message}`))
  })
  request.on('timeout', () => request.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)))
  request.on('error', (error: NodeJS.ErrnoException) => {
    // The server may close an idle connection just as it is reused; like every client, retry such a GET once.
    if (request.reusedSocket && !isRetry && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') && !isDone) {
      isDone = true
      open -= 1
      return ask({ name, path, ...(body ? { body } : {}) }, true, dueMs)
    }
    end(error.message)
  })
  request.end(body)
}

let turn = 0
const startMs = performance.now()
setInterval(() => {
  const due = Math.floor(((performance.now() - startMs) / 1000) * order.perSecond)
  for (; turn < due; turn++) {
    const next = order.requests[turn % order.requests.length]
    if (!next) continue
    if (open < MOST_OPEN) ask(next)
    else fault(`${next.name}: ${MOST_OPEN} requests wait already`)
  }
}, 5)

process.on('message', (message) => {
  if (message === 'end') process.exit(0)
  const given = { ...report, open }
  if (message === 'take') report = empty()
  process.send?.(given)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
