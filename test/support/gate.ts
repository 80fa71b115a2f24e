// A TCP proxy in front of the database that can cut connections, or fall silent like a network that drops packets.
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'

export interface Gate {
  /** The database's URL through the gate. */
  url: string
  /** Closes all connections and refuses new ones until `open`. */
  cut(): void
  open(): Promise<number>
  /** Drops all data in both directions, also on new connections, until `resume`. */
  hold(): void
  resume(): void
  /** Lets new connections through again; the held ones stay silent. */
  resumeNew(): void
  /** The number of connections that the program has open. */
  countConnections(): number
}

/** A gate that is open. */
export async function startGate(url: string): Promise<Gate> {
  const target = new URL(url)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  const place = folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: target.hostname, port }
  const pairs = new Set<readonly [Socket, Socket]>()
  let isHeld = false
  const server = createServer((socket) => {
    const pair = [socket, openSocket(place)] as const
    const [, behind] = pair
    pairs.add(pair)
    socket
      .on('error', () => {})
      .on('close', () => {
        pairs.delete(pair)
        behind.destroy()
      })
    behind.on('error', () => {}).on('close', () => socket.destroy())
    if (!isHeld) connect(pair)
  })
  const listen = (at = 0) =>
    new Promise<number>((resolve) =>
      server.listen(at, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  const own = await listen()
  target.host = `127.0.0.1:${own}`
  target.search = ''
  return {
    url: target.href,
    open: () => listen(own),
    cut: () => {
      server.close()
      for (const [socket] of pairs) socket.destroy()
    },
    hold: () => {
      isHeld = true
      for (const [socket, behind] of pairs) {
        socket.unpipe(behind).pause()
        behind.unpipe(socket).pause()
      }
    },
    resume: () => {
      // A second pipe would send every byte twice.
      if (!isHeld) return
      isHeld = false
      for (const pair of pairs) connect(pair)
    },
    resumeNew: () => {
      isHeld = false
    },
    countConnections: () => pairs.size,
  }
}

function connect([socket, behind]: readonly [Socket, Socket]): void {
  socket.pipe(behind)
  behind.pipe(socket)
}
