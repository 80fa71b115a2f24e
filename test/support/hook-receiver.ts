// A receiver of webhooks on this machine: it keeps the requests, and answers as the test says.
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface ReceivedHook {
  headers: IncomingHttpHeaders
  body: string
}

/** Call it at the top of a test file. */
export async function createHookReceiver() {
  const received: ReceivedHook[] = []
  const thanks: RequestListener = (_, response) => response.end('thanks')
  const state = { received, answer: thanks }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      state.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    reset: () => {
      received.length = 0
      state.answer = thanks
    },
  })
}
