// Starts the process that runs SQL, and kills it. Where the system can, the process has a limit of memory: DuckDB's own
// limit leaves out some values, and `repeat('x', 3e9)` took 5.9 GB without it.
import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job, JobReply, ProcessOptions, QueryResult } from './job.ts'

/** Memory of the process beside that of DuckDB. */
const OWN_MB = 512
/** The heap of JavaScript in it, which holds the rows of an answer. */
const HEAP_MB = 128
/** The priority below that of the program, whose answers come first. */
const NICE = 10

/** The limit, then the process in place of the shell. A lower limit of the system stays. */
const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec "$@"'

export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly kind: 'refused' | 'memory' | 'broken' | 'time'

  constructor(kind: JobFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export interface SqlProcess {
  ready: Promise<void>
  /** Runs a job. The process is killed when the time is over, or the signal aborts. */
  run(job: Job, withinMs: number, signal?: AbortSignal): Promise<QueryResult | null>
  kill(): void
  /** Resolves when the process is gone. */
  gone: Promise<void>
}

export function startSqlProcess(options: ProcessOptions, startWithinMs: number): SqlProcess {
  const child = open(options)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const kill = () => void child.kill('SIGKILL')
  const next = (withinMs: number, signal?: AbortSignal) => nextReply(child, kill, withinMs, signal)
  // A query is not to blame for a process that does not start.
  const ready = next(startWithinMs).then(
    () => {},
    (error: Error) => {
      throw new JobFailure('broken', error.message)
    },
  )
  ready.catch(() => {})
  return {
    ready,
    kill,
    gone,
    run: async (job, withinMs, signal) => {
      await ready
      signal?.throwIfAborted()
      const reply = next(withinMs, signal)
      child.send(job, (error) => error && kill())
      const answered = await reply
      if ('fault' in answered) throw new JobFailure(answered.fault.kind, answered.fault.message)
      return 'done' in answered ? answered.done : null
    },
  }
}

function open(options: ProcessOptions): ChildProcess {
  const here = import.meta.url
  const extension = extname(here)
  // Node cannot run TypeScript by itself.
  const loader = extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : []
  const file = fileURLToPath(new URL(`./child${extension}`, here))
  const args = [`--max-old-space-size=${HEAP_MB}`, ...loader, file, JSON.stringify(options)]
  const most = String((options.memoryMb + OWN_MB) * 1_024)
  const [command, given] =
    process.platform === 'win32'
      ? [process.execPath, args]
      : ['/bin/sh', ['-c', LIMITED, most, process.execPath, ...args]]
  // Without the environment, which has secrets.
  const child = spawn(command, given, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => {})
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICE)
  } catch {
    // It may be gone already.
  }
  return child
}

/** The next message. The process is killed if none comes in time. */
function nextReply(child: ChildProcess, kill: () => void, withinMs: number, signal?: AbortSignal): Promise<JobReply> {
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      child.off('error', onExit)
      signal?.removeEventListener('abort', onAbort)
      then()
    }
    const onMessage = (reply: JobReply) => end(() => resolve(reply))
    // Without a word: the system refused it memory, or it crashed.
    const onExit = () => end(() => reject(new JobFailure('memory', 'the process ended')))
    const onAbort = () => {
      kill()
      end(() => reject(signal?.reason))
    }
    const timer = setTimeout(() => {
      kill()
      end(() => reject(new JobFailure('time', `it took longer than ${withinMs} ms`)))
    }, withinMs)
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.once('error', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
