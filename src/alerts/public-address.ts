// Checks that a webhook reaches only addresses of the public internet. Every other address belongs to the operator's
// network, or stands for an address that does. A name is resolved once, and the connection goes to the checked address.
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether the name is this machine's (RFC 6761); a name may end with the dot of the root. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)

/** Looks a name up; gives up when the signal is aborted. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

export interface ResolveOptions {
  /** Addresses of name servers; default: those of the system. */
  servers?: readonly string[]
  /** How long a name server has for its first answer; a second try has longer. */
  timeoutMs?: number
}

/**
 * A look-up over the network that takes no thread: `dns.lookup` holds one of a few threads of the process until the name server
 * answers. The file of hosts is not read, so names of this machine are answered here.
 */
export const createResolve =
  ({ servers, timeoutMs = 2_000 }: ResolveOptions = {}): Resolve =>
  async (host, signal) => {
    if (isLocalName(host)) return [{ address: '127.0.0.1', family: 4 }]
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
      const found = (answer: PromiseSettledResult<string[]>, family: number) =>
        answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
      return [...found(four, 4), ...found(six, 6)]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** IPv6 addresses that are assigned to the public; all others are translated, local or reserved. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Services of a cloud for its own machines, at addresses that look public. */
const CLOUD_SERVICES = new Set([
  // Azure's wire server: metadata, certificates and the DNS of a virtual machine.
  '168.63.129.16',
])

/** Whether the address is one of the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || CLOUD_SERVICES.has(ipaddr.parse(text).toString())) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

const isLoopback = (text: string): boolean => ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback'

/** The address to connect to; null if the name has none, or any forbidden one. */
export async function pickAddress(
  host: string,
  resolve: Resolve,
  allowLoopback: boolean,
  signal: AbortSignal,
): Promise<LookupAddress | null> {
  const name = host.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const found = family ? [{ address: name, family }] : await resolve(name, signal)
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) || (allowLoopback && isLoopback(address))
  // A name with one private address among public ones is an attack, whichever comes first.
  return found.every(isAllowed) ? (found[0] ?? null) : null
}
