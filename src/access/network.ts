// Pure. Maps a sender's address to the network for which invalid keys are counted. Only IP addresses become keys of a
// map, so keys stay short whatever a client puts into a header.
import { isIP, SocketAddress } from 'node:net'

/** The addresses of a request's sender. */
export interface Sender {
  /**
   * The client's address from a trusted proxy's header or the socket. A client may send any text of any length as the
   * header.
   */
  address: string
  /** The other end of the socket: the client, or the proxy in front of it. */
  peer: string
}

/** Stands for senders without an address, such as one whose socket is closed already. */
const UNKNOWN = 'unknown'

/**
 * The networks of the client and of the socket's other end. A client address that is not an IP address counts as the
 * peer's.
 */
export function networksOf({ address, peer }: Sender, groups?: number): { client: string; peer: string } {
  const behind = networkOf(peer, groups) ?? UNKNOWN
  return { client: networkOf(address, groups) ?? behind, peer: behind }
}

/** The neighbours of a network, as one provider has them: the /16 of IPv4, the /32 of IPv6. */
export function areaOf({ address, peer }: Sender): string {
  const network = networkOf(address, 2) ?? networkOf(peer, 2) ?? UNKNOWN
  return isIP(network) === 4 ? `${network.split('.').slice(0, 2).join('.')}.0.0/16` : network
}

/** An IPv4 address itself; the first `groups` of an IPv6 address; null for anything else. One customer holds all of a /64. */
export function networkOf(address: string, groups = 4): string | null {
  const family = isIP(address)
  if (family === 0) return null
  if (family === 4) return address
  // Node normalises the address: lower case, no leading zeros, IPv4-mapped addresses in dotted form.
  const [bare = ''] = address.split('%')
  const written = new SocketAddress({ address: bare, family: 'ipv6' }).address
  const mapped = /^::ffff:([\d.]+)$/.exec(written)?.[1]
  if (mapped) return mapped
  const [left = '', right = ''] = written.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = right.split(':').filter(Boolean)
  const zeros = written.includes('::') ? Math.max(8 - head.length - tail.length, 0) : 0
  return `${[...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, groups).join(':')}::/${16 * groups}`
}
