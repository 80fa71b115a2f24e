// Hands what a connection sends to Node's parser, slice by slice, and closes a connection that sends too much of one request.
// Node by itself parses what it read, up to 64 KB or 1,800 small requests, before it looks at the connection again: 34 ms per
// connection that was closed at its first request, on every connection that an attacker opens.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Room for 60 small requests. A usual request is one slice. */
const SLICE_BYTES = 2_048

/** `mostBytes`: of one request's body, and what comes with it, before the connection is closed and `onTooMuch` is called. */
export function createSlices(mostBytes: number, onTooMuch: () => void) {
  /** Bytes that each connection has sent since its last request began. */
  const sent = new WeakMap<object, number>()
  return {
    /** Listens for requests, before whoever answers them. */
    begin: ({ socket }: IncomingMessage): void => void sent.set(socket, 0),
    /** Lets Node parse what comes in over the connection, and nothing more once the connection is closed. */
    parse: (socket: Socket): void => {
      // Node's parser listens for data, though it takes them from the handle while nobody else listens.
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
