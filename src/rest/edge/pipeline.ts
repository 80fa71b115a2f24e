// Answers one request of a connection at a time. A client may pipeline thousands of requests, and Node emits them all
// at once. Here a bounded number wait behind the first, and they are dropped when the client disconnects.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Bounds } from './bounds.ts'
import { isStream } from './stream.ts'
import type { Traffic } from './traffic.ts'

interface Work {
  request: IncomingMessage
  response: ServerResponse<IncomingMessage>
  startedMs: number
}

/** A connection that has sent a request, and its queue. */
interface Line {
  socket: Socket
  current: Work | null
  waiting: Work[]
}

export interface Pipeline {
  /** The server's request listener. */
  take(request: IncomingMessage, response: ServerResponse<IncomingMessage>): void
  /** The response that a connection is waiting for, if any. */
  currentOf(socket: object): ServerResponse | undefined
  /** Closes the connections whose answer takes longer than `answerMs`. */
  closeSlow(): void
  /** Adds `connection: close` to running answers whose headers are not sent yet. */
  closeAfterAnswers(): void
  /** Queues new requests until `resume`. */
  pause(): void
  resume(): void
}

export interface PipelineDeps {
  answer: RequestListener
  traffic: Traffic
  clock: Clock
  bounds: Pick<Bounds, 'waitingPerConnection' | 'answerMs'>
}

/** Creates a pipeline in front of the handler `answer`. */
export function createPipeline({ answer, traffic, clock, bounds }: PipelineDeps): Pipeline {
  const lines = new WeakMap<object, Line>()
  const busy = new Set<Line>()
  const paused = new Set<Line>()
  let isPaused = false

  const begin = (line: Line, work: Work) => {
    line.current = work
    busy.add(line)
    traffic.inFlight += 1
    work.startedMs = clock.monotonicMs()
    if (traffic.isLeaving) work.response.setHeader('connection', 'close')
    work.response.once('close', () => {
      line.current = null
      busy.delete(line)
      traffic.inFlight -= 1
      proceed(line)
    })
    answer(work.request, work.response)
  }
  const proceed = (line: Line) => {
    if (isGone(line.socket)) line.waiting.length = 0
    if (line.waiting.length === 0) return
    if (isPaused) return void paused.add(line)
    const work = line.waiting.shift()
    if (work) begin(line, work)
  }
  return {
    take(request, response) {
      const { socket } = request
      if (isGone(socket)) return
      const line = lines.get(socket) ?? { socket, current: null, waiting: [] }
      lines.set(socket, line)
      const work = { request, response, startedMs: 0 }
      if (!line.current && !isPaused) return begin(line, work)
      if (line.waiting.length < bounds.waitingPerConnection) {
        line.waiting.push(work)
        if (!line.current) paused.add(line)
        return
      }
      line.waiting.length = 0
      traffic.refuse('pipelined')
      socket.destroy()
    },
    currentOf: (socket) => lines.get(socket)?.current?.response,
    closeSlow: () => closeSlow(busy, traffic, clock.monotonicMs() - bounds.answerMs),
    closeAfterAnswers: () => closeAfterAnswers(busy),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      for (const line of paused) if (!line.current) proceed(line)
      paused.clear()
    },
  }
}

/** Closes connections whose answer began before this time; streams may last. */
function closeSlow(busy: ReadonlySet<Line>, traffic: PipelineDeps['traffic'], before: number): void {
  for (const { socket, current } of busy) {
    if (!current || current.startedMs > before || isStream(current.response)) continue
    traffic.refuse('slow')
    socket.destroy()
  }
}

/** Connections with an answer that has not begun close after it. */
function closeAfterAnswers(busy: ReadonlySet<Line>): void {
  for (const { current } of busy) {
    if (current && !current.response.headersSent) current.response.setHeader('connection', 'close')
  }
}

/** Whether nothing can be sent on the connection any more. */
const isGone = (socket: Socket): boolean => socket.destroyed || !socket.writable
