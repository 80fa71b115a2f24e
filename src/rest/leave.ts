// How a server ends without a request being cut off. First it says so: answers close their connections, and load balancers
// find `/readyz` at 503 while it still accepts. Then it takes no more and waits for what is under way.
import type { Server } from 'node:http'
import type { Clock } from '../base/clock.ts'
import type { createConnections } from './connections.ts'
import type { Pipeline } from './pipeline.ts'
import type { Traffic } from './traffic.ts'

/** How long a stop waits for requests that are under way: the process has 5 s for everything. */
const FINISH_MS = 1_500
/** How often a stop looks for connections that have nothing more to do. */
const SWEEP_MS = 50
/**
 * A port that closes resets the connections that the kernel took a moment before. So that clients have none to open then,
 * they wait for an answer meanwhile.
 */
const HOLD_MS = 100

export interface LeavingParts {
  server: Server
  traffic: Traffic
  clock: Clock
  pipeline: Pipeline
  connections: ReturnType<typeof createConnections>
}

/** From now on every answer closes its connection; resolves after the time in which connections are still accepted. */
export async function leavePolitely({ traffic, clock, pipeline }: LeavingParts, drainMs: number): Promise<void> {
  traffic.isLeaving = true
  pipeline.closeAfterAnswers()
  if (drainMs > 0) await clock.sleep(drainMs)
}

/** Closes the port, with answers held meanwhile if asked, and resolves when the last connection is closed. */
export async function stop(parts: LeavingParts, holds: boolean): Promise<void> {
  const { clock, pipeline } = parts
  if (holds) {
    pipeline.pause()
    await clock.sleep(HOLD_MS)
    // After what has just arrived was read.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const closed = close(parts)
  pipeline.resume()
  await closed
}

function close({ server, connections }: LeavingParts): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), FINISH_MS)
    // A connection becomes idle when its request is done; nobody tells.
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
