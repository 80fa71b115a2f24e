// The thread that watches the main thread. The main thread is blocked if it used much processor time without a turn of
// its event loop. On a busy machine a healthy one may get none for long. Waits are counted in ticks of this thread, which
// does not tick while the process is stopped or the machine sleeps. It ends the process with SIGKILL, because nothing
// else ends a process whose main thread is blocked.
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { workerData } from 'node:worker_threads'
import { systemClock } from '../base/clock.ts'
import { redact } from './redact.ts'
import { createTerminal } from './terminal.ts'
import { readMainThread } from './thread-time.ts'
import { openMemory, type WatchdogData } from './watchdog-memory.ts'

/** Maximum number of requests in the last log line. */
const NAMED = 8
const STANDARD_ERROR = 2
/** A thread that sleeps in a call of the system may wait for another process, which may wait for a processor. */
const ASLEEP_FACTOR = 6

const { memory, stallMs, leaveMs, beatMs } = workerData as WatchdogData
const shared = openMemory(memory)
let lastBeat = -1
let leavingTicks = 0
/** Processor time of the main thread: when its silence was noticed, and at the last look. Null while it beats. */
let silence: { sinceMs: number; lastMs: number; asleepTicks: number } | null = null

function look(): void {
  const beat = shared.get('beat')
  const isDebugged = shared.get('debugged') === 1
  if (beat !== lastBeat || isDebugged) silence = null
  else lookAtSilent()
  lastBeat = beat
  if (shared.get('leaving') === 1 && !isDebugged) leavingTicks += 1
  if (leavingTicks * beatMs >= leaveMs) end('the process did not end in time after its signal; killing it')
}

function lookAtSilent(): void {
  const { cpuMs, isAsleep } = readMainThread()
  silence ??= { sinceMs: cpuMs, lastMs: cpuMs, asleepTicks: 0 }
  if (isAsleep && cpuMs === silence.lastMs) silence.asleepTicks += 1
  silence.lastMs = cpuMs
  const asleepMs = ASLEEP_FACTOR * stallMs
  if (cpuMs - silence.sinceMs >= stallMs)
    end(`the event loop was blocked for ${stallMs / 1000} s of processor time; killing the process`)
  if (silence.asleepTicks * beatMs >= asleepMs)
    end(`the event loop waited for a call of the system for ${asleepMs / 1000} s; killing the process`)
}

function end(msg: string): void {
  const requests = shared.readAll()
  const line = JSON.stringify({
    level: 'fatal',
    time: systemClock.now().toISOString(),
    requests: requests.slice(0, NAMED),
    under_way: requests.length,
    msg,
  })
  const format = isatty(STANDARD_ERROR) ? createTerminal() : (text: string) => `${text}\n`
  try {
    writeSync(STANDARD_ERROR, format(redact(line)))
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}

setInterval(look, beatMs)
