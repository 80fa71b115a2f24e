// A raw TCP client that sends any bytes, and records the answer and the end of the connection.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawClient {
  socket: Socket
  /** The text received so far. */
  received(): string
  /** Resolves when the connection is closed, with the error's code if there was one. */
  closed: Promise<string | undefined>
}

/** Connects to a server's URL and sends the text. */
export async function connectRaw(url: string, text = ''): Promise<RawClient> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let code: string | undefined
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code
  })
  const closed = new Promise<string | undefined>((resolve) => socket.once('close', () => resolve(code)))
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return { socket, received: () => received, closed }
}

/** The number of HTTP answers in a text. */
export const countAnswers = (text: string): number => text.split('HTTP/1.1 ').length - 1
