// Addresses and hashes as the whole program spells them: lower-case hex with 0x. Checksums are not enforced.

/** An EVM address in lower case: `0x` and 40 hex digits. */
export type Address = `0x${string}` & { readonly brand: 'address' }

/** A block or transaction hash in lower case: `0x` and 64 hex digits. */
export type Hash = `0x${string}`

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The zero address, from which tokens are minted and to which they are burned. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000' as Address

/** The address in lower case, or null when the text is not an address. */
export function parseAddress(text: string): Address | null {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : null
}

const POOL_KEY = /^0x([0-9a-f]{40}|[0-9a-f]{64})(-[0-9a-fx]{1,42}-[0-9a-fx]{1,42})?$/

/**
 * The key of a pool or its share token: an address or 32 bytes, and for a pool of many coins two of them. Throws a
 * `TypeError` for anything else.
 */
export function toPoolKey(text: string): Address {
  if (!POOL_KEY.test(text)) throw new TypeError(`not an address or 32 bytes: ${text.slice(0, 80)}`)
  return text as Address
}

/**
 * The address in lower case; throws a `TypeError` for anything else. Use it for values that the program itself wrote.
 */
export function toAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new TypeError(`not an address: ${text.slice(0, 50)}`)
  return address
}
