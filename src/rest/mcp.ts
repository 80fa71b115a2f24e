// /mcp: the Model Context Protocol over streamable HTTP, without sessions: each POST is one message and its answer. It
// is behind the same guard as /graphql: a message counts as one request, a tool as its query.
import type { IncomingMessage } from 'node:http'
import type { Response as Reply, RequestHandler } from 'express'
import type { Guard } from '../access/guard.ts'
import { invalid } from '../base/errors.ts'
import type { Graph } from '../graph/http/graph.ts'
import { admissionOf, admit, setLimitHeaders } from './edge/admit.ts'
import { checkSize, readJson } from './edge/body.ts'
import { onlyMethods } from './edge/public.ts'

/** The handlers of /mcp, in order. */
export function createMcpHandlers(guard: Guard, graph: Pick<Graph, 'ask'>, version: string): RequestHandler[] {
  const answer: RequestHandler = async (request, response) => {
    const admission = admissionOf(response)
    checkSize(request, request.originalUrl)
    const body = await readJson(request)
    if (!('json' in body)) throw invalid(body.faults)
    // A batch would run many tools for the price of one request; the protocol has none since 2025-06-18.
    if (Array.isArray(body.json))
      throw invalid([{ location: 'body', field: '', message: 'the body must be one message, not a list of them' }])
    // Loaded at the first message, because it takes a fifth of a second and 16 MB.
    const [{ answerMessage, PROTOCOL_HEADERS }, { createMcp }] = await Promise.all([
      import('../mcp/http.ts'),
      import('../mcp/server.ts'),
    ])
    const ask = async (document: string, variables: Record<string, unknown>) => {
      try {
        return await graph.ask(document, variables, admission)
      } finally {
        setLimitHeaders(response)
      }
    }
    const headers = pick(request, PROTOCOL_HEADERS)
    await send(response, await answerMessage(headers, body.json, () => createMcp(ask, version)))
  }
  return [onlyMethods(['POST']), admit(guard, () => 'POST /mcp'), answer]
}

const pick = ({ headers }: IncomingMessage, names: readonly string[]): Headers =>
  new Headers(
    names.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )

/** Sends an answer of the fetch interface; it is JSON or empty, never a stream. */
async function send(response: Reply, answer: Response): Promise<void> {
  response.status(answer.status)
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  response.end(await answer.text())
}
