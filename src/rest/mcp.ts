// /mcp: the Model Context Protocol over streamable HTTP, without sessions: each POST is one message and its answer. Behind the
// same guard as /graphql: a message counts as one request, a tool as what its query costs.
import type { RequestHandler } from 'express'
import type { Guard } from '../access/guard.ts'
import { invalid } from '../base/errors.ts'
import type { Graph } from '../graph/graph.ts'
import { admit, localsOf, setLimitHeaders } from './admit.ts'
import { checkSize, readJson } from './body.ts'
import { refuseMethod } from './public.ts'

/** The handlers of /mcp, in order. */
export function createMcpHandlers(guard: Guard, graph: Pick<Graph, 'ask'>, version: string): RequestHandler[] {
  const onlyPost: RequestHandler = (request, response, next) =>
    request.method === 'POST' ? next() : refuseMethod(['POST'])(request, response, next)
  const answer: RequestHandler = async (request, response) => {
    const { admission } = localsOf(response)
    if (!admission) throw new Error('the route is not mounted behind the guard')
    checkSize(request, request.originalUrl)
    const body = await readJson(request)
    if (!('json' in body)) throw invalid(body.faults)
    // A batch would be many tools for the time of one request; the protocol has none since 2025-06-18.
    if (Array.isArray(body.json))
      throw invalid([{ location: 'body', field: '', message: 'the body must be one message, not a list of them' }])
    // Loaded at the first message: it takes a fifth of a second and 16 MB.
    const { answerMessage } = await import('../mcp/http.ts')
    const ask = async (document: string, variables: Record<string, unknown>) => {
      try {
        return await graph.ask(document, variables, admission)
      } finally {
        setLimitHeaders(response)
      }
    }
    await answerMessage(request, response, body.json, { ask, version })
  }
  return [onlyPost, admit(guard), answer]
}
