// The Model Context Protocol on standard input and output, which carry nothing else.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Ask, createMcp } from './server.ts'

/** Serves until the input ends or the signal aborts. */
export async function serveStdio(ask: Ask, version: string, signal: AbortSignal): Promise<void> {
  const server = createMcp(ask, version)
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
}
