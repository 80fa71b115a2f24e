// The operations behind `keys create | list | rotate | revoke`. Takes the operator's input; returns ids and, once, the
// key.

import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Plan } from '../base/vocabulary.ts'
import type { Database } from '../database/client.ts'
import { insertKey, type KeyListing, listKeys, revokeKey, rotateSecret } from '../ledger/account/key.ts'
import { generateKey, toSecret } from './key.ts'
import { limitsOf } from './plan.ts'

/** How long the old key stays valid after a rotation. */
export const ROTATION_OVERLAP_HOURS = 24

/** The terms of a new key. */
export interface KeyTerms {
  email: string
  plan: Plan
  name?: string | undefined
  /** Only on plan `api`; leave out for unlimited. */
  requestsPerMinute?: number | undefined
  requestsPerDay?: number | undefined
  /** Streams at a time, only on plan `api`; leave out for the plan's number. */
  streams?: number | undefined
}

/** A new key: the only time that it can be read. */
interface NewKey {
  id: number
  key: string
}

export interface Keyring {
  /**
   * Throws `INVALID_PARAMS` for invalid terms. An existing account takes over the plan and limits given; `paused` names
   * its active alerts that exceed the new plan.
   */
  create(terms: KeyTerms): Promise<NewKey & { paused: string[] }>
  list(): Promise<KeyListing[]>
  /** Issues a new key under the same id; throws `NOT_FOUND` if the id is unknown or revoked. */
  rotate(id: number, overlapHours?: number): Promise<NewKey>
  /** Throws `NOT_FOUND` for an unknown id. */
  revoke(id: number): Promise<void>
}

const EMAIL = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u
/** The longest address that SMTP allows. */
const MAX_EMAIL_LENGTH = 254

/** Creates a keyring over the database. */
export function createKeyring(pool: Database['pool'], clock: Clock): Keyring {
  return {
    create: async (terms) => {
      checkTerms(terms)
      const { email, plan, name = '', requestsPerMinute = null, requestsPerDay = null, streams = null } = terms
      const key = generateKey()
      const account = { email, plan, requestsPerMinute, requestsPerDay, streams }
      const { activeAlerts, webhooks } = limitsOf(plan, account)
      const { id, paused } = await insertKey(
        pool,
        name,
        { ...account, activeAlerts, webhooks },
        toSecret(key),
        clock.now(),
      )
      return { id, key, paused }
    },
    list: () => listKeys(pool),
    rotate: async (id, overlapHours = ROTATION_OVERLAP_HOURS) => {
      const key = generateKey()
      const overlapEndsAt = new Date(clock.now().getTime() + overlapHours * 3_600_000)
      if (!(await rotateSecret(pool, { keyId: id }, toSecret(key), overlapEndsAt))) {
        throw new AssayError('NOT_FOUND', `There is no key ${id} that can be rotated.`)
      }
      return { id, key }
    },
    revoke: async (id) => {
      if (!(await revokeKey(pool, { keyId: id }, clock.now())))
        throw new AssayError('NOT_FOUND', `There is no key ${id}.`)
    },
  }
}

function checkTerms({ email, plan, requestsPerMinute, requestsPerDay, streams }: KeyTerms): void {
  const faults: string[] = []
  if (!EMAIL.test(email) || email.length > MAX_EMAIL_LENGTH)
    faults.push('email must be one address, such as a@b.example')
  if (plan !== 'api' && [requestsPerMinute, requestsPerDay, streams].some((limit) => limit !== undefined)) {
    faults.push(`limits can be set on the plan api only: the plan ${plan} has its own`)
  }
  for (const limit of [requestsPerMinute, requestsPerDay, streams]) {
    if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 31 - 1)) {
      faults.push('a limit must be a whole number from 1 to 2147483647')
    }
  }
  if (faults.length > 0) {
    const details = faults.map((message) => ({ location: 'argument' as const, field: 'terms', message }))
    throw new AssayError('INVALID_PARAMS', faults.join('; '), { faults: details })
  }
}
