// Collects the calls that are asked at the same time, so that they share requests. Answers to reads are remembered.
// Calls that a shared request did not answer are asked alone.
import type { RpcCall } from '../report.ts'
import type { LastingAnswers } from './lasting.ts'
import { isRead, type Question, toQuestion } from './questions.ts'
import type { AskNode, BlockFacts, Reply } from './reply.ts'
import { createSharing, type Sharing, type SharingOptions } from './sharing.ts'

export interface CallBatcherOptions extends Omit<SharingOptions, 'known'> {
  block: BlockFacts
  /** The newest final block of the index. */
  finalized: number
  /** Answers of earlier checks. */
  lasting: LastingAnswers | undefined
}

export interface CallBatcher extends Pick<SharingOptions, 'known'>, Pick<Sharing, 'sharesTries'> {
  /** One reply per call, in order. A read is not asked again. */
  ask: AskNode
  /** Reads these along with the next calls, where that costs no request. */
  prepare(calls: readonly RpcCall[]): void
  /** A contract answers otherwise in a shared request: none is sent any more. */
  distrust(): void
  /** Remembers the answer to a read. */
  learn(reply: Reply): void
}

interface Waiter {
  resolve(reply: Reply): void
  reject(error: unknown): void
}

interface Waiting {
  call: RpcCall
  question: Question | null
  /** Empty: nobody waits for it, and it is not asked alone. */
  waiters: Waiter[]
}

interface BatcherState extends Pick<CallBatcherOptions, 'block' | 'finalized' | 'askAlone' | 'lasting'> {
  /** Answers to reads, by call. */
  answers: Map<string, Reply>
  sharing: Sharing
  /** Reads that wait for the next request, by call. */
  reads: Map<string, Waiting>
  others: Waiting[]
}

function learn(batcher: BatcherState, reply: Reply): void {
  if (reply.kind !== 'failed') batcher.answers.set(keyOf(reply.call), reply)
}

async function answer(batcher: BatcherState, list: readonly Waiting[]): Promise<void> {
  const shared = await batcher.sharing.ask(list)
  const alone = list.filter((each) => !shared.has(each) && each.waiters.length > 0)
  const replies = await batcher.askAlone(alone.map(({ call }) => call))
  const settle = ({ question, waiters }: Waiting, reply: Reply) => {
    if (question && isRead(question)) learn(batcher, reply)
    else batcher.lasting?.keep(reply, batcher.finalized)
    for (const { resolve } of waiters) resolve(reply)
  }
  for (const [each, reply] of shared) settle(each, reply)
  alone.forEach((each, at) => {
    const reply = replies[at]
    if (reply) settle(each, reply)
  })
}

/** Whatever is asked until the running code waits goes together. */
function flush(batcher: BatcherState): void {
  const list = [...batcher.reads.values(), ...batcher.others]
  batcher.reads = new Map()
  batcher.others = []
  answer(batcher, list).catch((error) => {
    for (const { waiters } of list) for (const { reject } of waiters) reject(error)
  })
}

function add(batcher: BatcherState, call: RpcCall, waiters: Waiter[]): void {
  const question = toQuestion(call, batcher.block.tag)
  const key = keyOf(call)
  const found = batcher.answers.get(key) ?? batcher.lasting?.find(call)
  if (found) {
    for (const { resolve } of waiters) resolve(found)
    return
  }
  if (batcher.reads.size + batcher.others.length === 0) setImmediate(() => flush(batcher))
  const same = batcher.reads.get(key)
  if (same) same.waiters.push(...waiters)
  else if (question && isRead(question)) batcher.reads.set(key, { call, question, waiters })
  else batcher.others.push({ call, question, waiters })
}

export function createCallBatcher({ lasting, ...options }: CallBatcherOptions): CallBatcher {
  const answers = new Map<string, Reply>()
  const known = (call: RpcCall) => answers.get(keyOf(call))
  const sharing = createSharing({ ...options, known })
  const batcher: BatcherState = { ...options, lasting, answers, sharing, reads: new Map(), others: [] }
  return {
    learn: (reply) => learn(batcher, reply),
    known,
    sharesTries: batcher.sharing.sharesTries,
    distrust: batcher.sharing.stop,
    prepare(calls) {
      if (batcher.sharing.isOn()) for (const call of calls) add(batcher, call, [])
    },
    ask: (calls) =>
      Promise.all(
        calls.map((call) => new Promise<Reply>((resolve, reject) => add(batcher, call, [{ resolve, reject }]))),
      ),
  }
}

const keyOf = ({ method, params }: RpcCall): string => JSON.stringify([method, params])
