// A connection to the mail server that sends one mail after another. Its owner can cut it at any moment: a server that
// sends a byte now and then would otherwise hold a sender for hours.
import { connect, type Socket } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'

export interface LaneOptions {
  url: string
  /** Of each step: the connection, the greeting, each answer. */
  timeoutMs: number
  /** Of a whole delivery. */
  deadlineMs: number
  dkim?: { domainName: string; keySelector: string; privateKey: string; headerFieldNames: string }
}

export interface Lane {
  /** Whether it may be used again. */
  isOpen(): boolean
  send(mail: SendMailOptions): Promise<{ response: string }>
  close(): void
}

type SocketCallback = (error: Error | null, found?: { connection: Socket }) => void

interface Address {
  host?: string
  port?: number
  secure?: boolean
}

/** Connects; `done` gets the connection, or the fault. */
function openSocket({ host = 'localhost', port, secure }: Address, timeoutMs: number, done: SocketCallback): Socket {
  // A mail is many small writes: with Nagle's algorithm the last one waits 40 ms for the server to confirm the earlier
  // ones.
  const opened = connect({ host, port: Number(port) || (secure ? 465 : 587), noDelay: true })
  // Data that has arrived is read before a timeout counts: the process may have paused, not the server.
  const end = () => {
    if (opened.connecting) opened.destroy(tooLong('the connection'))
  }
  const timer = setTimeout(() => setImmediate(end), timeoutMs)
  const fail = (error: Error) => {
    clearTimeout(timer)
    done(error)
  }
  opened.once('error', fail)
  opened.once('connect', () => {
    clearTimeout(timer)
    opened.off('error', fail)
    done(null, { connection: opened })
  })
  return opened
}

/** A lane; it connects when it is first used. */
export function createLane({ url, timeoutMs, deadlineMs, dkim }: LaneOptions): Lane {
  let socket: Socket | undefined
  let isCut = false

  const getSocket = (address: Address, done: SocketCallback) => {
    socket = openSocket(address, timeoutMs, done)
  }
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    getSocket: getSocket as never,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim }),
  })
  const cut = () => {
    isCut = true
    socket?.destroy()
    transport.close()
  }
  return {
    isOpen: () => !isCut,
    send: async (mail) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(tooLong('the delivery'))
          cut()
        }, deadlineMs)
      })
      const sent = transport.sendMail(mail)
      // When the lane is cut, nobody waits for the rest of the delivery.
      sent.catch(() => {})
      return Promise.race([sent, late]).finally(() => clearTimeout(timer))
    },
    close: cut,
  }
}

const tooLong = (what: string): Error => Object.assign(new Error(`${what} took too long`), { code: 'ETIMEDOUT' })
