// The output of `serve` when it is ready: the chain, the addresses, a key and a first request. On the demo chain the
// request works when pasted, at every start.
import { furtherChains } from '../base/config.ts'
import { DEMO_CHAIN_ID } from '../chain/replay/demo.ts'
import type { App, Context } from './context.ts'

/** The lines to print. */
export async function greet(app: App, context: Pick<Context, 'config' | 'clock'>): Promise<string[]> {
  const { chain, metricsAddress } = app
  // Not every browser opens the address of "all interfaces".
  const address = app.address?.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost') ?? null
  const lines = ['', chain ? `Assay follows ${nameOf(chain)}.` : 'Nothing is indexed yet.']
  const doors = address
    ? [`  Page      ${address}/`, `  REST      ${address}/v1`, `  GraphQL   ${address}/graphql`]
    : []
  const further = address ? furtherChains(context.config()) : []
  doors.push(...further.map(({ name }) => `  ${name.padEnd(9)} ${address}/${name}/v1`))
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

/** The command line of other commands: from the sources, or as an installed package. */
const ASSAY = import.meta.url.endsWith('/dist/cli/welcome.js') ? 'npx assay' : 'npm run -s assay --'

const adviseKey = (what: string) => `${what}:  ${ASSAY} keys create --email you@example.com --plan free`

/** The demo key, created if it is missing, revoked or expired; null on a network. */
export async function findKey(
  { chain, ledger }: App,
  context: Pick<Context, 'config' | 'clock'>,
): Promise<string | null> {
  if (chain?.chainId !== DEMO_CHAIN_ID) return null
  const { keepDemoKey } = await import('../access/demo-key.ts')
  return keepDemoKey({ pool: ledger.database.pool, clock: context.clock, dataDir: context.config().DATA_DIR })
}
