// Graceful shutdown. First every answer closes its connection and `/readyz` answers 503 while the port still accepts,
// so that load balancers move away. Then the port closes and the running requests finish.
import type { Server } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { createConnections } from './connections.ts'
import type { Pipeline } from './pipeline.ts'
import type { Traffic } from './traffic.ts'

/** How long `stop` waits for running requests. The whole process has 5 s to stop. */
const FINISH_MS = 1_500
/** How often `stop` looks for connections that became idle. */
const SWEEP_MS = 50
/**
 * Closing a port resets connections that the kernel accepted and Node has not. Answers are therefore delayed first:
 * clients wait for them and open no new connections. The delay ends when no connection has come for this time, because
 * a client on a busy machine is slow.
 */
const HOLD_MS = 100
/** The longest delay of answers; the last wait may end after it. */
const MOST_HELD_MS = 1_000

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

/** The state of a port that other processes share. */
export interface SharedPort {
  /** Resolves once the other processes have passed on the connections that they took for this one. */
  handedOver(): Promise<void>
  /** Reports that this process has closed the port; resolves once all have. */
  closedByAll(): Promise<void>
}

/**
 * Closes the port, after delaying answers if `holds`, and resolves when the last connection is closed. Answers are
 * delayed until all processes have closed the port. A client with an earlier answer would open its next connection at
 * another process, and lose it when that one closes the port.
 */
export async function stop(parts: LeavingParts, holds: boolean, shared?: SharedPort): Promise<void> {
  const { server, clock, pipeline, connections } = parts
  if (holds) {
    pipeline.pause()
    const untilMs = clock.monotonicMs() + MOST_HELD_MS
    for (let seen = -1; seen !== connections.accepted() && clock.monotonicMs() < untilMs; ) {
      seen = connections.accepted()
      await clock.sleep(HOLD_MS)
      await shared?.handedOver()
    }
    // Let Node read the data that has just arrived.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if (holds) await shared?.closedByAll()
  pipeline.resume()
  const timeout = setTimeout(() => server.closeAllConnections(), FINISH_MS)
  // Node has no event for a connection that becomes idle, so look for them.
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    connections.closeUnused()
  }, SWEEP_MS)
  await closed
  clearTimeout(timeout)
  clearInterval(sweep)
}
