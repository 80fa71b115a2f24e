// Clients of a rehearsal. Readers come at a steady rate, one exceeds its limit, and one reads the stream of events and
// continues after each break. Output: the failures with their times, and the number of requests that a limit granted.
import { Agent, get } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createRandom } from '../../support/market/random.ts'

export interface Sample {
  /** When it was sent, and how long it took. */
  atMs: number
  ms: number
  /** The status, or the code of the error. */
  end: number | string
  /** The block of the answer was before one that this client had seen. */
  wentBack: boolean
}

interface Answer {
  end: number | string
  block: number
  /** Seconds until the minute ends that counted the request. */
  minuteLeft: number
}

/** A request of the limited client that was granted, and when the minute ends that counted it: a second too late at most. */
export interface Grant {
  atMs: number
  endsMs: number
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** A client that waits longer has given up. */
const PATIENCE_MS = 20_000
const MINUTE_LEFT = /"minute";r=\d+;t=(\d+)/

function ask(url: string, key: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ end: error.code ?? error.message, block: 0, minuteLeft: 0 })
    const sent = get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const { statusCode = 0, headers } = response
      // Only the balancer's own answers are HTML.
      const end = headers['content-type']?.includes('html') ? `${statusCode} of the balancer` : statusCode
      response.on('error', fail).resume()
      response.on('end', () =>
        resolve({
          end: response.complete ? end : 'cut',
          block: Number(headers['assay-block'] ?? 0),
          minuteLeft: Number(MINUTE_LEFT.exec(String(headers.ratelimit))?.[1] ?? 0),
        }),
      )
    })
    sent.on('error', fail).setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer in 20 s')))
  })
}

export interface Load {
  samples: Sample[]
  granted: Grant[]
  stop(): Promise<void>
}

/** Asks `perSecond` requests in all from `clients` connections; another client asks `limited.perSecond` with a key that has a limit. */
export function startLoad(options: {
  url: string
  key: string
  paths: readonly string[]
  clients: number
  perSecond: number
  limited: { key: string; perSecond: number }
}): Load {
  const { url, key, paths, clients, perSecond, limited } = options
  const samples: Sample[] = []
  const granted: Grant[] = []
  let isOver = false
  const every = async (ms: number, work: () => Promise<void>) => {
    for (let next = performance.now(); !isOver; next = Math.max(next + ms, performance.now())) {
      await pause(Math.max(0, next - performance.now()))
      await work()
    }
  }
  const read = (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const random = createRandom(client)
    let seen = 0
    return every((1000 * clients) / perSecond, async () => {
      const atMs = performance.now()
      const path = paths[Math.floor(random.next() * paths.length)] ?? '/'
      const { end, block } = await ask(`${url}${path}`, key, agent)
      samples.push({ atMs, ms: performance.now() - atMs, end, wentBack: block > 0 && block < seen })
      seen = Math.max(seen, block)
    })
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const press = () =>
    every(4000 / limited.perSecond, async () => {
      const atMs = performance.now()
      const { end, minuteLeft } = await ask(`${url}/v1/tokens?limit=1`, limited.key, agent)
      if (end === 200) granted.push({ atMs, endsMs: performance.now() + 1_000 * minuteLeft })
    })
  const all = [...Array.from({ length: clients }, (_, n) => read(n + 1)), ...Array.from({ length: 4 }, press)]
  return {
    samples,
    granted,
    stop: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}

export interface Follower {
  /** How often each event came. */
  seen: Map<string, number>
  /** How often the stream was opened. */
  opened(): number
  stop(): Promise<void>
}

/** Reads the stream of events from the first one on; when it ends, it goes on after the last `id`. */
export function followEvents(url: string, key: string): Follower {
  const seen = new Map<string, number>()
  const stopping = new AbortController()
  let lastId = '0-0-0'
  let opened = 0
  const readOnce = async () => {
    const response = await fetch(`${url}/v1/stream/events?after=${lastId}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stopping.signal,
    })
    if (!response.ok || !response.body) throw new Error(`${response.status}`)
    opened += 1
    let rest = ''
    for await (const chunk of Readable.fromWeb(response.body as ReadableStream).setEncoding(
      'utf8',
    ) as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) take(part)
    }
  }
  const take = (part: string) => {
    lastId = /^id: (.+)$/m.exec(part)?.[1] ?? lastId
    const data = /^data: (.+)$/m.exec(part)?.[1]
    if (!data || /^event: end$/m.test(part)) return
    const { id } = JSON.parse(data) as { id: string }
    seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await readOnce().catch(() => {})
      await pause(200)
    }
  })()
  return {
    seen,
    opened: () => opened,
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}
