// Calls to a chain through one or several providers. Input: calls. Output: one answer per call. A temporary fault is
// retried, at another provider if there is one. Any other fault goes to the caller, which can split the request.
import type { Clock } from '../../base/clock.ts'
import { type Backend, createBackend } from './backend.ts'
import {
  type Call,
  createHttpEndpoint,
  type Endpoint,
  type HttpEndpointOptions,
  NO_ANSWER,
  type RpcAnswer,
} from './endpoint.ts'
import { RETRYABLE, RpcError, type RpcErrorKind } from './error.ts'
import { reportSent, type SentRequest } from './sent.ts'
import type { Spell, Trouble } from './trouble.ts'

export interface Rpc {
  /** The result of one call; throws an `RpcError`. */
  call(call: Call): Promise<unknown>
  /** One answer per call, in order. Provider faults are answers, not throws. `attempts` overrides the option. */
  batch(calls: readonly Call[], attempts?: number): Promise<RpcAnswer[]>
  /** As `batch`, in one request if the provider takes batches of several methods, and without a second attempt. */
  together(calls: readonly Call[]): Promise<RpcAnswer[]>
  /** Each endpoint's own answer to one call, even from an endpoint that pauses. `attempts` overrides the option. */
  ask(call: Call, attempts?: number): Promise<{ endpoint: string; answer: RpcAnswer }[]>
}

export interface RpcOptions extends HttpEndpointOptions {
  /** In order of preference. */
  urls?: readonly string[]
  /** Used instead of `urls`. */
  endpoints?: readonly Endpoint[]
  /** Endpoints of other chains are not used. Undefined: endpoints are not checked. */
  chainId?: number
  clock: Clock
  signal?: AbortSignal
  /** Consecutive rounds without progress, per endpoint, before a retryable fault goes to the caller. */
  attempts?: number
  /** Maximum number of requests in flight per endpoint. */
  concurrency?: number
  onTrouble?: (trouble: Trouble) => void
  /** Gets every request, before it is sent. */
  onSent?: ((sent: SentRequest) => void) | undefined
  /** An endpoint begins to fail for longer than a moment, or works again. */
  onSpell?: ((spell: Spell) => void) | undefined
  /** Source of the jitter: uniform in [0, 1). */
  random?: () => number
}

const FIRST_REST_MS = 250
const LONGEST_REST_MS = 15_000

interface RpcState {
  clock: Clock
  signal: AbortSignal | undefined
  /** Rounds of a batch over all backends. */
  attempts: number
  backends: Backend[]
  pauseMs: (failures: number) => number
}

/** Exponential back-off. Half of the pause is random, so that clients do not all return at the same time. */
const pauseMs = (failures: number, random: () => number): number =>
  Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.max(0, failures - 1)) * (0.5 + random() / 2)

/** The first available backend at which this batch has not just failed. Waits if all are pausing. */
async function choose(rpc: RpcState, avoid: Set<Backend>): Promise<Backend> {
  if (avoid.size >= rpc.backends.length) avoid.clear()
  const nowMs = rpc.clock.monotonicMs()
  const rested = (backend: Backend) => backend.restUntilMs() <= nowMs
  const ready = rpc.backends.find((backend) => !avoid.has(backend) && rested(backend)) ?? rpc.backends.find(rested)
  if (ready) return ready
  const [soonest] = rpc.backends.toSorted((a, b) => a.restUntilMs() - b.restUntilMs())
  if (!soonest) throw new RpcError('rejected', 'no RPC endpoint is configured')
  await rpc.clock.sleep(soonest.restUntilMs() - nowMs, rpc.signal)
  return soonest
}

/** Sends the open calls to one backend. */
async function round(
  rpc: RpcState,
  backend: Backend,
  { calls, isMixed }: Asked,
  open: readonly number[],
  answers: RpcAnswer[],
): Promise<{ again: number[]; kinds: Set<RpcErrorKind> }> {
  const chunks = chunk(calls, open, backend, isMixed)
  await Promise.all(
    chunks.map(async (indices) => {
      const came = await backend.send(indices.flatMap((i) => calls[i] ?? []))
      indices.forEach((index, k) => {
        const answer = came[k]
        if (answer) answers[index] = answer
      })
    }),
  )
  return settle(rpc, backend, open, answers)
}

