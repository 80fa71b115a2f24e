// Ponder on the same chain: installs its project once (only when the bench is asked to), runs it to the end of a range, and
// reads from its own log how many events it indexed and how long that took, its start not counted.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Chain } from './chain.ts'
import { type Goal, perSecond, say } from './report.ts'

interface Line {
  msg?: string
  event_count?: number
  duration?: number
}

const folder = fileURLToPath(new URL('../ponder/', import.meta.url))
const PORT = '43117'

/** Events and seconds of Ponder up to the block; null where it can't be installed here. */
async function runPonder(url: string, chain: Chain, end: number) {
  if (!existsSync(`${folder}node_modules/ponder`)) {
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    if (spawnSync('npm', install, { cwd: folder, stdio: 'ignore' }).status !== 0) return null
  }
  rmSync(`${folder}.ponder`, { recursive: true, force: true })
  const { factories, wrappedNative } = chain.preset
  const child = spawn(
    `${folder}node_modules/.bin/ponder`,
    ['start', '--schema', 'bench', '--port', PORT, '--log-format', 'json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, PONDER_TELEMETRY_DISABLED: 'true' },
        ...{ BENCH_RPC: url, BENCH_CHAIN_ID: String(chain.chainId), BENCH_END: String(end) },
        ...{ BENCH_FACTORY: factories[0]?.address, BENCH_WETH: wrappedNative },
      },
    },
  )
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  let events = 0
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as Line
      if (line.msg === 'Indexed block range') events += line.event_count ?? 0
      if (line.msg === 'Completed indexing across all chains') return { events, seconds: (line.duration ?? 0) / 1000 }
    }
    return null
  } finally {
    stop()
    await once(child, 'exit').catch(() => {})
    rmSync(`${folder}.ponder`, { recursive: true, force: true })
  }
}

const LEAST_FACTOR = 20

/** Runs Ponder over the first blocks that hold so many logs; `seconds` is what Assay took for all. */
export async function comparePonder(
  chain: Chain,
  { most, seconds }: { most: number; seconds: number },
): Promise<Goal[]> {
  const end = Math.min(chain.blocks - 1, Math.ceil((most * chain.blocks) / chain.logs))
  const ponder = await runPonder(chain.url, chain, end)
  if (!ponder) {
    say('Ponder: could not be installed or run here')
    return []
  }
  const rate = ponder.events / ponder.seconds
  say(
    `Ponder, ${ponder.events} logs of the same chain (PGlite, start not counted): ${perSecond(ponder.events, ponder.seconds)}`,
  )
  const factor = chain.readableLogs / seconds / rate
  const value = `${factor.toFixed(1)} times`
  return [{ name: 'rate against Ponder', value, goal: `at least ${LEAST_FACTOR} times`, isMet: factor >= LEAST_FACTOR }]
}
