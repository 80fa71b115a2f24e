// The signature of an answer: who has the public key can tell that nobody changed it.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner, readSigned } from '../../src/gate/sign.ts'

const secretOf = (text: string) => createHash('sha256').update(text).digest()
const signer = createSigner(secretOf('one'))
const other = createSigner(secretOf('two'))
const ANSWER = { decision: 'review', token: `0x${'ab'.repeat(20)}`, missing: ['Whether holders can sell'] }

test('an answer is read back with the key, and the same secret has the same key', () => {
  expect(readSigned(signer.sign(ANSWER), [other.key, signer.key])).toEqual(ANSWER)
  expect(createSigner(secretOf('one')).key).toEqual(signer.key)
})

test('the first key of RFC 8032 signs as the RFC says', () => {
  const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  // RFC 8037, appendix A.2.
  expect(createSigner(secret).key.x).toBe('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
})

test('an answer that somebody changed, or that another key signed, is not read', () => {
  const jws = signer.sign(ANSWER)
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const changed = Buffer.from(JSON.stringify({ ...ANSWER, decision: 'allow' })).toString('base64url')
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: signer.key.kid })).toString('base64url')
  const forged = { ...other.key, kid: signer.key.kid }
  for (const text of [
    `${header}.${changed}.${signature}`,
    `${none}.${payload}.`,
    `${header}.${payload}`,
    `${jws}.x`,
    '',
    '..',
  ])
    expect(readSigned(text, [signer.key])).toBeNull()
  expect(readSigned(jws, [other.key])).toBeNull()
  expect(readSigned(jws, [forged])).toBeNull()
  expect(readSigned(jws, [])).toBeNull()
})
