// One message of the Model Context Protocol over HTTP, and its answer as JSON: no sessions, so that any process can
// answer any message. Serves the stateless version of 2026-07-28, and the earlier versions, which open with
// `initialize`.
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** The request headers that the protocol reads. The tools need no other, least of all the key. */
export const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Answers the message of a POST with these headers; `create` makes the server that answers it. */
export async function answerMessage(headers: Headers, message: unknown, create: () => McpServer): Promise<Response> {
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  const given = { parsedBody: message }
  if (await isLegacyRequest(request, message)) return answerByOldVersion(request, given, create())
  // A subscription would be a stream without end, and the tools never change: it is refused.
  return createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, given)
}

/** The package's own handling of older versions answers as an event stream; this one answers as JSON. */
async function answerByOldVersion(request: Request, given: { parsedBody: unknown }, server: McpServer) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, given)
  } finally {
    await server.close()
  }
}
