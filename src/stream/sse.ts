// Server-sent events as text, and a response that sends them. Each batch is sent when the previous one has left, with a
// heartbeat between them. Unread data is never buffered here.
import type { ServerResponse } from 'node:http'
import { endOf, StreamEnd } from './message.ts'

/** The longest silence of a stream; proxies close a connection that is silent for a minute. */
export const HEARTBEAT_MS = 15_000
/** After this time a browser connects again. */
const RETRY_MS = 3_000
/**
 * After this time a browser takes the place of the stream that replaced its own. Opening costs a request, as an hour of
 * a stream does, so two readers in one place cost what one of them would.
 */
export const REPLACED_RETRY_MS = 3_600_000
/** How long the last message waits for a reader who does not read. */
const LINGER_MS = 5_000

/** The headers of a stream: no cache, no compression and no proxy may hold it back. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  vary: 'Authorization, Accept',
} as const

interface Message {
  id?: string
  event?: string
  /** One line of JSON. */
  data: string
  /** Milliseconds after which a browser connects again. */
  retry?: number
}

/**
 * One message. Its `data` comes before its `id`, because many clients take an `id` as soon as its line is there. They
 * would skip a message whose data a broken connection cut off.
 */
export const toSse = ({ id, event, data, retry }: Message): string =>
  `${[
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${data}`,
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
  ].join('\n')}\n\n`

/** The content of a stream. */
export interface Sending {
  /** Batches of whole messages. */
  batches: AsyncIterable<string>
  /** The reader's place after the sent messages; null: there is no such place. */
  resume(): string | null
  /** The last message. */
  toEnd(end: StreamEnd, resume: string | null): string
}

/** Sends until the batches end or the signal is aborted, then sends the reason and closes. Never rejects. */
export async function sendStream(
  response: ServerResponse,
  { batches, resume, toEnd }: Sending,
  signal: AbortSignal,
  { onFault, heartbeatMs }: { onFault(error: unknown): void; heartbeatMs: number },
): Promise<void> {
  const toMark = () => {
    const id = resume()
    return id === null ? '' : `id: ${id}\n`
  }
  response.write(`retry: ${RETRY_MS}\n${toMark()}: welcome\n\n`)
  let isMarked = resume() !== null
  let isIdle = true
  const texts = batches[Symbol.asyncIterator]()
  /** A function of its own: a loop would keep the last text while it waits. Returns whether the stream goes on. */
  const sendNext = async (): Promise<boolean> => {
    const { done, value: text } = await texts.next()
    if (done || signal.aborted) return false
    // The first place, as soon as it is known: without one a reader could not come back.
    const first = isMarked ? '' : toMark()
    if (text === '' && first === '') return true
    if (text === '') response.write(`${first}: begun\n\n`)
    isMarked ||= first !== ''
    isIdle = false
    if (text !== '' && !response.write(text)) await untilDrained(response, signal)
    return true
  }
  const heart = setInterval(() => {
    // The heartbeat has the place, so that a reader whose filter matches seldom need not read everything again.
    if (isIdle && !response.writableNeedDrain) response.write(`${toMark()}: heartbeat\n\n`)
    isIdle = true
  }, heartbeatMs)
  try {
    for (let isOpen = true; isOpen; ) isOpen = await sendNext()
  } catch (error) {
    // What fails while the stream ends has the reason of the end.
    if (!signal.aborted) {
      if (!(error instanceof StreamEnd)) onFault(error)
      finish(response, toEnd(error instanceof StreamEnd ? error : new StreamEnd('failed'), resume()))
    }
  } finally {
    clearInterval(heart)
    await Promise.resolve(texts.return?.()).catch(onFault)
  }
  const end = endOf(signal)
  if (end) finish(response, toEnd(end, resume()))
  else if (!response.writableEnded) response.end()
}

function finish(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  response.end(text)
  const timer = setTimeout(() => response.destroy(), LINGER_MS)
  response.once('close', () => clearTimeout(timer))
}

const untilDrained = (response: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted || !response.writableNeedDrain) return resolve()
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.on('drain', done)
    signal.addEventListener('abort', done)
  })
