// The program under attack: the build (or the sources) as a process, with its memory as the operating system reports
// it. SIGUSR2 triggers a garbage collection, so that retained memory can be told from garbage.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { programEntry } from '../../support/build.ts'

export interface Server {
  origin: string
  child: ChildProcess
  ended: Promise<number | null>
  isAlive(): boolean
  /** Lines of standard error since the last call. */
  takeLines(): string[]
  /** Bytes in memory after a garbage collection. */
  restMemory(): Promise<number>
  /** Restarts the measurement of the peak. */
  resetPeak(): void
  peakMemory(): number
  /** Connections that it has open; null where the system does not tell. */
  countConnections(): number | null
  stop(): Promise<number | null>
}

export interface ServerOptions {
  environment: Record<string, string>
  /** Run the build in `dist`; otherwise the sources, compiled for the run. */
  isBuilt: boolean
}

const HEAP_MB = 512
const START_WITHIN_MS = 60_000
/** Of the last resort, because V8 else keeps the pages that it has freed (100 MB of them were seen) until it is idle. */
const COLLECT = 'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc({type:"major",flavor:"last-resort"}))'
/** Time for a garbage collection. */
const COLLECT_MS = 300

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

/** The arguments that start the program from the build, or as a test run compiled it. */
const entryOf = (isBuilt: boolean): string[] => (isBuilt ? [pathOf('dist/main.js')] : programEntry())

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the program and waits for its address. */
export async function startServer({ environment, isBuilt }: ServerOptions): Promise<Server> {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--import', COLLECT]
  const child = spawn(process.execPath, [...flags, ...entryOf(isBuilt), 'serve'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const takeLines = keepLines(child)
  const origin = await readOrigin(child, ended).catch((error: Error) => {
    child.kill('SIGKILL')
    throw new Error(`${error.message}: ${takeLines().join('\n')}`)
  })
  const pid = child.pid ?? 0
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    origin,
    child,
    ended,
    isAlive,
    takeLines,
    restMemory: async () => {
      if (isAlive()) child.kill('SIGUSR2')
      await new Promise((resolve) => setTimeout(resolve, COLLECT_MS))
      return readMemory(pid, 'VmRSS')
    },
    resetPeak: () => {
      try {
        writeFileSync(`/proc/${pid}/clear_refs`, '5')
      } catch {
        // On other systems the peak covers the whole life of the process.
      }
    },
    peakMemory: () => readMemory(pid, 'VmHWM'),
    countConnections: () => countConnections(Number(new URL(origin).port)),
    stop: async () => {
      if (!isAlive()) return ended
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 8_000)
      const code = await ended
      clearTimeout(killer)
      return code
    },
  }
}

/** Bytes; 0 if the system does not report them or the process is gone. */
function readMemory(pid: number, name: string): number {
  try {
    const [, kilobytes = '0'] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}

/** By the system's own table: a client that does not read is not told that the other end has closed. */
function countConnections(port: number): number | null {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const established = '01'
  try {
    return readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, from, , state]) => from?.endsWith(local) && state === established).length
  } catch {
    return null
  }
}

function keepLines(child: ChildProcess): () => string[] {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  return () => {
    const lines = said.split('\n')
    said = lines.pop() ?? ''
    return lines
  }
}

function readOrigin(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error('the program did not say where it listens')), START_WITHIN_MS)
    void ended.then((code) => reject(new Error(`the program ended with ${code}`)))
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const [, found] = /REST +(https?:\S+)\/v1/.exec(said) ?? []
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    })
  })
}

/** Runs a command of the program to its end. */
export async function runCommand(args: string[], { environment, isBuilt }: ServerOptions) {
  const child = spawn(process.execPath, [...entryOf(isBuilt), ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [said, complained] = ['', '']
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    complained += String(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  running.delete(child)
  return { code, said, complained }
}
