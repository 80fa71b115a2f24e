// One request for each operation of REST, over the demo chain. Input: a server on the demo. Output: the answer of each
// operation by its name, with its long lists cut, and without what differs from run to run.
import { ROUTES } from '../../src/rest/contract/routes.ts'
import type { Served } from './served.ts'

const SECRETS: Readonly<Record<string, string>> = {
  key: 'assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  email: 'you@example.com',
}

const HOOK = { notification_channel: 'webhook', url: 'https://example.com/hooks/assay' }
const SQL = 'SELECT token_symbol, count(*) AS swaps FROM events GROUP BY ALL ORDER BY ALL LIMIT 1'

/** The token and the wallet of the examples. */
export interface Subjects {
  token: string
  wallet: string
}

/** The body of each operation that has one. */
const BODIES: Readonly<Record<string, object>> = {
  createAlert: { name: 'Deep and clean', conditions: { min_liquidity_usd: 200_000, exclude_flags: ['wash_trading'] } },
  updateAlert: { status: 'paused' },
  backtestAlert: { conditions: { min_liquidity_usd: 200_000 } },
  createKey: { name: 'Dashboard' },
  updateKey: { name: 'Dashboard' },
  rotateKey: { overlap_hours: 0 },
  createGatePolicy: {
    name: 'careful',
    rules: 'wash_trading:block',
    conditions: { min_liquidity_usd: 50_000 },
  },
  updateGatePolicy: { bounds: 'strict' },
  runSql: { query: SQL },
}

/** Asks every operation of the table that answers a body; throws for any other status than its own. */
export async function askOperations(served: Served, { token, wallet }: Subjects): Promise<Record<string, unknown>> {
  const { authorization } = await served.knock({ plan: 'api' })
  const headers = { authorization, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await served.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json.id as string
  const alert = await post('/alerts', { name: 'To my bot', conditions: {}, ...HOOK })
  // A test message leaves for its receiver, and a mail stays on this machine. The list before it has one alert, so that
  // its example is the same in each run.
  const openMailbox = () => post('/alerts', { name: 'To my mailbox', conditions: {}, notification_channel: 'email' })
  const key = await post('/me/keys', { name: 'Bot' })
  const subjectOf = (path: string) =>
    path.includes('/policies')
      ? 'careful'
      : path.includes('/alerts')
        ? alert
        : path.includes('/keys')
          ? key
          : path.includes('wallet')
            ? wallet
            : token
  const answers: Record<string, unknown> = {}
  for (const { id, method, path, status, query } of ROUTES) {
    if (status === 204) continue
    const subject = path.endsWith('/test') ? await openMailbox() : subjectOf(path)
    const asked = `${path.replace(/:\w+/, subject)}${'query' in query ? '?query=OTTER' : 'token' in query ? `?token=${token}` : ''}`
    const body = BODIES[id]
    const answer = await served.ask(asked, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} in place of ${status}`)
    answers[id] = shorten(answer.json)
  }
  return answers
}

/** The first item of each list, and nothing that is secret. */
function shorten(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return SECRETS[name] ?? value
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shorten(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, shorten(each, field)]))
}
