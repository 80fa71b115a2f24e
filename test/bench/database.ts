// The database of a benchmark: a given one, that of a data folder, or an empty one that is removed at the end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { systemClock } from '../../src/base/clock.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { createLog } from '../../src/telemetry/log.ts'

/**
 * The URL of the database. `given`: a URL, or the data folder of an embedded server, which is kept. Otherwise a new
 * database in TEST_DATABASE_URL's server or in an embedded one; `ends` removes it, from first to last.
 */
export async function findDatabase(given: string | undefined, ends: (() => unknown)[]): Promise<string> {
  if (given && URL.canParse(given)) return given
  if (given) return startIn(resolve(given), ends)
  if (process.env.TEST_DATABASE_URL) return makeOne(process.env.TEST_DATABASE_URL, ends)
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  // The server may run as another user, which must be able to enter this closed folder.
  chmodSync(dataDir, 0o711)
  ends.unshift(() => rmSync(dataDir, { recursive: true, force: true }))
  return startIn(dataDir, ends)
}

async function startIn(dataDir: string, ends: (() => unknown)[]): Promise<string> {
  const log = createLog({ level: 'warn', pretty: true })
  const server = await startEmbedded({ dataDir, log, clock: systemClock })
  ends.unshift(() => server.stop())
  return server.url
}

async function makeOne(server: string, ends: (() => unknown)[]): Promise<string> {
  const admin = new pg.Pool({ connectionString: server, max: 1 })
  const url = new URL(server)
  url.pathname = `assay_bench_${process.pid}`
  const name = url.pathname.slice(1)
  await admin.query(`CREATE DATABASE ${name}`)
  ends.unshift(() => admin.query(`DROP DATABASE ${name} WITH (FORCE)`).finally(() => admin.end()))
  return url.href
}
