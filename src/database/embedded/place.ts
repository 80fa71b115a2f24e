// Where the server listens: a socket in a private folder. If sockets are unsupported or the path is too long, it is a
// port on the loopback interface. Both need the password, and other machines cannot connect.
import { createServer } from 'node:net'
import type { Cluster } from './cluster.ts'
import { NAME } from './cluster.ts'

/** The longest socket path that every system supports, in bytes. */
const SOCKET_PATH_BYTES = 100

export interface Place {
  /** Null: a socket. 0: no port chosen yet. */
  port: number | null
  /** The settings by PostgreSQL's names. */
  settings(): Record<string, string>
}

/** Chooses the place for a socket folder. */
export function placeOf(sockets: string, platform: string = process.platform): Place {
  if (platform !== 'win32' && Buffer.byteLength(`${sockets}/.s.PGSQL.5432`) <= SOCKET_PATH_BYTES) {
    return {
      port: null,
      settings: () => ({
        listen_addresses: '',
        port: '5432',
        unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
        unix_socket_permissions: '0700',
      }),
    }
  }
  const place: Place = {
    port: 0,
    settings: () => ({ listen_addresses: '127.0.0.1', port: `${place.port}`, unix_socket_directories: '' }),
  }
  return place
}

/** The connection URL with the password; libpq's tools accept it too. */
export function urlOf({ password, sockets }: Cluster, { port }: Place): string {
  if (port !== null) return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`
  return `postgres://${NAME}:${password}@localhost/${NAME}?host=${encodeURIComponent(sockets)}`
}

/** Returns the wanted port if it is free, otherwise any free one. */
export function findPort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', () => (wanted ? findPort(0).then(resolve, reject) : reject(new Error('no free port'))))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
