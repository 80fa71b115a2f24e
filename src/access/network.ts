// Pure. Whom a bad key is counted for. In: an address as a proxy's header or a socket says it. Out: a short text that can be
// the key of a map; whatever is no IP address never is.
import { isIP, SocketAddress } from 'node:net'

/** All that is known of a request's sender. */
export interface Sender {
  /** Who asks, by a trusted proxy's word or by the socket: as long and as wrong as a client makes it. */
  address: string
  /** The other end of the socket: the client or the proxy in front of it. */
  peer: string
}

/** Every sender without an address, such as that of a socket that is closed already. */
const UNKNOWN = 'unknown'

/** The networks of the one who asks and of the socket's other end. What is no address counts as the peer's. */
export function networksOf({ address, peer }: Sender): { client: string; peer: string } {
  const behind = networkOf(peer) ?? UNKNOWN
  return { client: networkOf(address) ?? behind, peer: behind }
}

/** The address itself for IPv4; the first 64 bits for IPv6, of which one customer has them all; null for what is neither. */
export function networkOf(address: string): string | null {
  const family = isIP(address)
  if (family === 0) return null
  if (family === 4) return address
  // The system's own spelling: lower case, no leading zeros, an IPv4 address inside as one.
  const [bare = ''] = address.split('%')
  const written = new SocketAddress({ address: bare, family: 'ipv6' }).address
  const mapped = /^::ffff:([\d.]+)$/.exec(written)?.[1]
  if (mapped) return mapped
  const [left = '', right = ''] = written.split('::')
  const groups = left.split(':').filter(Boolean)
  const tail = right.split(':').filter(Boolean)
  const zeros = written.includes('::') ? Math.max(8 - groups.length - tail.length, 0) : 0
  return `${[...groups, ...Array<string>(zeros).fill('0'), ...tail].slice(0, 4).join(':')}::/64`
}
