// A node's WebSocket that tells of new blocks, and what it may do instead.
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../../src/base/clock.ts'
import { createBell } from '../../../src/chain/follow/bell.ts'
import { listenToHeads } from '../../../src/chain/follow/head-socket.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`
const notice = (number: number) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: {
    subscription: '0x1',
    result: { number: `0x${number.toString(16)}`, hash: hash('a'), parentHash: hash('b') },
  },
})

const servers: WebSocketServer[] = []
const stop = new AbortController()
afterAll(() => {
  stop.abort()
  for (const server of servers) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

/** Starts a node that does something with each connection, and listens to it. Waits between connections end at once. */
async function listen(answer: (socket: WebSocket, request: unknown, connection: number) => void, silentMs = 60_000) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  let connections = 0
  const headers: (string | undefined)[] = []
  server.on('connection', (socket, { headers: { authorization } }) => {
    const connection = ++connections
    headers.push(authorization)
    socket.on('message', (text) => answer(socket, JSON.parse(String(text)), connection))
  })
  const told: number[] = []
  const notices: string[] = []
  const pauses: number[] = []
  const clock = {
    ...systemClock,
    sleep: async (ms: number, signal?: AbortSignal) => {
      pauses.push(ms)
      await systemClock.sleep(5, signal)
    },
  }
  const bell = { ...createBell(clock), tell: ({ number }: { number: number }) => void told.push(number) }
  const onNotice = (text: string) => void notices.push(text.replace(String(port), 'PORT'))
  void listenToHeads({
    url: `ws://me:secret@127.0.0.1:${port}/key`,
    bell,
    clock,
    signal: stop.signal,
    onNotice,
    silentMs,
  })
  return { told, notices, pauses, headers, count: () => connections }
}

test('tells of the blocks of a subscription, and says so once', async () => {
  const requests: unknown[] = []
  const { told, notices, headers } = await listen((socket, request) => {
    requests.push(request)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    for (const number of [5, 6]) socket.send(JSON.stringify(notice(number)))
  })
  await expect.poll(() => told).toEqual([5, 6])
  expect(requests).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }])
  expect(notices).toEqual(['127.0.0.1:PORT tells of new blocks'])
  expect(headers).toEqual([`Basic ${Buffer.from('me:secret').toString('base64')}`])
})

test('connects again after the end of a connection, and says when it is heard again', async () => {
  const { told, notices } = await listen((socket, _, connection) => {
    socket.send(JSON.stringify(notice(connection)))
    if (connection < 3) socket.close()
  })
  await expect.poll(() => told).toEqual([1, 2, 3])
  expect(notices).toEqual([
    '127.0.0.1:PORT tells of new blocks',
    '127.0.0.1:PORT tells of no new blocks (the connection ended): they are looked for by time until it does',
    '127.0.0.1:PORT tells of new blocks',
    '127.0.0.1:PORT tells of no new blocks (the connection ended): they are looked for by time until it does',
    '127.0.0.1:PORT tells of new blocks',
  ])
})

test.each<[deed: string, text: string | undefined, reason: string, silentMs?: number]>([
  [
    'refuses the subscription',
    JSON.stringify({ id: 1, error: { message: '\u001b[31mno' } }),
    'it refused the subscription',
  ],
  ['sends a megabyte', 'x'.repeat(2 ** 20), 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'],
  ['stays silent', undefined, 'silent for 0.05 s', 50],
  ['sends other things and stays silent', '[null]', 'silent for 0.05 s', 50],
] as const)(
  'a node that %s is said once, and tried again ever more rarely',
  async (_, text, reason, silentMs = 60_000) => {
    const { told, notices, pauses, count } = await listen((socket) => {
      if (text !== undefined) socket.send(text)
    }, silentMs)
    await expect.poll(count).toBeGreaterThan(7)
    expect(told).toEqual([])
    expect(notices).toEqual([
      `127.0.0.1:PORT tells of no new blocks (${reason}): they are looked for by time until it does`,
    ])
    expect(pauses.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  },
)
