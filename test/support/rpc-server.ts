// A provider over real HTTP that misbehaves by script. Input: a chain and interventions. The first intervention that
// applies answers a request; otherwise the chain does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeChain, FakeFault } from './fake-chain.ts'

export interface RpcRequest {
  id: number
  method: string
  params: unknown[]
}

/** The answer instead: a JSON-RPC fault, any result, raw HTTP, or nothing at all. */
export type Misbehaviour =
  | { error: FakeFault; status?: number; headers?: Record<string, string> }
  | { result: unknown }
  | { status?: number; headers?: Record<string, string>; body: string }
  | { hang: true }
  | { slow: string }
  | { reset: true }

/** Gets the requests of one HTTP call and the number of calls before; returns undefined when it does not apply. */
export type Intervention = (requests: readonly RpcRequest[], call: number) => Misbehaviour | undefined

export interface RpcServer {
  url: string
  /** The HTTP calls, each with its requests. */
  calls: RpcRequest[][]
  intervene(intervention: Intervention): void
  /** Replaces the answer to single JSON-RPC items, also inside batches. */
  replace(item: (request: RpcRequest) => { result: unknown } | { error: FakeFault } | undefined): void
  /** Reverses the order of the answers in batches. */
  reverseBatches(): void
  close(): Promise<void>
}

/** Misbehaves for the next `count` calls of the method. */
export function times(count: number, method: string, misbehaviour: Misbehaviour): Intervention {
  let left = count
  return (requests) => {
    if (left === 0 || !requests.some((request) => request.method === method)) return undefined
    left -= 1
    return misbehaviour
  }
}

export async function startRpcServer(chain: FakeChain): Promise<RpcServer> {
  const interventions: Intervention[] = []
  const items: Parameters<RpcServer['replace']>[0][] = []
  const calls: RpcRequest[][] = []
  let reversed = false

  function answerItem(request: RpcRequest) {
    for (const item of items) {
      const replaced = item(request)
      if (replaced) return { jsonrpc: '2.0', id: request.id, ...replaced }
    }
    return { jsonrpc: '2.0', id: request.id, ...chain.answer(request.method, request.params) }
  }

  async function handle(message: IncomingMessage, response: ServerResponse) {
    const parsed = JSON.parse(await readBody(message)) as RpcRequest | RpcRequest[]
    const requests = Array.isArray(parsed) ? parsed : [parsed]
    calls.push(requests)
    for (const intervention of interventions) {
      const misbehaviour = intervention(requests, calls.length - 1)
      if (misbehaviour) return misbehave(misbehaviour, requests, response)
    }
    const answers = requests.map(answerItem)
    if (reversed) answers.reverse()
    sendJson(response, 200, Array.isArray(parsed) ? answers : answers[0])
  }

  const server = createServer((message, response) => void handle(message, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    intervene: (intervention) => void interventions.push(intervention),
    replace: (item) => void items.push(item),
    reverseBatches: () => {
      reversed = true
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function misbehave(misbehaviour: Misbehaviour, requests: readonly RpcRequest[], response: ServerResponse): void {
  if ('hang' in misbehaviour) return
  if ('reset' in misbehaviour) return void response.socket?.destroy()
  if ('slow' in misbehaviour) {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.write(misbehaviour.slow)
  }
  if ('body' in misbehaviour) {
    response.writeHead(misbehaviour.status ?? 200, { 'content-type': 'text/html', ...misbehaviour.headers })
    return void response.end(misbehaviour.body)
  }
  const { status = 200, headers = {} } = misbehaviour as { status?: number; headers?: Record<string, string> }
  const { status: _, headers: __, ...said } = misbehaviour as Record<string, unknown>
  const answers = requests.map(({ id }) => ({ jsonrpc: '2.0', id, ...said }))
  sendJson(response, status, answers.length === 1 ? answers[0] : answers, headers)
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readBody(message: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of message) body += String(chunk)
  return body
}