/** Finds the calls to repeat, and reports faults and successes to the backend. */
function settle(
  rpc: RpcState,
  backend: Backend,
  open: readonly number[],
  answers: readonly RpcAnswer[],
): { again: number[]; kinds: Set<RpcErrorKind> } {
  const errors = new Map<RpcErrorKind, RpcError>()
  const faulty = open.filter((i) => {
    const error = answers[i]?.error
    const isFault = error && (error.kind === 'batch' || error.kind === 'auth' || RETRYABLE.has(error.kind))
    if (isFault) errors.set(error.kind, error)
    return isFault
  })
  for (const error of errors.values()) backend.note(error)
  const kinds = new Set(errors.keys())
  if (faulty.length < open.length) backend.praise(kinds)
  const elsewhere = rpc.backends.some((other) => other !== backend && !other.isRefused())
  return { again: faulty.filter((i) => answers[i]?.error?.kind !== 'auth' || elsewhere), kinds }
}

async function askAll(rpc: RpcState, asked: Asked, rounds: number): Promise<RpcAnswer[]> {
  const { calls } = asked
  const answers: RpcAnswer[] = []
  const avoid = new Set<Backend>()
  let open = calls.map((_, i) => i)
  for (let failures = 0; open.length > 0; ) {
    if (rpc.signal?.aborted) throw new RpcError('aborted', 'the program is stopping')
    const backend = await choose(rpc, avoid)
    const { again, kinds } = await round(rpc, backend, asked, open, answers)
    if (again.length < open.length) failures = 0
    if (again.length > 0 && !(kinds.size === 1 && kinds.has('batch'))) {
      failures += 1
      avoid.add(backend)
      if (failures >= rounds * rpc.backends.length) break
      if (kinds.has('lagging') && avoid.size >= rpc.backends.length)
        await rpc.clock.sleep(rpc.pauseMs(failures), rpc.signal)
    }
    open = again
  }
  return answers
}

const batch = (rpc: RpcState, calls: readonly Call[], rounds = rpc.attempts): Promise<RpcAnswer[]> =>
  askAll(rpc, { calls, isMixed: false }, rounds)

async function askOne(rpc: RpcState, backend: Backend, call: Call, tries: number): Promise<RpcAnswer> {
  for (let failures = 1; ; failures++) {
    const [answer = NO_ANSWER] = await backend.send([call])
    if (!answer.error || !RETRYABLE.has(answer.error.kind) || failures >= tries) return answer
    backend.note(answer.error)
    await rpc.clock.sleep(Math.max(0, backend.restUntilMs() - rpc.clock.monotonicMs()), rpc.signal)
  }
}

/** An rpc that uses the first endpoint in the list that is not pausing. */
export function createRpc(options: RpcOptions): Rpc {
  const { clock, signal, chainId, attempts = 6, concurrency = 8, random = Math.random } = options
  const { onTrouble, onSpell, onSent } = options
  const given = options.endpoints ?? (options.urls ?? []).map((url) => createHttpEndpoint(url, options))
  const endpoints = onSent ? given.map((endpoint) => reportSent(endpoint, onSent)) : given
  const pause = (failures: number) => pauseMs(failures, random)
  const backends = endpoints.map((endpoint) =>
    createBackend({
      endpoint,
      chainId,
      clock,
      signal,
      concurrency,
      isOnly: endpoints.length === 1,
      pauseMs: pause,
      onTrouble,
      onSpell,
    }),
  )
  const rpc: RpcState = { clock, signal, attempts, backends, pauseMs: pause }
  return {
    batch: (calls, rounds) => batch(rpc, calls, rounds),
    together: (calls) => askAll(rpc, { calls, isMixed: true }, 1),
    ask: (call, tries = rpc.attempts) =>
      Promise.all(
        rpc.backends.map(async (backend) => ({
          endpoint: backend.name,
          answer: await askOne(rpc, backend, call, tries),
        })),
      ),
    async call(call) {
      const [answer = NO_ANSWER] = await batch(rpc, [call])
      if (answer.error) throw answer.error
      return answer.result
    },
  }
}

interface Asked {
  calls: readonly Call[]
  /** Calls of several methods share a request. */
  isMixed: boolean
}

/** Splits the open calls into batches, of one method each unless they may be mixed. */
function chunk(calls: readonly Call[], open: readonly number[], backend: Backend, isMixed: boolean): number[][] {
  const chunks: number[][] = []
  let method: string | undefined
  for (const index of open) {
    const last = chunks.at(-1)
    const next = calls[index]?.method
    if (last && (isMixed || next === method) && last.length < backend.sizeOf(method ?? '')) last.push(index)
    else chunks.push([index])
    method = next
  }
  return chunks
}
