// The size of the program: memory at rest, the time until it is ready, and the bytes of its installation.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from './compare.ts'
import { type Ends, end, hear, PROGRAM } from './servers.ts'

/** The built files, and the bundle of them that `npm start` makes and runs. */
export const WAYS: Readonly<Record<string, string>> = {
  built: PROGRAM,
  bundle: fileURLToPath(new URL('../../src/start.mjs', import.meta.url)),
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Time in which what a start leaves behind is let go. */
const REST_MS = 20_000
/** Starts on existing data that are counted. */
const STARTS = 3
const READY = /REST +(http:\S+)\/v1/

/** Resident memory of a process in MB, without that of its children. */
const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

interface Run {
  child: ChildProcess
  /** Until it said that it is ready. */
  seconds: number
}

async function begin(
  ends: Ends,
  program: string,
  folder: string,
  more: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<Run> {
  const started = performance.now()
  const environment = {
    ...process.env,
    PORT: '0',
    REDIS_URL: '',
    DATA_DIR: join(folder, 'data'),
    DEMO: 'still',
    ...more,
  }
  const child = spawn(process.execPath, [program, 'serve', ...args], {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  ends.unshift(() => end(child))
  await hear(child, READY)
  return { child, seconds: (performance.now() - started) / 1000 }
}

/** Memory of an API process that nobody asks anything, on this database. */
export async function measureIdleApi(ends: Ends, program: string, url: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lean-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const { child } = await begin(ends, program, folder, { DATABASE_URL: url }, ['--roles', 'api'])
  await setTimeout(REST_MS)
  const memory = memoryOf(child)
  await end(child)
  return memory
}

/**
 * The program with its own database on the demo chain: memory at rest afterwards, and the median of three starts on the
 * same data.
 */
export async function measureDemo(ends: Ends, program: string): Promise<{ memory: number; seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lean-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const { DATABASE_URL: _, ...rest } = process.env
  const first = await begin(ends, program, folder, { ...rest, DATABASE_URL: undefined }, [])
  await setTimeout(REST_MS)
  const memory = memoryOf(first.child)
  await end(first.child)
  const starts: number[] = []
  for (let at = 0; at < STARTS; at += 1) {
    const again = await begin(ends, program, folder, { ...rest, DATABASE_URL: undefined }, [])
    starts.push(again.seconds)
    await end(again.child)
  }
  return { memory, seconds: median(starts) }
}

/** What `npm ci --omit=dev` brings: MB and seconds; null where it cannot be had here. */
export function measureInstallation(ends: Ends): { megabytes: number; seconds: number } | null {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lean-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['.npmrc', 'package.json', 'package-lock.json', 'test/support/anvil'])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true })
  const started = performance.now()
  const run = spawnSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  if (run.status !== 0) return null
  const seconds = (performance.now() - started) / 1000
  const size = spawnSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' }).stdout
  return { megabytes: Number.parseInt(size, 10) / 1024, seconds }
}
