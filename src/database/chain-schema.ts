// A PostgreSQL schema per chain, in one database. The default chain and everything that chains share, such as accounts,
// are in `public`. A further chain's schema comes first in the search path of its connections, and `public` second, so
// that no statement names a schema.
import type pg from 'pg'

/** The schema of the default chain, and of what all chains share. */
export const DEFAULT_SCHEMA = 'public'

/** Marks a schema as one of this program. */
export const SCHEMA_COMMENT = 'A chain of Assay.'

/** SQL: the second half of an advisory lock that each chain has for itself, because locks belong to the database. */
export const LOCK_OF_CHAIN = 'current_schema()::text::regnamespace::oid::int'

/** The part of a URL by which connections see a chain's tables. */
const SEARCH_PATH = new RegExp(` ?-c search_path=\\w+,${DEFAULT_SCHEMA}`)

/** The URL of the same database whose connections see the chain's tables. The given one may be that of another chain. */
export function toChainUrl(url: string, schema: string): string {
  const [place = '', query = ''] = url.split('?', 2)
  const search = new URLSearchParams(query)
  const given = search.get('options') ?? ''
  const own = given.replace(SEARCH_PATH, '')
  if (schema === DEFAULT_SCHEMA && own === given) return url
  const path = schema === DEFAULT_SCHEMA ? '' : `-c search_path=${schema},${DEFAULT_SCHEMA}`
  search.set('options', [own, path].filter(Boolean).join(' '))
  return `${place}?${search}`
}

/** The schemas of all chains of the database, the default one first. */
export async function readChainSchemas(client: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE obj_description(oid, 'pg_namespace') = $1 AND nspname <> $2 ORDER BY nspname`,
    [SCHEMA_COMMENT, DEFAULT_SCHEMA],
  )
  return [DEFAULT_SCHEMA, ...rows.map(({ name }) => name)]
}
