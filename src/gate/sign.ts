// Signs answers of the gate, so that a bot can prove later what it was told. Input: a secret of 32 bytes, and a JSON
// object. Output: a JWS in compact form (RFC 7515) by Ed25519 (RFC 8037), and the public key as a set (RFC 7517).
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** The path of the public key. */
export const KEYS_PATH = '/.well-known/jwks.json'

/** The most characters of a signed answer: its calls may lay code over addresses. */
export const MAX_SIGNED = 17_000_000

export interface PublicKey {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'EdDSA'
  use: 'sig'
  kid: string
  x: string
}

export interface Signer {
  sign(payload: object): string
  key: PublicKey
}

/** A PKCS #8 key of Ed25519 is this and its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function createSigner(secret: Uint8Array): Signer {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  const header = encode({ alg: 'EdDSA', kid, typ: 'assay-gate+jws' })
  return {
    key: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x },
    sign(payload) {
      const text = `${header}.${encode(payload)}`
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
    },
  }
}

/** The signed object; null unless one of the keys signed exactly this text. */
export function readSigned(jws: string, keys: readonly PublicKey[]): unknown {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.')
  if (more.length > 0) return null
  try {
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
    const key = keys.find((each) => each.kid === kid)
    if (alg !== 'EdDSA' || !key) return null
    const isSigned = verify(null, Buffer.from(`${header}.${payload}`), toKey(key), Buffer.from(signature, 'base64url'))
    return isSigned ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : null
  } catch {
    return null
  }
}

const toKey = ({ kty, crv, x }: PublicKey): KeyObject => createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
