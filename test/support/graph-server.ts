// /graphql on a socket without the guard: every caller is let in, and charges are recorded.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { Caller } from '../../src/access/guard.ts'
import type { Graph } from '../../src/graph/http/graph.ts'
import { readJsonText } from '../../src/rest/edge/body.ts'
import { fakeCharge, SOMEBODY } from './graph.ts'

export interface Asked {
  status: number
  headers: Headers
  body: { data?: Record<string, unknown> | null; errors?: { message: string; extensions: Record<string, unknown> }[] }
}

/** Serves until the file's tests are done. `post` sends an operation as JSON. */
export async function serveGraph(graph: Pick<Graph, 'handle'>, caller: Caller = SOMEBODY) {
  const charge = fakeCharge()
  const server = createServer(async (request, response) => {
    // A body that is too large is refused before /graphql; here it is left to Yoga.
    const isShort = request.method === 'POST' && Number(request.headers['content-length']) < 16_000
    const body = isShort ? await readJsonText(request) : undefined
    await graph.handle(request, response, { caller, charge, body })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const send = async (init: RequestInit, query = ''): Promise<Asked> => {
    const response = await fetch(url + query, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} }
  }
  const post = (operation: unknown, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof operation === 'string' ? operation : JSON.stringify(operation),
    })
  return { url, send, post, charge }
}
