// Addresses and hashes as the whole house spells them: lower-case hex with 0x. On-chain checksums are not enforced.

/** An EVM address in lower case: `0x` and 40 hex digits. */
export type Address = `0x${string}` & { readonly brand: 'address' }

/** A block or transaction hash in lower case: `0x` and 64 hex digits. */
export type Hash = `0x${string}`

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The zero address: where tokens are minted from and burned to. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000' as Address

/** The address in lower case, or null where the text is none. */
export function parseAddress(text: string): Address | null {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : null
}

/** The address in lower case; throws a `TypeError` on anything else. For values that the program itself wrote. */
export function toAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new TypeError(`not an address: ${text.slice(0, 50)}`)
  return address
}
