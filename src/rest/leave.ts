// Graceful shutdown. First every answer closes its connection and `/readyz` answers 503 while the port still accepts,
// so that load balancers move away. Then the port closes and the running requests finish.
import type { Server } from 'node:http'
import type { Clock } from '../base/clock.ts'
import type { createConnections } from './connections.ts'
import type { Pipeline } from './pipeline.ts'
import type { Traffic } from './traffic.ts'

/** How long `stop` waits for running requests. The whole process has 5 s to stop. */
const FINISH_MS = 1_500
/** How often `stop` looks for connections that became idle. */
const SWEEP_MS = 50
/**
 * Closing a port resets connections that the kernel accepted but Node has not. Answers are held back first, so that clients wait
 * for theirs and open no new connections, until none has come for this time: a client on a busy machine is slow to come.
 */
const HOLD_MS = 100
/** Answers are held back for so many of these times at most. */
const MOST_HOLDS = 10

export interface LeavingParts {
  server: Server
  traffic: Traffic
  clock: Clock
  pipeline: Pipeline
  connections: ReturnType<typeof createConnections>
}

/**
 * From now on every answer closes its connection. Resolves after `drainMs`, when connections may stop being accepted.
 */
export async function leavePolitely({ traffic, clock, pipeline }: LeavingParts, drainMs: number): Promise<void> {
  traffic.isLeaving = true
  pipeline.closeAfterAnswers()
  if (drainMs > 0) await clock.sleep(drainMs)
}

/** Closes the port, after holding answers back if `holds`, and resolves when the last connection is closed. */
export async function stop(parts: LeavingParts, holds: boolean): Promise<void> {
  const { clock, pipeline, connections } = parts
  if (holds) {
    pipeline.pause()
    for (let seen = -1, held = 0; seen !== connections.accepted() && held < MOST_HOLDS; held += 1) {
      seen = connections.accepted()
      await clock.sleep(HOLD_MS)
    }
    // Let Node read what has just arrived.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const closed = close(parts)
  pipeline.resume()
  await closed
}

function close({ server, connections }: LeavingParts): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), FINISH_MS)
    // Node has no event for a connection that becomes idle, so look for them.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      connections.closeUnused()
    }, SWEEP_MS)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(sweep)
      resolve()
    })
  })
}
