// A POST with an Idempotency-Key acts once: the same key and body get the first answer again. Only successes are kept: what
// was refused did nothing, so it may be tried again with the same key.
import { createHash } from 'node:crypto'
import { AssayError, type Fault } from '../base/errors.ts'
import type { Claim, StoredAnswer } from '../ledger/account/idempotency.ts'

const HEADER = 'idempotency-key'
/** Visible ASCII, as long as Stripe's. */
const SHAPE = /^[\x21-\x7e]{1,255}$/

export interface IdempotencyStore {
  claim(keyId: number, token: string, bodyHash: Buffer): Promise<Claim>
  complete(keyId: number, token: string, answer: StoredAnswer): Promise<void>
  release(keyId: number, token: string): Promise<void>
}

/** The fault of the header, if it has one. */
export function checkIdempotencyKey(token: string | undefined): Fault[] {
  if (token === undefined || SHAPE.test(token)) return []
  const message = `${HEADER} must be 1 to 255 visible ASCII characters`
  return [{ location: 'header', field: HEADER, message }]
}

/**
 * Does the work once per (key, token); throws `CONFLICT` for another body, or while the first request is under way. When it
 * was cut off before its answer was kept, the work is done again under the same identifier.
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
  await store.complete(keyId, token, answer)
  return answer
}
