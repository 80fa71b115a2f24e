// Runs the storm: each attack in turn against a running program with an honest client beside it, and a verdict on each.
import { type Attack, pause, type Setting, Tally } from './attack.ts'
import { createClient } from './client.ts'
import { type Honest, percentile, startHonest } from './honest.ts'
import { judgeAnswers, judgeHonest, judgeLines, judgeMemory } from './judge.ts'
import type { Server } from './server.ts'
import { openSetting } from './setting.ts'
import type { Stage } from './stage.ts'
import type { Terms } from './terms.ts'

/** Time that an attack has for cleaning up after its end. */
const CLEAN_MS = 4_000
/** The first mail has been written by then. */
const WARM_MS = 2_000
/** Memory is back by then. */
const MEMORY_WITHIN_MS = 10_000

export interface Row {
  name: string
  honest: { p50Ms: number; p99Ms: number; maxMs: number; count: number }
  seen: string
  memory: { before: number; peak: number; after: number }
  faults: string[]
}

interface Running {
  server: Server
  honest: Honest
  close(): Promise<string[]>
}

/** The honest client's requests: the seven reading routes, GraphQL and readiness. */
function requestsOf({ tokens, wallets }: Stage) {
  const [token = '', wallet = ''] = [tokens[0], wallets[0]]
  const query = '{ tokens(first: 5) { total nodes { symbol riskScore topHolders { address holdingPct } } } }'
  return [
    { name: 'tokens', path: '/v1/tokens?limit=20' },
    { name: 'token', path: `/v1/tokens/${token}` },
    { name: 'wallet', path: `/v1/wallets/${wallet}` },
    { name: 'wallet events', path: `/v1/wallets/${wallet}/events?limit=20` },
    { name: 'events', path: '/v1/events?limit=20' },
    { name: 'token score', path: `/v1/scores/token/${token}` },
    { name: 'wallet score', path: `/v1/scores/wallet/${wallet}` },
    { name: 'graphql', path: '/graphql', body: JSON.stringify({ query }) },
    { name: 'ready', path: '/readyz' },
  ]
}

/** Starts the program in a setting, and the honest client; resolves once both are warmed up. */
async function startRunning(stage: Stage, setting: Setting, { perSecond }: Terms): Promise<Running> {
  const opened = await openSetting(stage, setting)
  const { server } = opened
  const from = process.platform === 'linux' ? { from: '127.0.0.2' } : {}
  const requests = requestsOf(stage)
  const honest = await startHonest({ origin: server.origin, key: stage.keys.honest, perSecond, ...from, requests })
  const warming = createClient(server.origin, new Tally())
  const headers = { authorization: `Bearer ${stage.keys.trusted}` }
  for (let round = 0; round < 300; round++) {
    const { path = '', body } = requests[round % requests.length] ?? {}
    const typed = { ...headers, 'content-type': 'application/json' }
    await warming.ask({
      path,
      method: body ? 'POST' : 'GET',
      headers: body ? typed : headers,
      ...(body ? { body } : {}),
    })
  }
  // Code that is loaded once and then kept: GraphiQL's page, and that of mails.
  await warming.ask({ path: '/graphql', headers: { accept: 'text/html' } })
  await warming.ask({
    path: '/v1/alerts',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'warm', conditions: {} }),
  })
  await pause(WARM_MS)
  warming.close()
  await honest.take()
  return {
    server,
    honest,
    close: async () => {
      honest.end()
      return opened.close()
    },
  }
}

/** Runs the attacks. If one did not leave the program as it was, the next one gets a new program. */
export async function runStorm(
  stage: Stage,
  attacks: readonly Attack[],
  terms: Terms,
  say: (row: Row) => void,
): Promise<Row[]> {
  const rows: Row[] = []
  let current: { setting: Setting; running: Running } | undefined
  const close = async (row?: Row) => {
    const faults = (await current?.running.close()) ?? []
    current = undefined
    if (row) row.faults.push(...faults)
  }
  try {
    for (const attack of attacks) {
      const { setting = 'plain' } = attack
      if (current && current.setting !== setting) await close(rows.at(-1))
      current ??= { setting, running: await startRunning(stage, setting, terms) }
      const { row, isSound } = await runAttack(stage, current.running, attack, terms)
      rows.push(row)
      if (!isSound) current.running.server.child.kill('SIGKILL')
      if (!isSound || attack.ends) await close()
      say(row)
    }
    await close(rows.at(-1))
  } finally {
    await close()
  }
  return rows
}

async function runAttack(stage: Stage, { server, honest }: Running, attack: Attack, terms: Terms) {
  const tally = new Tally()
  const client = createClient(server.origin, tally)
  const over = new AbortController()
  const target = { server, stage, client, tally, signal: over.signal, isOver: () => over.signal.aborted }
  server.takeLines()
  const before = await server.restMemory()
  server.resetPeak()
  await honest.take()
  const startedMs = performance.now()
  const attacking = attack.run(target).catch((error: Error) => tally.fault(`the attack itself failed: ${error.stack}`))
  const isWhole = await Promise.race([
    attacking.then(() => true),
    pause(attack.lastsMs ?? terms.attackMs, over.signal).then(() => false),
  ])
  over.abort()
  await Promise.race([attacking, pause(CLEAN_MS)])
  const counts = new Map(tally.counts)
  client.close()
  await pause(Math.max(terms.afterMs, terms.watchMs - (performance.now() - startedMs)))
  const isSettled = attack.ends || (await honest.settle(terms.settleMs))
  const seen = tally.describe()
  const report = await honest.take()
  const peak = server.peakMemory()
  const after = await waitForMemory(server, before * terms.memoryFactor)
  const faults = [
    ...(attack.ends || server.isAlive() ? [] : ['the program ended']),
    ...(isSettled ? [] : [`honest requests were still open after ${terms.settleMs / 1000} s`]),
    ...(attack.ends ? [] : judgeHonest(report, attack, terms)),
    ...judgeMemory(before, after, terms),
    ...judgeAnswers(counts, attack, tally, isWhole),
    ...judgeLines(server.takeLines(), attack),
    ...tally.faults,
  ]
  const latencies = report.latenciesMs
  const row: Row = {
    name: attack.name,
    honest: {
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      maxMs: percentile(latencies, 1),
      count: latencies.length,
    },
    seen,
    memory: { before, peak, after },
    faults,
  }
  return { row, isSound: server.isAlive() && isSettled }
}

/** Memory at rest, as soon as it is below `wanted` or the time is over. */
async function waitForMemory(server: Server, wanted: number): Promise<number> {
  const untilMs = performance.now() + MEMORY_WITHIN_MS
  let after = await server.restMemory()
  while (after > wanted && performance.now() < untilMs && server.isAlive()) {
    await pause(500)
    after = await server.restMemory()
  }
  return after
}
