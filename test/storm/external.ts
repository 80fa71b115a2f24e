// What each storm from the command line needs: a PostgreSQL of its own in a temporary folder, and the chain's source.
// Both end with the storm, also when a signal ends it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/client.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { startStormSource } from './source.ts'

export async function openExternal() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-storm-'))
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  const log = createLog({ level: 'warn', pretty: true })
  const server = await startEmbedded({ dataDir: join(folder, 'external'), log, settings: { fsync: 'off' } })
  const source = await startStormSource()
  const ends: (() => void)[] = [() => source.close()]

  async function clear(): Promise<void> {
    for (const end of ends) end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void clear().finally(() => process.exit(130)))

  return {
    folder,
    log,
    source,
    clear,
    /** Adds what ends before the database. */
    onClear: (end: () => void) => ends.push(end),
    /** Creates a database, with `size` connections to it, and the settings of a program that indexes from `rpcUrl`. */
    createDatabase: async (name: string, rpcUrl: string, size: number) => {
      const admin = openDatabase(server.url, { size: 1 })
      await admin.pool.query(`CREATE DATABASE ${name}`).finally(admin.close)
      const url = new URL(server.url)
      url.pathname = name
      return { ...openDatabase(url.href, { size }), environment: { RPC_URL: rpcUrl, DATABASE_URL: url.href } }
    },
  }
}
