// The parts of a request's time: a profile of the server's thread while it answers one route, summed by the code's
// label. A sample counts for the innermost frame with a label: Node's own streams and timers work for their caller.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** In the order in which they are printed. */
export const PARTS = [
  'HTTP',
  'Express',
  'REST',
  'guard and limits',
  'GraphQL',
  'SQL',
  'board',
  'JSON',
  'log',
  'garbage',
  'other',
] as const
export type Part = (typeof PARTS)[number]

/** Share of the time in which the thread was busy. */
export type Shares = Record<Part, number>

export interface Frame {
  functionName: string
  url: string
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

const PLACES: readonly [RegExp, Part][] = [
  [/\/(dist|src)\/(access|ledger\/account)\/|node_modules\/(rate-limiter-flexible|ioredis)\//, 'guard and limits'],
  [/node_modules\/(pino|sonic-boom|prom-client|fast-redact)[^/]*\/|\/telemetry\/|rest\/access-log/, 'log'],
  [/\/(dist|src)\/(database|ledger)\/|node_modules\/(pg|postgres)[^/]*\/|node_modules\/@prisma\//, 'SQL'],
  [/\/(dist|src)\/board\//, 'board'],
  [/\/(dist|src)\/graph\/|node_modules\/(graphql|dataloader|@graphql|@pothos|@envelop|@whatwg)/, 'GraphQL'],
  [/\/(dist|src)\/rest\/|\/(dist|src)\/(stream|mcp)\//, 'REST'],
  [/node_modules\//, 'Express'],
]

/** The label of a sample's frames, the innermost first; null while the thread is idle. */
export function partOf(frames: readonly Frame[]): Part | null {
  const [leaf] = frames
  if (!leaf || leaf.functionName === '(idle)') return null
  if (leaf.functionName === '(garbage collector)') return 'garbage'
  if (leaf.functionName.startsWith('json_')) return 'JSON'
  // The guard's statements and promises are its own.
  if (frames.some(({ url }) => PLACES[0]?.[0].test(url))) return 'guard and limits'
  for (const { url } of frames) {
    if (url.startsWith('node:_http') || url.startsWith('node:internal/http')) return 'HTTP'
    const place = PLACES.find(([pattern]) => pattern.test(url))
    if (place) return place[1]
  }
  // Reading from sockets begins outside of all of them; so do the system's calls.
  return frames.some(({ url }) => /^node:(net|internal\/stream)/.test(url)) || leaf.functionName === '(program)'
    ? 'HTTP'
    : 'other'
}

export function sharesOf({ nodes, samples, timeDeltas }: Profile): Shares {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parts = new Map<number, Part | null>()
  const find = (sample: number): Part | null => {
    const stack: Frame[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const frame = frames.get(id)
      if (frame) stack.push(frame)
    }
    return partOf(stack)
  }
  const sums = Object.fromEntries(PARTS.map((part) => [part, 0])) as Shares
  let busy = 0
  for (const [at, sample] of samples.entries()) {
    if (!parts.has(sample)) parts.set(sample, find(sample))
    const part = parts.get(sample)
    const time = timeDeltas[at] ?? 0
    if (!part) continue
    sums[part] += time
    busy += time
  }
  for (const part of PARTS) sums[part] /= Math.max(busy, 1)
  return sums
}

/** Profiles the server, which was started with `profiler.mjs`, while `work` runs. */
export async function profile(server: ChildProcess, work: () => Promise<unknown>): Promise<Shares> {
  const begun = once(server, 'message')
  server.send('begin')
  await begun
  await work()
  const ended = once(server, 'message')
  server.send('end')
  const [found] = (await ended) as [Profile]
  return sharesOf(found)
}
