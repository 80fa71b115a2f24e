// The attacker's client: requests through Node's HTTP client, and bytes on plain sockets. Everything is closed when the
// attack is over.
import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Tally } from './attack.ts'

export interface Ask {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Disconnects this long after the request was sent. */
  leaveAfterMs?: number
  /** The attacker's local address, in 127.0.0.0/8. */
  from?: string
  /** Use a new connection. */
  fresh?: boolean
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface Client {
  /** Returns the answer, or null; the outcome (status, `closed`, `left` or `silent`) is tallied. */
  ask(ask: Ask): Promise<Answer | null>
  /** POST /graphql with a key. */
  graphql(key: string, document: object): Promise<Answer | null>
  /** Opens a plain connection; with `isRead` the status lines that come back are tallied. */
  open(options?: { isRead?: boolean; from?: string }): Promise<Socket | null>
  /** Writes bytes on a new connection and reads until it ends or `forMs` is over. */
  send(bytes: string | Buffer, options?: { forMs?: number; from?: string }): Promise<string>
  close(): void
}

/** A request without an answer after this time is tallied as `silent`. */
const PATIENCE_MS = 12_000
/** The most characters kept of an answer's body. */
const KEPT_BYTES = 2_000_000

const ignore = () => {}

export function createClient(origin: string, tally: Tally): Client {
  const url = new URL(origin)
  const isTls = url.protocol === 'https:'
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: false })
    : new HttpAgent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const place = { host: url.hostname, port: Number(url.port) }

  const ask = ({ method = 'GET', path, headers = {}, body, leaveAfterMs, from, fresh }: Ask) =>
    new Promise<Answer | null>((resolve) => {
      const options: RequestOptions = {
        ...place,
        method,
        path,
        headers,
        timeout: PATIENCE_MS,
        agent: fresh ? false : agent,
        ...(from ? { localAddress: from } : {}),
      }
      let [bytes, text, done] = [0, '', false]
      const end = (what: string, answer: Answer | null = null) => {
        if (done) return
        done = true
        tally.add(what, bytes, text)
        resolve(answer)
      }
      const request = isTls ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options)
      request.on('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (text.length < KEPT_BYTES) text += chunk.toString('latin1')
        })
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          end(String(status), { status, headers, body: text })
        })
        response.on('error', () => end('closed'))
        response.on('close', () => end('closed'))
      })
      request.on('upgrade', (_, socket) => {
        socket.destroy()
        end('101')
      })
      // An answer that came before the body was sent frees the connection, which may then be reset.
      request.on('socket', (socket) => socket.off('error', ignore).on('error', ignore))
      request.on('timeout', () => {
        end('silent')
        request.destroy()
      })
      request.on('error', () => end(leaveAfterMs === undefined ? 'closed' : 'left'))
      request.on('close', () => end('closed'))
      request.end(body)
      if (leaveAfterMs !== undefined)
        setTimeout(() => {
          end('left')
          request.destroy()
        }, leaveAfterMs)
    })

  const open = ({ isRead = true, from }: { isRead?: boolean; from?: string } = {}) =>
    new Promise<Socket | null>((resolve) => {
      const local = from ? { localAddress: from } : {}
      const socket = isTls
        ? connectTls({ ...place, ...local, rejectUnauthorized: false })
        : connect({ ...place, ...local })
      sockets.add(socket)
      let tail = ''
      const ready = isTls ? 'secureConnect' : 'connect'
      socket.once(ready, () => resolve(socket))
      socket.on('error', () => tally.add('closed'))
      socket.on('close', () => {
        sockets.delete(socket)
        resolve(null)
      })
      if (!isRead) return
      socket.on('data', (chunk: Buffer) => {
        const text = tail + chunk.toString('latin1')
        let last = 0
        for (const match of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          tally.add(match[1] ?? '')
          last = match.index + match[0].length
        }
        tail = text.slice(Math.max(last, text.length - 12))
      })
    })

  return {
    ask,
    graphql: (key, document) =>
      ask({
        method: 'POST',
        path: '/graphql',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(document),
      }),
    open,
    send: async (bytes, { forMs = 3_000, from } = {}) => {
      const socket = await open(from ? { from } : {})
      if (!socket) return ''
      let said = ''
      socket.on('data', (chunk: Buffer) => {
        if (said.length < KEPT_BYTES) said += chunk.toString('latin1')
      })
      socket.write(bytes)
      await Promise.race([
        new Promise<void>((resolve) => socket.once('close', () => resolve())),
        new Promise<void>((resolve) => setTimeout(resolve, forMs)),
      ])
      socket.destroy()
      return said
    },
    close: () => {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The head of a request as sent on the wire. */
export const head = (method: string, path: string, headers: Record<string, string> = {}): string =>
  [`${method} ${path} HTTP/1.1`, 'host: x', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
    .join('\r\n')
    .concat('\r\n\r\n')
