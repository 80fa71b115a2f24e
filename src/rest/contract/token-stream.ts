// GET /v1/stream/tokens: a list of GET /v1/tokens as it changes, as server-sent events. A reader that comes back
// continues after its last `id`.
import type { RequestHandler } from 'express'
import { invalid } from '../../base/errors.ts'
import { liftConditions } from '../../fields/field.ts'
import { CONDITIONS } from '../../fields/token.ts'
import type { Graph } from '../../graph/http/graph.ts'
import { toSse } from '../../stream/sse.ts'
import type { Streams } from '../../stream/streams.ts'
import type { Traffic } from '../edge/traffic.ts'
import { TOKEN_STREAM } from './documents.ts'
import { liftFields } from './lift.ts'
import { QUERIES, readScreenPlace } from './param.ts'
import { answerStream, readStreamQuery } from './send-stream.ts'
import { asArray, toRestToken } from './shape.ts'
import { throwInWireNames } from './variables.ts'

/** Below /v1. */
export const TOKEN_STREAM_PATH = '/stream/tokens'

/** The handler; it must be behind the guard. */
export const answerTokenStream =
  (streams: Streams, traffic: Traffic, { subscribe }: Pick<Graph, 'subscribe'>): RequestHandler =>
  async (request, response) => {
    const { values, faults } = await readStreamQuery(request, QUERIES.tokenStream, readScreenPlace)
    if (faults.length > 0) throw invalid(faults)
    const { ticket: _, ...asked } = values
    await answerStream(request, response, { streams, traffic, replaces: asked.after !== undefined }, (reader) =>
      subscribe(TOKEN_STREAM, liftConditions(CONDITIONS, asked), { ...streams, reader }, toMessage).catch((error) =>
        throwInWireNames(error, false),
      ),
    )
  }

function toMessage(answer: Record<string, unknown>): string {
  const { id, placed, ...update } = liftFields(TOKEN_STREAM, answer)
  const tokens = asArray(placed).map(({ token, ...place }) => ({
    ...place,
    token: token ? toRestToken(Object(token)) : null,
  }))
  return toSse({ id: String(id), data: JSON.stringify({ ...update, placed: tokens }) })
}
