// What `serve` prints when it is ready: the chain, the addresses, a key and a first request. On the demo chain the
// request works when pasted, at every start, because its key is kept in a file that only the user may read.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_CHAIN_ID } from '../chain/replay/demo.ts'
import type { App, Context } from './context.ts'

/** The account of the demo key; mail cannot reach it. */
const DEMO_ACCOUNT = 'demo@localhost'

/** The lines to print. */
export async function greet(app: App, context: Pick<Context, 'config' | 'clock'>): Promise<string[]> {
  const { chain, address, metricsAddress } = app
  const lines = ['', chain ? `Assay follows ${nameOf(chain)}.` : 'Nothing is indexed yet.']
  const doors = address ? [`  REST      ${address}/v1`, `  GraphQL   ${address}/graphql`] : []
  if (metricsAddress) doors.push(`  Metrics   ${metricsAddress}`)
  lines.push(...(doors.length > 0 ? ['', ...doors, ''] : ['']))
  if (!address) return lines
  const key = await findKey(app, context)
  if (key === null) return [...lines, adviseKey('A key'), '']
  lines.push(`  Key       ${key}`, '', 'Try:', '')
  lines.push(`  curl -H 'Authorization: Bearer ${key}' '${address}/v1/tokens?limit=3'`)
  return [...lines, '', adviseKey('Another key'), '']
}

const nameOf = ({ chainId, name }: { chainId: number; name: string }) =>
  chainId === DEMO_CHAIN_ID ? 'the recorded demo chain (set RPC_URL to follow a network)' : `${name} (chain ${chainId})`

const adviseKey = (what: string) => `${what}:  npm run -s assay -- keys create --email you@example.com --plan free`

/** The demo key, created if it is missing, revoked or expired; null on a network. */
async function findKey({ chain, ledger }: App, context: Pick<Context, 'config' | 'clock'>): Promise<string | null> {
  if (chain?.chainId !== DEMO_CHAIN_ID) return null
  const { createKeyring } = await import('../access/keyring.ts')
  const { isWellFormed, toSecret } = await import('../access/key.ts')
  const { findKeyHolder } = await import('../ledger/account/key.ts')
  const { DATA_DIR: dataDir } = context.config()
  const file = join(dataDir, 'demo-key')
  const kept = readKept(file)
  const { pool } = ledger.database
  if (kept !== null && isWellFormed(kept)) {
    const holder = await findKeyHolder(pool, toSecret(kept).hash)
    if (holder && (!holder.expiresAt || holder.expiresAt > context.clock.now())) return kept
  }
  const { key } = await createKeyring(pool, context.clock).create({ email: DEMO_ACCOUNT, plan: 'api', name: 'demo' })
  mkdirSync(dataDir, { recursive: true })
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
