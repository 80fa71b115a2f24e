// Reads a chain in its own thread: the same source and reader, called by messages. Input: the chain's location. Output:
// source, reader and preset. Errors in the thread are thrown here with their own class.
import { openThread } from '../../base/thread.ts'
import { RpcError } from '../rpc/error.ts'
import type { SentRequest } from '../rpc/sent.ts'
import type { OnNotice, Spell, Trouble } from '../rpc/trouble.ts'
import type { Connected } from './connect.ts'
import {
  type FromThread,
  type QuestionName,
  type Questions,
  receiveError,
  type ThreadData,
  type ToThread,
} from './message.ts'

export interface ThreadOptions extends ThreadData {
  onTrouble(trouble: Trouble): void
  /** See `RpcOptions`. */
  onSent?: ((sent: SentRequest) => void) | undefined
  onSpell?: ((spell: Spell) => void) | undefined
  onNotice?: OnNotice | undefined
  /** Stops reading and ends the thread. */
  signal: AbortSignal
}

/**
 * The young generation fits a few ranges, which is all that the thread holds. A larger one makes V8 collect less often,
 * so that waiting buffers outside the heap trigger full collections. A smaller one makes V8 collect in the middle of a
 * range.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

/** Starts the thread and connects; throws the same errors as `connectChain`. */
export async function connectInThread({
  urls,
  override,
  historyFiles,
  receiptsShare,
  hasTraces,
  ...listening
}: ThreadOptions): Promise<Connected> {
  const { ask, rangeSize } = startThread({ urls, override, historyFiles, receiptsShare, hasTraces }, listening)
  return {
    ...(await ask('connect')),
    demo: null,
    source: {
      readHead: () => ask('readHead'),
      readTip: (next, count) => ask('readTip', next, count),
      readFinalized: (head) => ask('readFinalized', head),
      readLinks: (numbers) => ask('readLinks', numbers),
      rangeSize,
      readRange: (from, to) => ask('readRange', from, to),
      readWindow: (from, to) => ask('readWindow', from, to),
    },
    reader: {
      readTokens: (addresses, block) => ask('readTokens', addresses, block),
      readPools: (addresses, block) => ask('readPools', addresses, block),
      readBalances: (questions, block) => ask('readBalances', questions, block),
      readAccounts: (addresses, block) => ask('readAccounts', addresses, block),
    },
  }
}

interface Waiting {
  resolve(value: never): void
  reject(error: Error): void
}

type Listening = Pick<ThreadOptions, 'onTrouble' | 'onSent' | 'onSpell' | 'onNotice' | 'signal'>

function startThread(data: ThreadData, { onTrouble, onSent, onSpell, onNotice, signal }: Listening) {
  const worker = openThread(import.meta.url, 'serve', { workerData: data, resourceLimits: LIMITS })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let rangeSize = 1
  let ended: Error | null = null

  const send = (message: ToThread) => worker.postMessage(message)
  /** Lets the program exit when no question is open. */
  const rest = () => {
    if (waiting.size > 0) return
    worker.unref()
    if (signal.aborted) void worker.terminate()
  }
  const end = (error: Error) => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  const receive = (message: FromThread) => {
    if ('trouble' in message) return onTrouble(message.trouble)
    if ('sent' in message) return onSent?.(message.sent)
    if ('spell' in message) return onSpell?.(message.spell)
    if ('notice' in message) return onNotice?.(message.notice, message.isOver)
    rangeSize = message.rangeSize
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if ('fault' in message) asked?.reject(receiveError(message.fault))
    else asked?.resolve(message.value as never)
    rest()
  }

  worker.on('message', receive)
  worker.on('error', end)
  worker.on('exit', () => end(new RpcError('aborted', 'the chain thread has ended')))
  const stop = () => {
    send({ stop: true })
    rest()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })

  return {
    rangeSize: () => rangeSize,
    ask: <Name extends QuestionName>(name: Name, ...args: Parameters<Questions[Name]>) =>
      new Promise<ReturnType<Questions[Name]>>((resolve, reject) => {
        if (ended) return reject(ended)
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        worker.ref()
        send({ id, name, args })
      }),
  }
}
