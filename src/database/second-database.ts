// A second database that will replace the configured one. It has another name on the same server, or its own folder if
// the database is embedded. Input: the configured database. Output: the second one's place, and the exchange. Nothing
// is exchanged while a program uses the first one.
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../base/errors.ts'
import { codeOf } from '../base/json.ts'
import { isServing, readPostmaster } from './embedded/postmaster.ts'
import { describe } from './refusal.ts'

interface DatabasePlace {
  /** Undefined: the embedded database of `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
}

export interface SecondDatabase {
  /** The place of the second database. */
  place: DatabasePlace
  /** Creates it, unless an earlier attempt did. Throws a `StartupError` that names the obstacle. */
  prepare(): Promise<void>
  /** Whether any connection to the first one is open. */
  isInUse(): Promise<boolean>
  /** The other programs connected to the first one, by their names. Embedded: there can be none. */
  readStrangers(): Promise<string[]>
  /** Names the content of the first place, which changes with an exchange; null: it is empty. */
  readIdentity(): Promise<string | null>
  /**
   * Puts the second one in the place of the first. Returns the new place of the first; null if one of them is in use.
   */
  exchange(): Promise<string | null>
}

export const findSecondDatabase = ({ databaseUrl, dataDir }: DatabasePlace): SecondDatabase =>
  databaseUrl === undefined ? findFolder(dataDir) : findOnServer(databaseUrl, dataDir)

/** Databases that every server has and no program uses: a connection to one can rename the others. */
const MEETING_PLACES = ['postgres', 'template1'] as const
const MISSING = '3D000'
const EXISTS = '42P04'
const IN_USE = '55006'

function findOnServer(url: string, dataDir: string): SecondDatabase {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const [second, kept] = [`${name}_past`, `${name}_before`]
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: database }).href

  const ask = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
    askServer(urlOf, work).catch((error) => {
      if (codeOf(error) === '42501')
        throw new StartupError(
          `The user of DATABASE_URL may not make the database ${second} and rename ${name}: grant it CREATEDB, and make it their owner.`,
          1,
          error,
        )
      throw describe(error, url)
    })

  return {
    place: { databaseUrl: urlOf(second), dataDir },
    prepare: () =>
      ask(async (client) => {
        const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [kept])
        if (rows.length > 0)
          throw new StartupError(
            `The database ${kept}, of an earlier exchange, is still there: look whether it can go, and drop it.`,
          )
        await client.query(`CREATE DATABASE ${pg.escapeIdentifier(second)}`).catch((error) => {
          if (error.code !== EXISTS) throw error
        })
      }),
    isInUse: () =>
      ask(async (client) => {
        const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])
        return rows.length > 0
      }),
    readStrangers: () =>
      ask(async (client) => {
        const { rows } = await client.query<{ by: string }>(
          `SELECT DISTINCT coalesce(nullif(application_name, ''), usename::text, 'somebody') AS by FROM pg_stat_activity
           WHERE datname = $1 AND application_name !~ '^assay( |$)' AND backend_type = 'client backend' ORDER BY by`,
          [name],
        )
        return rows.map(({ by }) => by)
      }),
    readIdentity: () =>
      ask(async (client) => {
        const { rows } = await client.query<{ oid: number }>('SELECT oid FROM pg_database WHERE datname = $1', [name])
        return rows[0] ? `${rows[0].oid}` : null
      }),
    exchange: () => ask((client) => rename(client, { name, second, kept })),
  }
}

/** Puts the second database in the place of the first one, which is kept; null: the first one is in use. */
async function rename(client: pg.Client, { name, second, kept }: { name: string; second: string; kept: string }) {
  const [from, aside, to] = [second, kept, name].map((database) => pg.escapeIdentifier(database))
  try {
    await client.query('BEGIN')
    await client.query(`ALTER DATABASE ${to} RENAME TO ${aside}`)
    await client.query(`ALTER DATABASE ${from} RENAME TO ${to}`)
    await client.query('COMMIT')
  } catch (error) {
    if (codeOf(error) === IN_USE) return null
    throw error
  }
  return `the database ${kept}`
}

async function askServer<T>(urlOf: (database: string) => string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(urlOf)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(urlOf: (database: string) => string): Promise<pg.Client> {
  const [first, second] = MEETING_PLACES
  const to = async (database: string) => {
    const client = new pg.Client({ connectionString: urlOf(database), application_name: 'assay past' })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  return to(first).catch((error) => {
    if (error.code !== MISSING) throw error
    return to(second)
  })
}

function findFolder(dataDir: string): SecondDatabase {
  const first = join(dataDir, 'postgres')
  const kept = join(dataDir, 'postgres-before')
  const place = { databaseUrl: undefined, dataDir: join(dataDir, 'past') }
  const second = join(place.dataDir, 'postgres')
  const isServed = (folder: string) => {
    const found = readPostmaster(join(folder, 'data'))
    return found !== null && isServing(found.pid, join(folder, 'data'))
  }
  return {
    place,
    prepare: async () => {
      if (existsSync(kept) && !existsSync(first))
        throw new StartupError(
          `An exchange of folders was interrupted: move ${second} to ${first}, and start the program.`,
        )
      if (existsSync(kept))
        throw new StartupError(
          `The folder ${kept}, of an earlier exchange, is still there: look whether it can go, and remove it.`,
        )
      // Closed to others, except that a database that runs as another user must pass through.
      mkdirSync(place.dataDir, { recursive: true, mode: 0o711 })
    },
    isInUse: async () => isServed(first),
    readStrangers: async () => [],
    readIdentity: async () => statSync(first, { throwIfNoEntry: false, bigint: true })?.ino.toString() ?? null,
    exchange: async () => {
      if (isServed(first) || isServed(second)) return null
      renameSync(first, kept)
      renameSync(second, first)
      return `the folder ${kept}`
    },
  }
}
