// One endpoint and how it is to be treated: how fast, how much at once, and when it rests. Comes in: calls, and faults that
// were met; goes out: answers, each checked against what its call accepts. Which endpoint is asked is decided elsewhere.
import type { Clock } from '../../base/clock.ts'
import type { Call, Endpoint, RpcAnswer } from './endpoint.ts'
import { RpcError, type RpcErrorKind } from './error.ts'
import { createIdentity } from './identity.ts'
import { type BatchSize, createBatchSize, createRateLimit } from './limit.ts'
import type { Trouble } from './trouble.ts'
import { createWording } from './wording.ts'

export interface BackendOptions {
  endpoint: Endpoint
  /** What it must serve; none: anything. */
  chainId?: number | undefined
  clock: Clock
  signal?: AbortSignal | undefined
  /** Requests in flight. */
  concurrency: number
  /** There is no other: a refused key makes no long rest. */
  isOnly: boolean
  pauseMs(failures: number): number
  onTrouble?: ((trouble: Trouble) => void) | undefined
}

export interface Backend {
  name: string
  /** Calls of the method that one request may hold. */
  sizeOf(method: string): number
  /** One request; a fault of all its calls becomes the answer of each. */
  send(calls: readonly Call[]): Promise<RpcAnswer[]>
  /** Rests and slows down as the fault asks for. */
  note(error: RpcError): void
  /** Something was answered; `kinds` are the faults beside it. */
  praise(kinds: ReadonlySet<RpcErrorKind>): void
  /** Not to be asked before this, on the monotonic clock. */
  restUntilMs(): number
  /** The key was refused, and nothing has been answered since. */
  isRefused(): boolean
  /** It serves another chain. */
  isForeign(): boolean
}

/** A refused key does not heal soon, nor does an address that leads to another chain. */
const LONG_REST_MS = 60_000

/** The endpoint with its limits, none of which is known at first. */
export function createBackend(options: BackendOptions): Backend {
  const { endpoint, clock, signal, isOnly, pauseMs, onTrouble } = options
  const limit = createRateLimit(clock)
  const size = createBatchSize()
  const wording = createWording()
  const identity = createIdentity(endpoint, options.chainId, signal)
  const inTurn = createTurns(options.concurrency)
  let restUntilMs = 0
  let failures = 0
  let refused = false

  async function exchange(calls: readonly Call[]): Promise<RpcAnswer[]> {
    const method = calls[0]?.method ?? ''
    try {
      const answers = await inTurn(async () => {
        await limit.take(calls.length, signal)
        const fault = await identity.check()
        if (fault) throw fault
        return endpoint.send(calls, signal)
      })
      const verified = answers.map((answer, i) => verify(endpoint.name, calls[i], answer))
      if (!fitBatch(size, calls, verified)) size.grow(method)
      return verified
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.kind === 'transient' || error.kind === 'auth') identity.doubt()
      const answers = calls.map((): RpcAnswer => ({ error }))
      // Perhaps it was too much at once.
      const mayBeSize = error.kind === 'transient' || error.kind === 'rate'
      if (mayBeSize && calls.length > 1) size.shrink(method, calls.length)
      fitBatch(size, calls, answers)
      return answers
    }
  }

  return {
    name: endpoint.name,
    sizeOf: size.sizeOf,
    restUntilMs: () => restUntilMs,
    isRefused: () => refused,
    isForeign: identity.isForeign,
    send: (calls) => wording.ask(calls, exchange),
    note(error) {
      const { kind, hint } = error
      if (kind === 'transient' || kind === 'auth' || kind === 'rate' || kind === 'foreign') {
        failures += 1
        refused ||= kind === 'auth'
        const isLong = kind === 'auth' || kind === 'foreign'
        const restMs = isLong && !isOnly ? LONG_REST_MS : pauseMs(failures)
        const waitMs = hint.retryAfterMs ?? (kind === 'rate' ? Math.max(1000, restMs) : restMs)
        if (kind === 'rate') limit.slow(waitMs)
        restUntilMs = clock.monotonicMs() + waitMs
      }
      onTrouble?.({ endpoint: endpoint.name, kind, message: error.message })
    },
    praise(kinds) {
      limit.ease()
      refused = false
      if (!kinds.has('transient') && !kinds.has('rate')) failures = 0
    },
  }
}

/** Runs at most so many at once; the others wait in order. */
function createTurns(concurrency: number) {
  const waiting: (() => void)[] = []
  let inFlight = 0
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (inFlight >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inFlight -= 1
    }
  }
}

/** A result that can't be true counts as the answer of a backend that lags. */
function verify(name: string, call: Call | undefined, answer: RpcAnswer): RpcAnswer {
  if (answer.error || !call?.accept || call.accept(answer.result)) return answer
  const said = answer.result === null ? 'null' : 'something that can not be true'
  return { error: new RpcError('lagging', `${name}: ${call.method} gave ${said}`) }
}

/** Faults that only the size of the batch explains: the calls stay open, and the next batch is smaller. Whether there were any. */
function fitBatch(size: BatchSize, calls: readonly Call[], answers: RpcAnswer[]): boolean {
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
