// A coordinator and two shards: PostgreSQL servers of the programs that come with the package, each in a folder of its own.
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPrimary } from '../../support/servers.ts'
import type { Shards } from './rehearsal.ts'

/** `folder` must exist; `close` removes it. */
export async function openShards(folder: string): Promise<Shards & { close(): Promise<void> }> {
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const opened: { pool: pg.Pool; port: number; kill(): Promise<void> }[] = []
  for (const name of ['coordinator', 'first', 'second']) {
    const inside = join(folder, name)
    mkdirSync(inside)
    chmodSync(inside, 0o755)
    const { url, port, kill } = await startPrimary(inside)
    const pool = new pg.Pool({ connectionString: url, max: 4 })
    // Servers are killed at the end, idle connections with them.
    pool.on('error', () => {})
    opened.push({ pool, port, kill })
  }
  const [coordinator, ...shards] = opened as [(typeof opened)[0], ...typeof opened]
  return {
    coordinator: coordinator.pool,
    shards,
    close: async () => {
      for (const { pool, kill } of opened) {
        await pool.end()
        await kill()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
