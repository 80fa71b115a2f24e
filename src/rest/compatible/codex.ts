// Calls of Codex' GraphQL that its clients make most, answered from ours. A client needs another address and a key, and no
// other code: its queries may select any field of theirs.
import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import type { Guard } from '../../access/guard.ts'
import { AssayError, invalid } from '../../base/errors.ts'
import type { Graph } from '../../graph/http/graph.ts'
import { type RootField, readSelections } from '../../graph/run/selection.ts'
import { type Admission, admissionOf, admit, setLimitHeaders } from '../edge/admit.ts'
import { readJson } from '../edge/body.ts'
import { onlyMethods } from '../edge/public.ts'
import { respond } from '../edge/respond.ts'
import { nameBearer } from './bearer.ts'
import { CODEX_CALLS } from './codex-calls.ts'

export const CODEX_PATH = '/codex/graphql'
/** The largest query of their client has 68 KB. */
const MOST_BYTES = 128 * 1024
const MOST_CALLS = 5

const Body = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
})

/** The handlers of Codex' path, in order. */
export function createCodexHandlers(guard: Guard, graph: Pick<Graph, 'ask'>): RequestHandler[] {
  const answer: RequestHandler = async (request, response) => {
    const admission = admissionOf(response)
    const body = await answerQuery(graph, request, admission).catch((error: unknown) => {
      if (!(error instanceof AssayError) || (error.status !== 400 && error.status !== 404)) throw error
      return { data: null, errors: [{ message: error.message, extensions: { code: error.code } }] }
    })
    setLimitHeaders(response)
    await respond(request, response, {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: JSON.stringify(body),
    })
  }
  return [onlyMethods(['POST']), nameBearer, admit(guard, () => `POST ${CODEX_PATH}`), answer]
}

async function answerQuery({ ask }: Pick<Graph, 'ask'>, request: Request, admission: Admission) {
  const sent = await readJson(request, MOST_BYTES)
  if (!('json' in sent)) throw invalid(sent.faults)
  const { success, data: body } = Body.safeParse(sent.json)
  if (!success)
    throw invalid([{ location: 'body', field: 'query', message: 'the body must have query, and may have variables' }])
  const fields = readSelections(body.query, body.variables ?? {}, body.operationName ?? undefined)
  if (fields.length > MOST_CALLS)
    throw invalid([{ location: 'body', field: 'query', message: `query: it may have up to ${MOST_CALLS} calls` }])
  const answers: [string, unknown][] = []
  for (const field of fields) answers.push([field.key, await answerCall(field, ask, admission)])
  return { data: Object.fromEntries(answers) }
}

async function answerCall({ name, args, select }: RootField, ask: Graph['ask'], admission: Admission) {
  const call = Object.hasOwn(CODEX_CALLS, name) ? CODEX_CALLS[name] : undefined
  if (!call) {
    const message = `query: ${name.slice(0, 60)} is not answered here; ${Object.keys(CODEX_CALLS).join(', ')} are`
    throw invalid([{ location: 'body', field: 'query', message }])
  }
  return select(await call(args, { ask, admission }))
}
