// One endpoint and its learnt limits: request rate, batch size, and pauses. Input: calls, and the faults of earlier
// ones. Output: answers, each checked by its call's `accept`. `rpc.ts` decides which endpoint gets a call.
import type { Clock } from '../../base/clock.ts'
import type { Call, Endpoint, RpcAnswer } from './endpoint.ts'
import { RpcError, type RpcErrorKind } from './error.ts'
import { createIdentity } from './identity.ts'
import { type BatchSize, createBatchSize, createRateLimit } from './limit.ts'
import { createSpells, type Spell, type Trouble } from './trouble.ts'
import { createWording } from './wording.ts'

export interface BackendOptions {
  endpoint: Endpoint
  /** The chain that the endpoint must serve; undefined for any chain. */
  chainId?: number | undefined
  clock: Clock
  signal?: AbortSignal | undefined
  /** Maximum number of requests in flight. */
  concurrency: number
  /** There is no other endpoint, so a refused key causes only a short pause. */
  isOnly: boolean
  pauseMs(failures: number): number
  onTrouble?: ((trouble: Trouble) => void) | undefined
  onSpell?: ((spell: Spell) => void) | undefined
}

export interface Backend {
  name: string
  /** Maximum number of calls of this method in one request. */
  sizeOf(method: string): number
  /** Sends one request. A fault of the whole request becomes the answer to each call. */
  send(calls: readonly Call[]): Promise<RpcAnswer[]>
  /** Pauses and slows down as the fault requires. */
  note(error: RpcError): void
  /** Call it after each answer. `kinds`: the faults in the same round. */
  praise(kinds: ReadonlySet<RpcErrorKind>): void
  /** Do not use the endpoint before this time of the monotonic clock. */
  restUntilMs(): number
  /** The endpoint refused the key and has answered nothing since. */
  isRefused(): boolean
}

/** After these faults the endpoint rests. */
const RESTING: ReadonlySet<RpcError['kind']> = new Set<RpcError['kind']>(['transient', 'auth', 'rate', 'foreign'])
/** A refused key or a URL of another chain is not fixed within seconds. */
const LONG_REST_MS = 60_000

/** The pauses of an endpoint after faults: longer with each fault, until it answers. */
function createRest(
  { clock, isOnly, pauseMs }: Pick<BackendOptions, 'clock' | 'isOnly' | 'pauseMs'>,
  limit: ReturnType<typeof createRateLimit>,
) {
  let untilMs = 0
  let failures = 0
  let refused = false
  return {
    untilMs: () => untilMs,
    isRefused: () => refused,
    begin(kind: RpcError['kind'], hint: RpcError['hint']): void {
      failures += 1
      refused ||= kind === 'auth'
      const isLong = kind === 'auth' || kind === 'foreign'
      const restMs = isLong && !isOnly ? LONG_REST_MS : pauseMs(failures)
      const waitMs = hint.retryAfterMs ?? (kind === 'rate' ? Math.max(1000, restMs) : restMs)
      if (kind === 'rate') limit.slow(waitMs)
      untilMs = clock.monotonicMs() + waitMs
    },
    /** It accepts the key. */
    answered(): void {
      refused = false
    },
    end(): void {
      failures = 0
    },
  }
}

/** A backend for the endpoint; no limit is known at first. */
export function createBackend(options: BackendOptions): Backend {
  const { endpoint, clock, signal, isOnly, pauseMs, onTrouble } = options
  const spells = createSpells(clock, (spell) => options.onSpell?.(spell))
  const limit = createRateLimit(clock)
  const size = createBatchSize()
  const wording = createWording()
  const identity = createIdentity(endpoint, options.chainId, signal)
  const inTurn = createTurns(options.concurrency)
  const rest = createRest({ clock, isOnly, pauseMs }, limit)

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
      // The batch may have been too large for the endpoint.
      const mayBeSize = error.kind === 'transient' || error.kind === 'rate'
      if (mayBeSize && calls.length > 1) size.shrink(method, calls.length)
      fitBatch(size, calls, answers)
      return answers
    }
  }

  return {
    name: endpoint.name,
    sizeOf: (method) => Math.min(size.sizeOf(method), limit.most()),
    restUntilMs: rest.untilMs,
    isRefused: rest.isRefused,
    send: (calls) => wording.ask(calls, exchange),
    note(error) {
      const { kind, hint } = error
      if (RESTING.has(kind)) rest.begin(kind, hint)
      const trouble = { endpoint: endpoint.name, kind, message: error.message }
      spells.fault(trouble)
      onTrouble?.(trouble)
    },
    praise(kinds) {
      rest.answered()
      limit.hear()
      if (!kinds.has('rate')) limit.ease()
      if (kinds.has('transient') || kinds.has('rate')) return
      rest.end()
      spells.answered()
    },
  }
}

/** Runs at most `concurrency` tasks at once; the others wait in order. */
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

/** An impossible result counts as `lagging`, because the backend may not have the block yet. */
function verify(name: string, call: Call | undefined, answer: RpcAnswer): RpcAnswer {
  if (answer.error || !call?.accept || call.accept(answer.result)) return answer
  const isNull = answer.result === null
  const said = isNull ? 'null' : 'a result that cannot be true'
  return { error: new RpcError('lagging', `${name}: ${call.method} returned ${said}`, { isNull }) }
}

/** Marks faults that a smaller batch may avoid, so that their calls are sent again. Returns whether there were any. */
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
