// Hands a connection's data to Node's parser slice by slice, and closes a connection with too much data in one request.
// Node alone parses up to 64 KB, or 1,800 small requests, before it looks at the connection again. That takes 34 ms on
// every connection that an attacker opens, even one that was closed at its first request.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Room for 60 small requests. A usual request is one slice. */
const SLICE_BYTES = 2_048

/** `mostBytes`: the most bytes of one request before the connection is closed and `onTooMuch` is called. */
export function createSlices(mostBytes: number, onTooMuch: () => void) {
  /** Bytes of each connection since its last request began. */
  const sent = new WeakMap<object, number>()
  return {
    /** Listens for requests before the app's listener. */
    begin: ({ socket }: IncomingMessage): void => void sent.set(socket, 0),
    /** Lets Node parse the connection's data, and nothing more once the connection is closed. */
    parse: (socket: Socket): void => {
      // Node's parser listens for data, although it reads from the handle while nobody else listens.
      const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[]
      if (!parse) return
      socket.off('data', parse)
      socket.on('data', (chunk: Buffer) => {
        for (let at = 0; at < chunk.length && !socket.destroyed; at += SLICE_BYTES) {
          const slice = chunk.subarray(at, at + SLICE_BYTES)
          const bytes = (sent.get(socket) ?? 0) + slice.length
          if (bytes > mostBytes) {
            onTooMuch()
            socket.destroy()
            return
          }
          sent.set(socket, bytes)
          parse.call(socket, slice)
        }
      })
    },
  }
}
