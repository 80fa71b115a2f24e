// One message of the Model Context Protocol over HTTP, and its answer as JSON: no sessions, so that any process can answer any
// message.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type Ask, createMcp } from './server.ts'

/** Answers the message that the request brought; `body` is its JSON. */
export async function answerMessage(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  { ask, version }: { ask: Ask; version: string },
): Promise<void> {
  const server = createMcp(ask, version)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.once('close', () => void server.close())
  // The class and the interface of the SDK differ under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request, response, body)
}
