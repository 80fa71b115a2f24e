// Payments inside transactions, from the node's traces. Input: blocks and their logs. Output: the payments of each block.
// Blocks whose chain logs payments are not asked for. A fault that may pass is thrown, so that the block is read again.
// A block whose traces stay away goes on without them, because a missing link delays nothing; a notice says so.
import type { Clock } from '../../base/clock.ts'
import { parseJson, propertiesOf } from '../../base/json.ts'
import type { LogsByBlock } from '../logs/assemble.ts'
import type { RawBlock } from '../raw.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import { ofBlock, RETRYABLE, RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { isExcessive } from '../rpc/shape.ts'
import { createLack, type Lack, type OnNotice } from '../rpc/trouble.ts'
import { hasCalls, TRACE_METHODS, type TracedPayments, type TraceMethod } from './trace-answer.ts'

/** The traced payments of each block that has any, by its number. */
type PaymentsByBlock = ReadonlyMap<number, TracedPayments>

export type ReadTraces = (blocks: readonly RawBlock[], logs: LogsByBlock) => Promise<PaymentsByBlock>

export interface TraceReaderOptions {
  rpc: Rpc
  clock: Pick<Clock, 'monotonicMs'>
  onNotice: OnNotice
}

/** Blocks whose traces are asked for at once: some megabytes each. */
const AT_ONCE = 4
/** Readings of a block with a fault that may pass, before it goes on without its traces. */
const TRIES = 3
/** Blocks in a row whose traces came, after which the provider counts as one that has them again. */
const WHOLE_AGAIN = 100
/** How long a node that knows no method is not asked. */
const ASK_AGAIN_MS = 600_000
/** A contract may call 1,024 deep, and each call is an object in a list. */
const MOST_DEPTH = 2_200
/** Blocks whose tries are remembered. */
const MOST_FAILED = 1_000
/** Faults that pass at all endpoints alike: the block waits. */
const WAITING: ReadonlySet<string> = new Set(['rate', 'foreign'])

/** What an answer told, read before its bytes are given back. */
class Told {
  readonly payments: TracedPayments | null
  constructor(payments: TracedPayments | null) {
    this.payments = payments
  }
}

interface State extends TraceReaderOptions {
  /** Null: not found yet. */
  method: TraceMethod | null
  offUntilMs: number
  isOffTold: boolean
  /** The first known block of a chain that logs payments. */
  loggedFrom: number
  lack: Lack
  failed: Map<number, number>
}

export function createTraceReader(options: TraceReaderOptions): ReadTraces {
  const state: State = {
    ...options,
    method: null,
    offUntilMs: Number.NEGATIVE_INFINITY,
    isOffTold: false,
    loggedFrom: Number.POSITIVE_INFINITY,
    lack: createLack(WHOLE_AGAIN),
    failed: new Map(),
  }
  return async (blocks, logs) => {
    for (const { number } of blocks)
      if (number < state.loggedFrom && logsPayments(logs, number)) state.loggedFrom = number
    const found = new Map<number, TracedPayments>()
    const asked = blocks.filter((block) => block.number < state.loggedFrom && hasCalls(block))
    while (asked.length > 0 && state.clock.monotonicMs() >= state.offUntilMs) {
      // The first answer shows which method the node knows.
      const some = asked.splice(0, state.method ? AT_ONCE : 1)
      const read = await Promise.all(some.map((block) => readBlock(state, block)))
      for (const [at, { number }] of some.entries()) {
        const payments = read[at]
        if (payments && payments.size > 0) found.set(number, payments)
      }
    }
    return found
  }
}

const logsPayments = (logs: LogsByBlock, number: number): boolean =>
  (logs.get(number) ?? []).some(({ answer, from, to }) => answer.has('native_transfer', from, to))

async function readBlock(state: State, block: RawBlock): Promise<TracedPayments | null> {
  let error = NO_ANSWER.error
  let isKnown = state.method !== null
  for (const method of state.method ? [state.method] : TRACE_METHODS) {
    const answer = await ask(state.rpc, method, block)
    if (isAnswered(answer)) return note(state, method, block, readAnswer(answer.result, method, block))
    error = answer.error
    if (error.kind === 'aborted' || WAITING.has(error.kind)) throw ofBlock(error, block.number)
    if (error.kind !== 'unsupported' && error.kind !== 'rejected' && error.kind !== 'auth') isKnown = true
  }
  if (!isKnown) return turnOff(state, error)
  return goOn(state, block, error)
}

/** One provider's answer; where it refuses, that of any other one. */
async function ask(rpc: Rpc, method: TraceMethod, block: RawBlock): Promise<RpcAnswer> {
  const call = callOf(method, block)
  const [answer = NO_ANSWER] = await rpc.batch([call])
  if (isAnswered(answer) || RETRYABLE.has(answer.error.kind) || answer.error.kind === 'aborted') return answer
  const others = await rpc.ask(call, 1)
  const accepted = others.find((other) => isAnswered(other.answer) && call.accept?.(other.answer.result))
  return accepted?.answer ?? answer
}

const callOf = (method: TraceMethod, block: RawBlock): Call => ({
  method: method.method,
  params: method.params(block),
  accept: (result) => readAnswer(result, method, block) !== null,
  scan: (body) => scan(body, method, block),
})

const readAnswer = (result: unknown, { read }: TraceMethod, block: RawBlock): TracedPayments | null =>
  result instanceof Told ? result.payments : read(result, block)

/** Reads the payments out of the body. A refusal is left to whoever reads errors. */
function scan(body: Buffer, { method, read }: TraceMethod, block: RawBlock): Told | undefined {
  if (isExcessive(body, MOST_DEPTH))
    throw new RpcError('size', `${method}: the answer nests too deep, or has too many calls`)
  const { result } = propertiesOf(parseJson(body.toString('latin1')))
  return result === undefined ? undefined : new Told(read(result, block))
}

function note(
  state: State,
  method: TraceMethod,
  { number }: RawBlock,
  payments: TracedPayments | null,
): TracedPayments | null {
  state.method = method
  state.failed.delete(number)
  if (state.lack.isWhole()) state.onNotice(`traces come again: they did for ${WHOLE_AGAIN} blocks in a row`, true)
  if (state.isOffTold) state.onNotice(`traces are read by ${method.method} from block ${number} on`, true)
  state.isOffTold = false
  return payments
}

function turnOff(state: State, { message }: RpcError): null {
  state.offUntilMs = state.clock.monotonicMs() + ASK_AGAIN_MS
  const names = TRACE_METHODS.map(({ method }) => method).join(', ')
  if (!state.isOffTold)
    state.onNotice(
      `TRACES is on, but RPC_URL answers none of ${names}: payments inside transactions are unknown (${message})`,
    )
  state.isOffTold = true
  return null
}

/** Throws a fault that may pass, but not again and again for one block. */
function goOn(state: State, { number }: RawBlock, error: RpcError): null {
  const tries = (state.failed.get(number) ?? 0) + 1
  if (RETRYABLE.has(error.kind) && tries < TRIES) {
    if (state.failed.size >= MOST_FAILED) state.failed.clear()
    state.failed.set(number, tries)
    throw ofBlock(error, number)
  }
  state.failed.delete(number)
  if (state.lack.lacks())
    state.onNotice(
      `the traces of block ${number} did not come: the payments inside its transactions are unknown, and those of later blocks may be too (${error.message})`,
    )
  return null
}
