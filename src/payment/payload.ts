// Pure. The header PAYMENT-SIGNATURE of a payer: its authorization, and every fault of it against the terms.
import { hash } from 'node:crypto'
import { type Address, type Hash, parseAddress } from '../base/address.ts'
import { type Fault, invalid } from '../base/errors.ts'
import { parseJson, propertiesOf } from '../base/json.ts'
import { toPrintable } from '../base/printable.ts'
import type { PaymentTerms } from './terms.ts'

/** The name of the header. */
export const SIGNATURE_HEADER = 'payment-signature'
/** The most characters of the header; the official client sends about 1,400. */
const MOST_CHARS = 4_096
/** An authorization must last as long, so that its transfer can still be mined. */
const LEAST_SECONDS = 6
/** The longest time that an authorization may last, so that its row need not stay for ever. */
const MOST_SECONDS = 3_600
const MOST_UINT = 2n ** 256n - 1n

/** What a payer signed, by EIP-3009. Times are in seconds since 1970, and the value is in units of the token. */
export interface Authorization {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hash
}

export interface Payload {
  authorization: Authorization
  /** 65 bytes: r, s and v. */
  signature: `0x${string}`
  accepted: { scheme: string; network: string; amount: string; asset: string; payTo: string }
  /** The whole header as JSON. */
  sent: object
  /** The SHA-256 of the header. */
  hash: Buffer
}

/** Reads the header. Throws INVALID_PARAMS with every fault of its form. */
export function readPayload(header: string): Payload {
  if (header.length > MOST_CHARS)
    throw malformed([['', `has ${header.length} characters, and must have at most ${MOST_CHARS}`]])
  const sent = parseJson(Buffer.from(header, 'base64').toString('utf8'))
  if (typeof sent !== 'object' || sent === null)
    throw malformed([['', 'must be JSON in base64: a PaymentPayload of x402 version 2']])
  const root = propertiesOf(sent)
  const payload = propertiesOf(root.payload)
  const own = propertiesOf(payload.authorization)
  const faults: [string, string][] = []
  const at = <Value>(path: string, value: Value | null, must: string): Value | null => {
    if (value === null) faults.push([path, `must be ${must}`])
    return value
  }
  const address = (name: string) =>
    at(`${OWN}.${name}`, parseAddress(textOf(own[name])), 'an address: 0x and 40 digits')
  const number = (name: string) =>
    at(`${OWN}.${name}`, toUint(own[name]), 'a whole number below 2^256, as text: "1000"')
  at('x402Version', root.x402Version === 2 ? 2 : null, '2')
  const [from, to] = [address('from'), address('to')]
  const [value, validAfter, validBefore] = [number('value'), number('validAfter'), number('validBefore')]
  const nonce = at(`${OWN}.nonce`, bytesOf(own.nonce, 32), '32 bytes: 0x and 64 digits')
  const signature = at(
    'payload.signature',
    bytesOf(payload.signature, 65),
    '65 bytes of an ordinary account: 0x and 130 digits',
  )
  if (faults.length > 0 || !from || !to || !nonce || !signature) throw malformed(faults)
  if (value === null || validAfter === null || validBefore === null) throw malformed(faults)
  const accepted = propertiesOf(root.accepted)
  const accept = (name: string) => toPrintable(textOf(accepted[name])).slice(0, 100)
  return {
    authorization: { from, to, value, validAfter, validBefore, nonce },
    signature,
    accepted: {
      scheme: accept('scheme'),
      network: accept('network'),
      amount: accept('amount'),
      asset: accept('asset').toLowerCase(),
      payTo: accept('payTo').toLowerCase(),
    },
    sent,
    hash: hash('sha256', header, 'buffer'),
  }
}

const OWN = 'payload.authorization'
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isHexDigits = (text: string): text is `0x${string}` => /^0x[0-9a-f]*$/.test(text)

/** Bytes of this number as hex in lower case; null for anything else. */
function bytesOf(value: unknown, bytes: number): `0x${string}` | null {
  const text = textOf(value).toLowerCase()
  return isHexDigits(text) && text.length === 2 + 2 * bytes ? text : null
}

function toUint(value: unknown): bigint | null {
  if (!/^\d{1,78}$/.test(textOf(value))) return null
  const number = BigInt(textOf(value))
  return number <= MOST_UINT ? number : null
}

const toFault = ([path, message]: readonly [string, string]): Fault => {
  const field = path === '' ? 'PAYMENT-SIGNATURE' : `PAYMENT-SIGNATURE.${path}`
  return { location: 'header', field, message: `${field} ${message}` }
}

const malformed = (faults: readonly [string, string][]) => invalid(faults.map(toFault))

/** A fault of the payment's own. */
export const faultAt = (path: string, message: string): Fault => toFault([path, message])

/** Every way in which the payment is not what the terms ask. */
export function findFaults({ accepted, authorization }: Payload, terms: PaymentTerms): Fault[] {
  const own: [string, string, string][] = [
    ['accepted.scheme', accepted.scheme, 'exact'],
    ['accepted.network', accepted.network, terms.network],
    ['accepted.asset', accepted.asset, terms.asset],
    ['accepted.payTo', accepted.payTo, terms.payTo],
    ['accepted.amount', accepted.amount, String(authorization.value)],
    [`${OWN}.to`, authorization.to, terms.payTo],
  ]
  return own
    .filter(([, is, must]) => is !== must)
    .map(([path, is, must]) => faultAt(path, `is ${is === '' ? 'missing' : is}, and must be ${must}`))
}

/** Every way in which a new payment is too small, too early or too late. `nowSeconds`: since 1970. */
export function findNewFaults({ authorization }: Payload, price: bigint, nowSeconds: number): Fault[] {
  const { value, validAfter, validBefore } = authorization
  const now = BigInt(Math.floor(nowSeconds))
  const faults: Fault[] = []
  if (value < price) faults.push(faultAt(`${OWN}.value`, `is ${value}, and this request costs ${price}`))
  if (validAfter > now) faults.push(faultAt(`${OWN}.validAfter`, `is ${validAfter}, and must not be after now, ${now}`))
  const [first, last] = [now + BigInt(LEAST_SECONDS), now + BigInt(MOST_SECONDS)]
  if (validBefore < first || validBefore > last)
    faults.push(faultAt(`${OWN}.validBefore`, `is ${validBefore}, and must be from ${first} to ${last}`))
  return faults
}
