// Ponder on the same chain: installs its project once (only when the bench is asked to), runs it to the end of a range, and
// reads from its own log how many events it indexed and how long that took, its start not counted.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { GeneratedChain } from './generate.ts'

interface Line {
  msg?: string
  event_count?: number
  duration?: number
}

const folder = fileURLToPath(new URL('../ponder/', import.meta.url))
const PORT = '43117'

/** Events and seconds of Ponder up to the block; null where it can't be installed here. */
export async function runPonder(url: string, chain: GeneratedChain, end: number) {
  if (!existsSync(`${folder}node_modules/ponder`)) {
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    if (spawnSync('npm', install, { cwd: folder, stdio: 'ignore' }).status !== 0) return null
  }
  rmSync(`${folder}.ponder`, { recursive: true, force: true })
  const { factories, wrappedNative } = chain.preset as { factories: { address: string }[]; wrappedNative: string }
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
