// Limits the number of connections, in total and per address. A trusted proxy and this machine itself carry many
// clients; their connections count towards the total only.
import type { Socket } from 'node:net'
import { networkOf } from '../../access/network.ts'
import { AssayError } from '../../base/errors.ts'
import type { Bounds } from './bounds.ts'
import { toRawRefusal } from './malformed.ts'
import type { Refusal, Traffic } from './traffic.ts'

/** How long a refused client may take to read its answer. */
const LINGER_MS = 1_000
/** Counts every sender without an address, such as a socket that is closed already. */
const UNKNOWN = 'unknown'
/** At most this many refused connections wait for their client; further ones are closed at once. */
const MAX_LINGERING = 100

export interface ConnectionsOptions {
  traffic: Traffic
  bounds: Pick<Bounds, 'connections' | 'connectionsPerAddress'>
  /** Whether connections from this address count towards the total only. */
  isExempt(address: string): boolean
  /** Whether a refusal can be written. Over TLS it cannot, before the handshake. */
  speaks: boolean
}

/** Creates the handler for new connections, and keeps track of the open ones. */
export function createConnections({ traffic, bounds, isExempt, speaks }: ConnectionsOptions) {
  const open = new Set<Socket>()
  const byNetwork = new Map<string, number>()
  let lingering = 0
  let accepted = 0

  const refuse = (socket: Socket, kind: Refusal) => {
    traffic.refuse(kind)
    if (!speaks || lingering >= MAX_LINGERING) return void socket.destroy()
    lingering += 1
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => {
      lingering -= 1
      clearTimeout(timer)
    })
    socket.end(toRawRefusal(TOO_MANY))
  }
  return {
    accept(socket: Socket): void {
      accepted += 1
      const { remoteAddress = '' } = socket
      const network = isExempt(remoteAddress) ? null : (networkOf(remoteAddress) ?? UNKNOWN)
      const held = network === null ? 0 : (byNetwork.get(network) ?? 0)
      if (open.size >= bounds.connections) return void refuse(socket, 'connections')
      if (held >= bounds.connectionsPerAddress) return void refuse(socket, 'connections_per_address')
      open.add(socket)
      traffic.connections = open.size
      if (network !== null) byNetwork.set(network, held + 1)
      socket.once('close', () => {
        open.delete(socket)
        traffic.connections = open.size
        if (network === null) return
        const left = (byNetwork.get(network) ?? 1) - 1
        if (left > 0) byNetwork.set(network, left)
        else byNetwork.delete(network)
      })
    },
    /** The number of connections so far, including refused ones. */
    accepted: () => accepted,
    /** Closes connections that never sent anything. */
    closeUnused(): void {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

const TOO_MANY = new AssayError(
  'SERVICE_UNAVAILABLE',
  'There are too many connections: close some, or try again later.',
  {
    retryAfterSeconds: 5,
  },
)

/** Whether an address belongs to this machine (loopback). */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
