// A POST of REST or a mutation with an Idempotency-Key takes effect once: the same key and body get the first answer again. Only successes
// are stored: a refused request did nothing, so it may be retried with the same key.
import { createHash } from 'node:crypto'
import { withoutKeys } from '../../access/key.ts'
import { AssayError, type Fault } from '../../base/errors.ts'
import type { Claim, StoredAnswer } from '../../ledger/account/idempotency.ts'

const HEADER = 'idempotency-key'
/** Visible ASCII, up to 255 characters, as at Stripe. */
const SHAPE = /^[\x21-\x7e]{1,255}$/

export interface IdempotencyStore {
  claim(keyId: number, token: string, bodyHash: Buffer): Promise<Claim>
  complete(keyId: number, token: string, answer: StoredAnswer): Promise<void>
  release(keyId: number, token: string): Promise<void>
}

/** Validates the header. */
export function checkIdempotencyKey(token: string | undefined): Fault[] {
  if (token === undefined || SHAPE.test(token)) return []
  const message = `${HEADER} must be 1 to 255 visible ASCII characters`
  return [{ location: 'header', field: HEADER, message }]
}

/**
 * Does the work once per API key and idempotency key. Throws `CONFLICT` if the body differs or the first request is
 * still running. A repeated answer shows no API key. If the first request died before its answer was stored, the work is done again with the same alert id.
 */
export async function once(
  store: IdempotencyStore,
  { keyId, token, input }: { keyId: number; token: string; input: unknown },
  work: (alertId: string) => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  const bodyHash = createHash('sha256').update(JSON.stringify(input)).digest()
  const claimed = await store.claim(keyId, token, bodyHash)
  if (claimed.kind === 'stored') {
    const { answer } = claimed
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
  }
  if (claimed.kind === 'other_body') {
    throw new AssayError('CONFLICT', 'This Idempotency-Key was used with another body within the past 24 hours.')
  }
  if (claimed.kind === 'in_flight') {
    throw new AssayError('CONFLICT', 'A request with this Idempotency-Key is still under way: try again in a moment.')
  }
  const answer = await work(claimed.alertId).catch(async (error: unknown) => {
    await store.release(keyId, token).catch(() => {})
    throw error
  })
  await store.complete(keyId, token, { ...answer, body: withoutKeys(answer.body) })
  return answer
}
