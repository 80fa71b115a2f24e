// The keys of an account, managed with one of them. Takes the account's id; a key of another account counts as missing.
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Page, Paged } from '../base/page.ts'
import { HOUR_SECONDS } from '../base/time.ts'
import type { pg } from '../database/client.ts'
import { revokeKey, rotateSecret } from '../ledger/account/key.ts'
import { findOwnKey, insertOwnKey, listOwnKeys, type OwnKey, renameOwnKey } from '../ledger/account/own-key.ts'
import { generateKey, toSecret } from './key.ts'

/** Keys of an account that work: enough for its machines, and few enough to look through. */
export const MAX_KEYS = 20
/** Keys that an account makes in 24 hours, also if it revokes them: revoked keys are kept. */
export const MAX_KEYS_A_DAY = 100

/** A key with its secret: the only time that the secret can be read. */
export interface ShownKey {
  key: OwnKey
  secret: string
}

export interface OwnKeys {
  list(accountId: number, page: Page): Promise<Paged<OwnKey>>
  find(accountId: number, id: string): Promise<OwnKey | null>
  /** Throws FORBIDDEN when the account has `MAX_KEYS` keys, or made `MAX_KEYS_A_DAY`. */
  create(accountId: number, name: string): Promise<ShownKey>
  /** Throws NOT_FOUND, as the functions below do. */
  rename(accountId: number, id: string, name: string): Promise<OwnKey>
  /** Gives the key a new secret under the same id. The old secret works for `overlapHours` more. */
  rotate(accountId: number, id: string, overlapHours: number): Promise<ShownKey>
  revoke(accountId: number, id: string): Promise<void>
}

const MOST = { working: MAX_KEYS, perDay: MAX_KEYS_A_DAY }

/** The number in an id; null for a text that is no id of a key. */
const parseId = (id: string): number | null => (/^[1-9]\d{0,8}$/.test(id) ? Number(id) : null)

/** Creates the operations over the database. */
export function createOwnKeys(pool: pg.Pool, clock: Clock): OwnKeys {
  const placeOf = (accountId: number, id: string) => {
    const keyId = parseId(id)
    return keyId === null ? null : { keyId, accountId }
  }
  const found = async (accountId: number, id: string): Promise<OwnKey> => {
    const place = placeOf(accountId, id)
    const key = place && (await findOwnKey(pool, place, clock.now()))
    if (!key) throw new AssayError('NOT_FOUND', 'There is no such key.')
    return key
  }
  return {
    list: (accountId, page) => listOwnKeys(pool, accountId, page, clock.now()),
    find: async (accountId, id) => {
      const place = placeOf(accountId, id)
      return place && findOwnKey(pool, place, clock.now())
    },
    create: async (accountId, name) => {
      const secret = generateKey()
      const id = await insertOwnKey(pool, { accountId, name, now: clock.now() }, toSecret(secret), MOST)
      if (id === null)
        throw new AssayError(
          'FORBIDDEN',
          `An account has ${MAX_KEYS} keys at most, and makes ${MAX_KEYS_A_DAY} in 24 hours: revoke one, or wait.`,
        )
      return { key: await found(accountId, String(id)), secret }
    },
    rename: async (accountId, id, name) => {
      const { id: keyId } = await found(accountId, id)
      await renameOwnKey(pool, { keyId, accountId }, name)
      return found(accountId, id)
    },
    rotate: async (accountId, id, overlapHours) => {
      const { id: keyId, expiresAt } = await found(accountId, id)
      if (expiresAt) throw new AssayError('FORBIDDEN', 'A key that ends by itself cannot be rotated: make another key.')
      const secret = generateKey()
      const overlapEndsAt = new Date(clock.now().getTime() + overlapHours * HOUR_SECONDS * 1_000)
      if (!(await rotateSecret(pool, { keyId, accountId }, toSecret(secret), overlapEndsAt)))
        throw new AssayError('NOT_FOUND', 'There is no such key.')
      return { key: await found(accountId, id), secret }
    },
    revoke: async (accountId, id) => {
      const { id: keyId } = await found(accountId, id)
      await revokeKey(pool, { keyId, accountId }, clock.now())
    },
  }
}
