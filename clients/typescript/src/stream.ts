// A stream as an async iterator: server-sent events over fetch. It continues by itself after a lost
// connection, from its last id.
import type { components } from './openapi.ts'
import { type Query, send, type Transport } from './request.ts'

/** An event, or the retraction of one whose block was rolled back. */
export type StreamedEvent = components['schemas']['StreamedEvent']

/** What became of a list of tokens: take away `left` and `placed`, then put `placed` in their places, the lowest first. */
export type ScreenUpdate = components['schemas']['ScreenUpdate']

/** The server ended the stream for a reason for which connecting again would not help. */
export class StreamEnded extends Error {
  override name = 'StreamEnded'
  readonly reason: string
  /** The place where a later stream can continue. */
  readonly resume: string | undefined

  constructor({ reason, message, resume }: components['schemas']['StreamEnd']) {
    super(message)
    this.reason = reason
    this.resume = resume ?? undefined
  }
}

/** A message of more characters is refused: it is none of ours. */
const MOST_CHARACTERS = 1_000_000
/** After these the same stream can continue at once. */
const PASSING = new Set(['leaving', 'failed', 'slow'])
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

interface Message {
  event: string
  data: string
  id: string | undefined
}

/** Yields messages until `signal` is aborted, or the chain is past the end that the query names. `after` is an id that the stream had. */
export async function* follow<Value>(
  transport: Transport,
  path: string,
  query: Query,
  { after, signal }: { after?: string | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Value, void, undefined> {
  let last = after
  let failures = 0
  while (!signal?.aborted) {
    try {
      const response = await send(transport, {
        path,
        query: { ...query, after: last },
        headers: { accept: 'text/event-stream' },
        signal,
        streams: true,
      })
      // Every event up to the end of the query was sent before.
      if (response.status === 204) return
      for await (const message of readMessages(response, transport.silenceMs)) {
        failures = 0
        if (message.event === 'end') {
          const end = JSON.parse(message.data) as components['schemas']['StreamEnd']
          last = end.resume ?? last
          if (end.reason === 'done') return
          if (!PASSING.has(end.reason)) throw new StreamEnded(end)
          break
        }
        if (message.data !== '') yield JSON.parse(message.data) as Value
        last = message.id ?? last
      }
    } catch (error) {
      if (signal?.aborted) return
      // A refusal, after its tries, is for the caller; a broken connection continues.
      if (!isBroken(error)) throw error
    }
    failures += 1
    await transport.sleep(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS), signal)
  }
}

/** The stream was silent for too long. */
class Silence extends Error {}

const isBroken = (error: unknown): boolean => error instanceof TypeError || error instanceof Silence

/** The promise's value; throws `Silence` if that takes too long. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence(`The stream was silent for ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Splits the body into messages, by the HTML standard. */
async function* readMessages(response: Response, silenceMs: number): AsyncGenerator<Message, void, undefined> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs)
      if (done) return
      const blocks = (rest + value).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      if (rest.length > MOST_CHARACTERS) throw new Error('The stream sent a message that is too long.')
      for (const block of blocks) yield toMessage(block)
    }
  } finally {
    // A silent connection may never report that it is closed.
    void reader.cancel().catch(() => {})
  }
}

function toMessage(block: string): Message {
  const data: string[] = []
  let event = 'message'
  let id: string | undefined
  for (const line of block.split(/\r?\n/)) {
    const [, name, text = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') data.push(text)
    else if (name === 'event') event = text
    else if (name === 'id') id = text
  }
  return { event, data: data.join('\n'), id }
}
