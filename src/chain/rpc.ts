// Calls to a chain through one or several providers. Comes in: calls; goes out: an answer for each. What passes by itself
// is asked again, elsewhere where there is an elsewhere; what does not is handed back, so that the caller can split it.
import type { Clock } from '../base/clock.ts'
import { type Answer, type Call, createHttpEndpoint, type Endpoint, type HttpEndpointOptions } from './rpc-endpoint.ts'
import { RETRYABLE, RpcError, type RpcErrorKind } from './rpc-error.ts'
import { type BatchSize, createBatchSize, createRateLimit, type RateLimit } from './rpc-limit.ts'

export interface Rpc {
  /** The result; throws an `RpcError`. */
  call(call: Call): Promise<unknown>
  /** An answer for each call, in order; never throws for a provider's fault. `attempts` overrides the rounds without progress. */
  batch(calls: readonly Call[], attempts?: number): Promise<Answer[]>
  /** Each endpoint's own answer to one call, resting or not, asked `attempts` times at most. */
  ask(call: Call): Promise<{ endpoint: string; answer: Answer }[]>
}

/** A fault that was met and is being dealt with; for logs and metrics. */
export interface Trouble {
  endpoint: string
  kind: RpcErrorKind
  message: string
}

export interface RpcOptions extends HttpEndpointOptions {
  /** In order of preference. */
  urls?: readonly string[]
  /** Instead of `urls`. */
  endpoints?: readonly Endpoint[]
  clock: Clock
  signal?: AbortSignal
  /** Rounds in a row without any progress before a retryable fault is handed to the caller. */
  attempts?: number
  /** Requests in flight at one endpoint. */
  concurrency?: number
  onTrouble?: (trouble: Trouble) => void
  /** For the jitter: uniform in [0, 1). */
  random?: () => number
}

interface Backend {
  endpoint: Endpoint
  limit: RateLimit
  batch: BatchSize
  /** Not asked before this, on the monotonic clock. */
  restUntilMs: number
  /** Faults in a row. */
  failures: number
  /** The key was refused, and nothing has been answered since. */
  refused: boolean
  inFlight: number
  waiting: (() => void)[]
}

const FIRST_REST_MS = 250
const LONGEST_REST_MS = 15_000
/** A refused key does not heal soon. */
const AUTH_REST_MS = 60_000

