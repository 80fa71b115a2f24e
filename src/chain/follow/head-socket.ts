// Hears of new blocks over a WebSocket: `eth_subscribe` to `newHeads`. Input: the URL of a node. Output: its blocks,
// told to a bell. A broken connection is opened again, after 1 to 60 seconds. Everything that the node sends is untrusted.
import WebSocket from 'ws'
import type { Clock } from '../../base/clock.ts'
import { codeOf, parseJson } from '../../base/json.ts'
import { type Link, readLink } from '../raw.ts'
import type { ToldBell } from './bell.ts'

export interface HeadSocketOptions {
  /** `ws:` or `wss:`; a user and password in it are sent as basic authentication. */
  url: string
  bell: ToldBell
  clock: Clock
  /** Closes the connection for good. */
  signal: AbortSignal
  /** Gets a sentence when the node stops being heard, and when it is heard again. */
  onNotice(text: string): void
  /** A connection that is silent for longer is replaced. */
  silentMs?: number
}

const SILENT_MS = 60_000
const HANDSHAKE_MS = 10_000
/** Headers have under 4 KB. */
const MAX_MESSAGE_BYTES = 64 * 1024
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 60_000]
const SUBSCRIBE = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }

/** Listens until the signal aborts. Never rejects. */
export async function listenToHeads(options: HeadSocketOptions): Promise<void> {
  const { url, bell, clock, signal, onNotice } = options
  const name = new URL(url).host
  let pauseMs = SHORTEST_PAUSE_MS
  /** Null before the first connection has told or failed. */
  let wasHeard: boolean | null = null
  const note = (isHeard: boolean, text: string) => {
    if (wasHeard !== isHeard) onNotice(`${name} ${text}`)
    wasHeard = isHeard
  }
  while (!signal.aborted) {
    const reason = await hear(options, (head) => {
      pauseMs = SHORTEST_PAUSE_MS
      bell.tell(head)
      note(true, 'tells of new blocks')
    })
    bell.hush()
    if (signal.aborted) return
    note(false, `tells of no new blocks (${reason}): they are looked for by time until it does`)
    await clock.sleep(pauseMs, signal)
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)
  }
}

/** Listens on one connection until it ends. Resolves to the reason, which has nothing of the node's own text. */
function hear({ url, signal, silentMs = SILENT_MS }: HeadSocketOptions, onHead: (head: Link) => void): Promise<string> {
  return new Promise((resolve) => {
    const limits = { handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false }
    const socket = new WebSocket(url, limits)
    let reason = 'the connection ended'
    const end = (why: string) => {
      reason = why
      socket.terminate()
    }
    const silence = setTimeout(() => end(`silent for ${silentMs / 1000} s`), silentMs)
    const stop = () => end('the program is stopping')
    signal.addEventListener('abort', stop)
    socket.on('open', () => socket.send(JSON.stringify(SUBSCRIBE)))
    socket.on('message', (data) => {
      silence.refresh()
      const message = parseJson(String(data)) as Message | null | undefined
      const head = readLink(message?.params?.result)
      if (head) onHead(head)
      else if (message?.error) end('it refused the subscription')
    })
    socket.on('error', (error) => {
      reason = codeOf(error) || reason
    })
    socket.on('close', () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      resolve(reason)
    })
  })
}

interface Message {
  error?: unknown
  params?: { result?: unknown } | null
}
