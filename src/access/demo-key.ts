// The key of the demo, made once. A file of the data folder that only its owner may read has it, so that `serve` prints
// the same key at every start.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { findKeyHolder } from '../ledger/account/key.ts'
import { isWellFormed, toSecret } from './key.ts'
import { createKeyring } from './keyring.ts'

/** An arbitrary number that no other program is likely to lock. */
const DEMO_KEY_LOCK = 7_243_904

/** The account of the demo key; mail cannot reach it. */
const DEMO_ACCOUNT = 'demo@localhost'

interface DemoKeyPlace {
  pool: Database['pool']
  clock: Clock
  dataDir: string
}

/** The stored key; null if there is none, or it was revoked or has expired. */
export async function readDemoKey({ pool, clock, dataDir }: DemoKeyPlace): Promise<string | null> {
  const kept = readKept(join(dataDir, 'demo-key'))
  if (kept === null || !isWellFormed(kept)) return null
  const holder = await findKeyHolder(pool, toSecret(kept).hash)
  return holder && (!holder.expiresAt || holder.expiresAt > clock.now()) ? kept : null
}

/** The stored key, or a new one in its place. */
export async function keepDemoKey(place: DemoKeyPlace): Promise<string> {
  const { pool } = place
  const client = await pool.connect()
  try {
    // Two processes that start at once must not make two keys.
    await client.query('SELECT pg_advisory_lock($1)', [DEMO_KEY_LOCK])
    return (await readDemoKey(place)) ?? (await makeDemoKey(place))
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [DEMO_KEY_LOCK]).catch(() => {})
    client.release()
  }
}

async function makeDemoKey({ pool, clock, dataDir }: DemoKeyPlace): Promise<string> {
  const { key } = await createKeyring(pool, clock).create({ email: DEMO_ACCOUNT, plan: 'api', name: 'demo' })
  const file = join(dataDir, 'demo-key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return key
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
