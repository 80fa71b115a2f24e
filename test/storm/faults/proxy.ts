// A node behind a proxy that spoils some answers. Input: a node, and one fault at a time. Output: its URL, and whether the
// fault is used up.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, Call, Fault, Http } from './fault.ts'

export interface FaultProxy {
  url: string
  /** From now on this fault, `times` times. `fails` spoils one request before it, so that the endpoint is doubted. */
  arm(fault: Fault, fails?: boolean): void
  /** How many requests the armed fault has still to spoil. */
  left(): number
  /** No fault any more. */
  disarm(): void
  close(): void
}

type Answered = Answer & { id: unknown }

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault | null = null
  let left = 0
  let fails = false

  async function handle(body: string, response: ServerResponse): Promise<void> {
    const parsed = JSON.parse(body) as Call | Call[]
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    const honest = await fetch(target, { method: 'POST', body })
    const text = await honest.text()
    if (fails) {
      fails = false
      return void response.writeHead(503).end()
    }
    const hit = fault && left > 0 ? calls.findIndex((call) => fault?.of?.(call) ?? true) : -1
    if (!fault || hit < 0) return send(response, 200, text)
    if (fault.http) {
      left -= 1
      return sendHttp(response, fault.http, text)
    }
    const told = JSON.parse(text) as Answered | Answered[]
    const answers = Array.isArray(told) ? told : [told]
    const { item } = fault
    // A batch of blocks is spoiled at another place each time: first, in the middle, last.
    const places = calls.flatMap((call, at) => (fault?.of?.(call) ? [at] : []))
    const place = places[Math.floor((left * 7 + places.length) / 2) % places.length] ?? hit
    const call = calls[place]
    const own = answers.find(({ id }) => id === call?.id)
    const spoiled = call && own && item?.(call, own)
    if (!spoiled) return send(response, 200, text)
    left -= 1
    const changed = answers.map((each) => (each === own ? { jsonrpc: '2.0', id: each.id, ...spoiled } : each))
    send(response, 200, JSON.stringify(Array.isArray(told) ? changed : changed[0]))
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    await handle(body, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(next, withFailure = false) {
      fault = next
      left = next.times ?? 1
      fails = withFailure
    },
    left: () => left,
    disarm() {
      fault = null
      left = 0
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function sendHttp(response: ServerResponse, http: Http, honest: string): void {
  if ('reset' in http) response.socket?.destroy()
  else if ('cut' in http) send(response, 200, honest.slice(0, honest.length / 2))
  else if ('status' in http) send(response, http.status, http.body ?? '', http.headers)
  else {
    const told = JSON.parse(honest) as object | object[]
    const reshaped = http.reshape(Array.isArray(told) ? told : [told])
    const isWhole = Array.isArray(told) || !Array.isArray(reshaped)
    send(response, 200, JSON.stringify(isWhole ? reshaped : (reshaped[0] ?? {})))
  }
}