/** Calls through the endpoints, the first that is not resting first. */
export function createRpc(options: RpcOptions): Rpc {
  const { clock, signal, attempts = 6, concurrency = 8, onTrouble, random = Math.random } = options
  const endpoints = options.endpoints ?? (options.urls ?? []).map((url) => createHttpEndpoint(url, options))
  const backends = endpoints.map(
    (endpoint): Backend => ({
      endpoint,
      limit: createRateLimit(clock),
      batch: createBatchSize(),
      restUntilMs: 0,
      failures: 0,
      refused: false,
      inFlight: 0,
      waiting: [],
    }),
  )

  /** Exponential, with up to half of it left to chance so that clients do not come back together. */
  const pauseMs = (failures: number) =>
    Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.max(0, failures - 1)) * (0.5 + random() / 2)

  /** The best backend that this call has not just failed at; waits where all rest. */
  async function choose(avoid: Set<Backend>): Promise<Backend> {
    if (avoid.size >= backends.length) avoid.clear()
    const nowMs = clock.monotonicMs()
    const rested = (backend: Backend) => backend.restUntilMs <= nowMs
    const ready = backends.find((backend) => !avoid.has(backend) && rested(backend)) ?? backends.find(rested)
    if (ready) return ready
    const [soonest] = backends.toSorted((a, b) => a.restUntilMs - b.restUntilMs)
    if (!soonest) throw new RpcError('rejected', 'no RPC endpoint is configured')
    await clock.sleep(soonest.restUntilMs - nowMs, signal)
    return soonest
  }

  function note(backend: Backend, error: RpcError): void {
    if (error.kind === 'transient' || error.kind === 'auth') {
      backend.failures += 1
      backend.refused ||= error.kind === 'auth'
      const restMs = error.kind === 'auth' && backends.length > 1 ? AUTH_REST_MS : pauseMs(backend.failures)
      backend.restUntilMs = clock.monotonicMs() + (error.hint.retryAfterMs ?? restMs)
    }
    if (error.kind === 'rate') {
      backend.failures += 1
      const waitMs = error.hint.retryAfterMs ?? Math.max(1000, pauseMs(backend.failures + 1))
      backend.limit.slow(waitMs)
      backend.restUntilMs = clock.monotonicMs() + waitMs
    }
    onTrouble?.({ endpoint: backend.endpoint.name, kind: error.kind, message: error.message })
  }

  async function inTurn<T>(backend: Backend, run: () => Promise<T>): Promise<T> {
    if (backend.inFlight >= concurrency) await new Promise<void>((resolve) => backend.waiting.push(resolve))
    else backend.inFlight += 1
    try {
      return await run()
    } finally {
      const next = backend.waiting.shift()
      if (next) next()
      else backend.inFlight -= 1
    }
  }

  /** One request; a fault of all its calls becomes the answer of each. */
  async function send(backend: Backend, calls: readonly Call[]): Promise<Answer[]> {
    const method = calls[0]?.method ?? ''
    try {
      const answers = await inTurn(backend, async () => {
        await backend.limit.take(calls.length, signal)
        return backend.endpoint.send(calls, signal)
      })
      const verified = answers.map((answer, i) => verify(backend.endpoint.name, calls[i], answer))
      if (!fitBatch(backend.batch, calls, verified)) backend.batch.grow(method)
      return verified
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const answers = calls.map((): Answer => ({ error }))
      // Perhaps it was too much at once.
      if (error.kind === 'transient' && calls.length > 1) backend.batch.shrink(method, calls.length)
      fitBatch(backend.batch, calls, answers)
      return answers
    }
  }

  /** One round over the open calls at one backend. */
  async function round(backend: Backend, calls: readonly Call[], open: readonly number[], answers: Answer[]) {
    const chunks = chunk(calls, open, backend.batch)
    await Promise.all(
      chunks.map(async (indices) => {
        const came = await send(
          backend,
          indices.flatMap((i) => calls[i] ?? []),
        )
        indices.forEach((index, k) => {
          const answer = came[k]
          if (answer) answers[index] = answer
        })
      }),
    )
    return settle(backend, open, answers)
  }

  /** Which calls have to be asked again, and what the backend is told for it. */
  function settle(backend: Backend, open: readonly number[], answers: readonly Answer[]) {
    const errors = new Map<RpcErrorKind, RpcError>()
    const again = open.filter((i) => {
      const error = answers[i]?.error
      if (!error) return false
      const elsewhere = error.kind === 'auth' && backends.some((other) => other !== backend && !other.refused)
      const once = error.kind === 'batch' || RETRYABLE.has(error.kind) || elsewhere
      if (once) errors.set(error.kind, error)
      return once
    })
    for (const error of errors.values()) note(backend, error)
    if (errors.size === 0 || again.length < open.length) {
      backend.limit.ease()
      backend.refused = false
      if (!errors.has('transient') && !errors.has('rate')) backend.failures = 0
    }
    return { again, kinds: new Set(errors.keys()) }
  }

  async function batch(calls: readonly Call[], rounds = attempts): Promise<Answer[]> {
    const answers: Answer[] = []
    const avoid = new Set<Backend>()
    let open = calls.map((_, i) => i)
    for (let failures = 0; open.length > 0; ) {
      if (signal?.aborted) throw new RpcError('aborted', 'the program is stopping')
      const backend = await choose(avoid)
      const { again, kinds } = await round(backend, calls, open, answers)
      if (again.length < open.length) failures = 0
      if (again.length > 0 && !(kinds.size === 1 && kinds.has('batch'))) {
        failures += 1
        avoid.add(backend)
        if (failures >= rounds * backends.length) break
        if (kinds.has('lagging') && avoid.size >= backends.length) await clock.sleep(pauseMs(failures), signal)
      }
      open = again
    }
    return answers
  }

  async function askOne(backend: Backend, call: Call): Promise<Answer> {
    for (let failures = 1; ; failures++) {
      const [answer = { error: new RpcError('transient', 'no answer') }] = await send(backend, [call])
      if (!answer.error || !RETRYABLE.has(answer.error.kind) || failures >= attempts) return answer
      note(backend, answer.error)
      await clock.sleep(Math.max(0, backend.restUntilMs - clock.monotonicMs()), signal)
    }
  }

  return {
    batch,
    ask: (call) =>
      Promise.all(
        backends.map(async (backend) => ({ endpoint: backend.endpoint.name, answer: await askOne(backend, call) })),
      ),
    async call(call) {
      const [answer] = await batch([call])
      if (!answer || answer.error) throw answer?.error ?? new RpcError('transient', 'no answer')
      return answer.result
    },
  }
}

/** A result that can't be true counts as the answer of a backend that lags. */
function verify(name: string, call: Call | undefined, answer: Answer): Answer {
  if (answer.error || !call?.accept || call.accept(answer.result)) return answer
  const said = answer.result === null ? 'null' : 'something that can not be true'
  return { error: new RpcError('lagging', `${name}: ${call.method} gave ${said}`) }
}

/** Faults that only the size of the batch explains: the calls stay open, and the next batch is smaller. Whether there were any. */
function fitBatch(size: BatchSize, calls: readonly Call[], answers: Answer[]): boolean {
  let tooMany = false
  answers.forEach((answer, i) => {
    const { error } = answer
    if (!error || (error.kind !== 'batch' && error.kind !== 'size')) return
    if (calls.length === 1) {
      if (error.kind === 'batch') answers[i] = { error: new RpcError('rejected', error.message) }
      return
    }
    if (!tooMany && error.kind === 'batch') size.refuse(calls.length)
    if (!tooMany && error.kind === 'size') size.shrink(calls[0]?.method ?? '', calls.length)
    tooMany = true
    answers[i] = { error: new RpcError('batch', error.message) }
  })
  return tooMany
}

/** The open calls cut into batches, each of one method. */
function chunk(calls: readonly Call[], open: readonly number[], size: BatchSize): number[][] {
  const chunks: number[][] = []
  let method: string | undefined
  for (const index of open) {
    const last = chunks.at(-1)
    const next = calls[index]?.method
    if (last && next === method && last.length < size.sizeOf(method ?? '')) last.push(index)
    else chunks.push([index])
    method = next
  }
  return chunks
}
