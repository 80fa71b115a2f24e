// The thread that watches the main thread. It counts its own ticks rather than time, because it does not tick while the
// process is stopped or the machine sleeps. It ends the process with SIGKILL, because nothing else ends a process whose
// main thread is blocked.
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { workerData } from 'node:worker_threads'
import { systemClock } from '../base/clock.ts'
import { redact } from './redact.ts'
import { createTerminal } from './terminal.ts'
import { openMemory, type WatchdogData } from './watchdog-memory.ts'

/** Maximum number of requests in the last log line. */
const NAMED = 8
const STANDARD_ERROR = 2

const { memory, stallMs, leaveMs, beatMs } = workerData as WatchdogData
const shared = openMemory(memory)
let lastBeat = -1
let silentTicks = 0
let leavingTicks = 0

function look(): void {
  const beat = shared.get('beat')
  const isDebugged = shared.get('debugged') === 1
  silentTicks = beat === lastBeat && !isDebugged ? silentTicks + 1 : 0
  lastBeat = beat
  if (shared.get('leaving') === 1 && !isDebugged) leavingTicks += 1
  if (silentTicks * beatMs >= stallMs) end(`the event loop was blocked for ${stallMs / 1000} s; killing the process`)
  else if (leavingTicks * beatMs >= leaveMs) end('the process did not end in time after its signal; killing it')
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
