// The changes of an account's keys, with the newest secret or failure. A key of this tab that rotates or revokes itself is
// replaced or forgotten.
import { useState } from 'preact/hooks'
import { ask, type Failure, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { forgetKey, setKey } from '../api/key.ts'
import { refresh } from '../api/live.ts'

const CREATE = graphql(`
mutation CreateKey($name: String!) { apiKeyCreate(input: { name: $name }) { key apiKey { id } } }`)

const RENAME = graphql(`
mutation RenameKey($id: ID!, $name: String!) { apiKeyUpdate(id: $id, input: { name: $name }) { apiKey { id } } }`)

const ROTATE = graphql(`
mutation RotateKey($id: ID!, $overlapHours: Int!) {
  apiKeyRotate(id: $id, input: { overlapHours: $overlapHours }) { key apiKey { id } }
}`)

const REVOKE = graphql(`
mutation RevokeKey($id: ID!) { apiKeyRevoke(id: $id) { revokedId } }`)

export interface ApiKey {
  id: string
  name: string
  prefix: string
  lastFour: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  isCurrent: boolean
}

/** The changes of keys, with their result. */
export function useKeyChanges() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const change = async (work: () => Promise<string | null>) => {
    try {
      setSecret(await work())
      setFailure(null)
      refresh()
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return {
    failure,
    secret,
    create: (name: string) => change(async () => (await ask(CREATE, { name })).apiKeyCreate.key),
    rename: (id: string, name: string) => change(() => ask(RENAME, { id, name }).then(() => null)),
    rotate: ({ id, isCurrent }: ApiKey, overlapHours: number) =>
      change(async () => {
        const { key } = (await ask(ROTATE, { id, overlapHours })).apiKeyRotate
        if (isCurrent) setKey(key)
        return key
      }),
    revoke: ({ id, isCurrent }: ApiKey) =>
      change(async () => {
        await ask(REVOKE, { id })
        if (isCurrent) forgetKey()
        return null
      }),
  }
}

export type KeyChanges = ReturnType<typeof useKeyChanges>
