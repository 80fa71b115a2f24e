// The common stage of all attacks. It has a data folder, the demo chain indexed in it or in a given database, keys of
// each plan, and addresses of the chain. The database stays open during the whole storm, so that the program can be
// restarted often.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createKeyring, type KeyTerms } from '../../../src/access/keyring.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { openLedger } from '../../../src/database/open.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { runCommand, type ServerOptions } from './server.ts'

/** The accounts: the honest client, attacking customers, and one that receives mails. */
const ACCOUNTS = {
  /** Counted, as every customer is, and never refused. */
  honest: { plan: 'api', requestsPerMinute: 1_000_000, requestsPerDay: 100_000_000 },
  /** Not limited, so that each request reaches its target. */
  trusted: { plan: 'api' },
  /** A large customer: what its limits allow must be borne. */
  large: { plan: 'api', requestsPerMinute: 600, requestsPerDay: 1_000_000 },
  pro: { plan: 'pro' },
  free: { plan: 'free' },
} as const satisfies Record<string, Omit<KeyTerms, 'email'>>
export type Account = keyof typeof ACCOUNTS

export interface Stage {
  isBuilt: boolean
  dataDir: string
  databaseUrl: string
  /** The settings of the program. */
  environment: Record<string, string>
  pool: pg.Pool
  keys: Record<Account, string>
  tokens: string[]
  wallets: string[]
  /** The time of the newest block, ISO 8601. */
  headTime: string
  close(): Promise<void>
}

/** Where the chain is indexed. */
interface Place {
  url: string
  pool: pg.Pool
  environment: Record<string, string>
  close(): Promise<void>
}

interface StageOptions {
  isBuilt: boolean
  /** A database of the indexed demo chain; left out, the program makes one of its own. */
  demo?: Pick<Place, 'url' | 'pool'>
}

export async function setStage({ isBuilt, demo }: StageOptions): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  // Checks change scores while they run, and the honest client compares its answers with the first ones.
  const own = { DATA_DIR: dataDir, DEMO: 'still', CONTRACT_CHECKS: 'off' }
  const { url, pool, environment, ...place } = demo
    ? { ...demo, environment: { ...own, DATABASE_URL: demo.url }, close: async () => {} }
    : await openOwn(dataDir, own)
  const close = async () => {
    await place.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    if (!demo) await indexChain({ environment, isBuilt })
    const keyring = createKeyring(pool, systemClock)
    const making = Object.entries(ACCOUNTS).map(async ([name, terms]) => {
      const { key } = await keyring.create({ email: `${name}@storm.example`, ...terms })
      return [name, key] as const
    })
    const keys = Object.fromEntries(await Promise.all(making)) as Record<Account, string>
    return { isBuilt, dataDir, databaseUrl: url, environment, pool, keys, ...(await findAddresses(pool)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openOwn(dataDir: string, environment: Record<string, string>): Promise<Place> {
  const log = createLog({ level: 'silent', pretty: false })
  const ledger = await openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
  return { url: ledger.url, pool: ledger.database.pool, environment, close: ledger.close }
}

async function indexChain(options: ServerOptions): Promise<void> {
  const { code, complained } = await runCommand(['index', '--until', 'head'], options)
  if (code !== 0) throw new Error(`the demo chain was not indexed, exit code ${code}: ${complained}`)
}

async function findAddresses(pool: pg.Pool): Promise<Pick<Stage, 'tokens' | 'wallets' | 'headTime'>> {
  const read = async (text: string) => (await pool.query<{ address: string }>(text)).rows.map(({ address }) => address)
  const { rows } = await pool.query<{ time: Date }>('SELECT max(time) AS time FROM block')
  return {
    tokens: await read('SELECT address FROM token WHERE indexed ORDER BY holder_count DESC, id LIMIT 50'),
    wallets: await read(
      "SELECT address FROM wallet WHERE indexed AND kind = 'account' ORDER BY event_count DESC, id LIMIT 50",
    ),
    headTime: rows[0]?.time.toISOString() ?? '',
  }
}
