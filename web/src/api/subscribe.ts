// Follows a subscription as server-sent events over fetch, which unlike EventSource can send a key in a header.
// Connects again after a break, from the last cursor. A refusal ends it, unless the reader has other variables to try.
import { onChain } from '../chain.ts'
import { retryDelay } from './backoff.ts'
import type { Document } from './graphql.ts'
import { key } from './key.ts'

/** A stream that lasted this long did not fail at once. */
const STEADY_MS = 60_000
/** More than any message; a server that never ends one is abandoned. */
const LONGEST_MESSAGE = 1_000_000

interface Following<R> {
  onData(data: R): void
  /** Whether messages come as they happen. */
  onLive(isLive: boolean): void
  /** The server refused these variables; returns whether the reader has other ones. */
  onRefused(): boolean
}

/** `toVariables` is called before each connection. Returns a function that stops it. */
export function subscribe<R, V>(
  document: Document<R, V>,
  toVariables: () => V,
  { onData, onLive, onRefused }: Following<R>,
): () => void {
  const ending = new AbortController()
  const run = async () => {
    for (let tries = 0; !ending.signal.aborted; tries += 1) {
      const response = await connect(document, toVariables(), ending.signal).catch(() => null)
      if (ending.signal.aborted) return
      const isRefused = response !== null && response.status < 500 && response.status !== 429
      if (response?.ok && response.body) {
        const since = performance.now()
        onLive(true)
        await read(response.body, onData).catch(() => {})
        onLive(false)
        if (performance.now() - since > STEADY_MS) tries = 0
      } else if (isRefused && !onRefused()) return
      // A place that a reader has just left may be free a moment later, despite the server's refusal.
      const toldSeconds = tries === 0 ? 0 : Number(response?.headers.get('retry-after'))
      await wait(retryDelay(tries, Math.random(), toldSeconds), ending.signal)
    }
  }
  void run()
  return () => ending.abort()
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

const connect = (document: unknown, variables: unknown, signal: AbortSignal): Promise<Response> =>
  fetch(onChain('/graphql'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${key.value ?? ''}`,
    },
    body: JSON.stringify({ query: document, variables }),
    signal,
  })

/** Hands on the data of each message; resolves when the stream ends. */
async function read<R>(body: ReadableStream<Uint8Array>, onData: (data: R) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const messages = (text + value).split('\n\n')
    text = messages.pop() ?? ''
    if (text.length > LONGEST_MESSAGE) return reader.cancel()
    for (const message of messages) {
      const line = message.split('\n').find((part) => part.startsWith('data: '))
      if (!line || !message.includes('event: next')) continue
      const { data } = JSON.parse(line.slice(6)) as { data?: R | null }
      if (data) onData(data)
    }
  }
}
