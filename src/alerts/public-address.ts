// Which addresses a webhook may reach: those of the public internet. Everything else belongs to the operator's network, or
// stands for an address that does. A name is resolved once, and the connection goes to the address that was checked.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Looks a name up. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

export const resolveHost: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** IPv6 addresses that are given out to the public; what lies outside is translated, local or reserved. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Whether the address is one of the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

const isLoopback = (text: string): boolean => ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback'

/** The address to connect to; null when the name has none, or any that may not be reached. */
export async function pickAddress(
  host: string,
  resolve: Resolve,
  allowLoopback: boolean,
): Promise<LookupAddress | null> {
  const name = host.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const found = family ? [{ address: name, family }] : await resolve(name)
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) || (allowLoopback && isLoopback(address))
  // A name with one private address among public ones is a trap, whichever comes first.
  return found.every(isAllowed) ? (found[0] ?? null) : null
}
