// The Model Context Protocol on standard input and output, without any other output.
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { type Ask, createMcp } from './server.ts'

/** Serves until the input ends or the signal aborts. */
export async function serveStdio(ask: Ask, version: string, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // The tools never change, so there is nothing to subscribe to.
  const serving = serve(() => createMcp(ask, version), { maxSubscriptions: 0 })
  await ended
  await serving.close()
}
