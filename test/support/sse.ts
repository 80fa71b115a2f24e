// A reader of server-sent events over a plain HTTP connection, which a test can stop reading and close at will.
import { request } from 'node:http'
import { onTestFinished } from 'vitest'

export interface SseMessage {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a message is whatever the server sent; each test says what it expects.
  data: any
}

export interface SseReader {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The messages with data so far. */
  messages: SseMessage[]
  /** The newest `id`, which a browser sends when it connects again. */
  lastId(): string
  /** All that came, as text. */
  text(): string
  pause(): void
  resume(): void
  close(): void
  /** Resolves when the server has closed the stream. */
  closed: Promise<void>
}

export interface ReadOptions {
  headers?: Record<string, string>
  method?: string
  body?: string
}

/** Connects, and reads until the test is over. */
export function readSse(url: string, { headers = {}, method = 'GET', body }: ReadOptions = {}): Promise<SseReader> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { accept: 'text/event-stream', ...headers }, agent: false },
      (response) => {
        let text = ''
        let rest = ''
        let lastId = ''
        const messages: SseMessage[] = []
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          const parts = (rest + chunk).split('\n\n')
          rest = parts.pop() ?? ''
          for (const part of parts) {
            const field = (name: string) =>
              part
                .split('\n')
                .find((line) => line.startsWith(`${name}:`))
                ?.slice(name.length + 1)
                .trim()
            lastId = field('id') ?? lastId
            const data = field('data')
            if (data === undefined) continue
            messages.push({
              id: lastId,
              event: field('event') ?? 'message',
              data: data === '' ? null : JSON.parse(data),
            })
          }
        })
        const closed = new Promise<void>((done) => response.once('close', () => done()))
        response.on('error', () => {})
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          messages,
          lastId: () => lastId,
          text: () => text,
          pause: () => void response.pause(),
          resume: () => void response.resume(),
          close: () => sent.destroy(),
          closed,
        })
      },
    )
    sent.on('error', reject)
    onTestFinished(() => void sent.destroy())
    sent.end(body)
  })
}
