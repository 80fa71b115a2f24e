// Documents by their SHA-256, as in Apollo's automatic persisted queries: the hash alone stands for a document that was
// sent before. The store is small and all callers share it, because a hash names one text only.
import { hash } from 'node:crypto'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { refuse } from '../errors.ts'

/** The most documents, and their most characters together: one may have 16 KiB. */
const MOST = { documents: 2_000, characters: 4 * 1024 * 1024 }

/** The message that clients look for before they send the document itself. */
const NOT_FOUND = 'PersistedQueryNotFound'

function readHash(asked: unknown): string {
  const { version, sha256Hash } = (typeof asked === 'object' && asked !== null ? asked : {}) as Record<string, unknown>
  if (version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash
  throw refuse(
    'extensions.persistedQuery must be {"version": 1, "sha256Hash": "..."} with 64 hex digits in lower case.',
  )
}

/** The Yoga plugin that stores documents and replaces hashes by them. */
export function keepPersisted(): Plugin {
  const documents = new LRUCache<string, string>({
    max: MOST.documents,
    maxSize: MOST.characters,
    sizeCalculation: (text) => text.length + 64,
  })
  return {
    onParams: ({ params, setParams }) => {
      const asked: unknown = params.extensions?.persistedQuery
      if (asked === undefined) return
      const sha256 = readHash(asked)
      const { query } = params
      if (typeof query === 'string' && query !== '') {
        if (hash('sha256', query) !== sha256)
          throw refuse('extensions.persistedQuery.sha256Hash is not the SHA-256 of the query.')
        documents.set(sha256, query)
        return
      }
      const known = documents.get(sha256)
      if (known === undefined) throw refuse(NOT_FOUND)
      setParams({ ...params, query: known })
    },
  }
}
