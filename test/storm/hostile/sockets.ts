// Attacks with connections: slow, greedy or silent ones, ones that disconnect, and bytes that are not HTTP.
import type { Socket } from 'node:net'
import { type Attack, pause, repeat, type Target } from './attack.ts'
import { head } from './client.ts'

const BROKEN = /^([1-5]\d\d|closed|left|open)$/
/** The bound on a silent connection, which may be counted twice, and some time to close it. */
const UNREAD_MS = 34_000
/** More than the system takes over for a connection that is not read: 60 times 135 KB. */
const PAGES = head('GET', '/openapi.json').repeat(60)

/** Opens connections, applies `act` to each, holds them, and returns how many the server still had open at the end. */
async function hold(
  { client, tally, signal }: Target,
  { count, forMs, isRead = false, from }: { count: number; forMs: number; isRead?: boolean; from?(at: number): string },
  act: (socket: Socket, at: number) => void,
): Promise<number> {
  const opening = Array.from({ length: count }, (_, at) => client.open({ isRead, ...(from ? { from: from(at) } : {}) }))
  const sockets = (await Promise.all(opening)).filter((socket) => socket !== null)
  for (const [at, socket] of sockets.entries()) act(socket, at)
  await pause(forMs, signal)
  const open = sockets.filter((socket) => !socket.destroyed)
  for (const _ of open) tally.add('open')
  for (const socket of sockets) socket.destroy()
  return open.length
}

const keyOf = ({ stage }: Target) => `Bearer ${stage.keys.trusted}`
/** One of 50 local addresses: an attacker with a small network. */
const addressOf = (at: number) => (process.platform === 'linux' ? `127.0.${1 + (at % 50)}.1` : '127.0.0.1')

const pipelined =
  (connections: number, requests: number): Attack['run'] =>
  (target) =>
    hold(target, { count: connections, forMs: 2_000 }, (socket) => {
      socket.pause()
      socket.write(head('GET', '/readyz').repeat(requests))
    }).then(() => {})

export const socketAttacks: Attack[] = [
  { name: '10 connections pipeline 5,000 /readyz each', short: true, run: pipelined(10, 5_000), allowed: BROKEN },
  { name: '40 connections pipeline 5,000 /readyz each', run: pipelined(40, 5_000), allowed: BROKEN },
  {
    name: 'expensive pipelined requests, then disconnect',
    allowed: BROKEN,
    run: (target) =>
      repeat(target, { times: 60, atOnce: 4 }, async (round) => {
        const { tokens, wallets } = target.stage
        const socket = await target.client.open({ isRead: false })
        const paths = ['/v1/tokens?limit=200', `/v1/wallets/${wallets[round % wallets.length]}`, '/v1/events?limit=200']
        paths.push(`/v1/tokens/${tokens[round % tokens.length]}`)
        socket?.write(
          paths
            .map((path) => head('GET', path, { authorization: keyOf(target) }))
            .join('')
            .repeat(25),
        )
        await pause(50)
        socket?.destroy()
      }),
  },
  {
    name: '60 pages on each of 50 connections that are not read',
    allowed: BROKEN,
    lastsMs: 40_000,
    run: async (target) => {
      const before = target.server.countConnections()
      let after = before
      const look = setTimeout(() => {
        after = target.server.countConnections()
      }, UNREAD_MS)
      await hold(target, { count: 50, forMs: UNREAD_MS + 1_000 }, (socket) => {
        socket.pause()
        socket.write(PAGES)
      })
      clearTimeout(look)
      const open = (after ?? 0) - (before ?? 0)
      if (open > 5) target.tally.fault(`${open} connections were open after ${UNREAD_MS / 1000} s without reading`)
    },
  },
  {
    name: '40 large pages that are not read',
    allowed: BROKEN,
    run: (target) =>
      hold(target, { count: 40, forMs: 8_000 }, (socket) => {
        socket.pause()
        socket.write(head('GET', '/v1/events?limit=200', { authorization: keyOf(target) }).repeat(100))
      }).then(() => {}),
  },
  {
    name: '2,000 silent connections from one address',
    allowed: BROKEN,
    run: (target) => hold(target, { count: 2_000, forMs: 6_000 }, () => {}).then(() => {}),
  },
  {
    name: '2,000 silent connections from 50 addresses',
    allowed: BROKEN,
    run: (target) => hold(target, { count: 2_000, forMs: 6_000, from: addressOf }, () => {}).then(() => {}),
  },
  {
    name: 'heads sent one byte at a time',
    allowed: BROKEN,
    run: (target) =>
      drip(target, 300, head('GET', '/v1/tokens', { authorization: 'Bearer x', 'x-more': 'y'.repeat(500) })),
  },
  {
    name: 'bodies sent one byte at a time',
    allowed: BROKEN,
    run: (target) => {
      const headers = { authorization: keyOf(target), 'content-type': 'application/json', 'content-length': '16000' }
      return drip(
        target,
        300,
        `${head('POST', '/graphql', headers)}${'{'.repeat(200)}`,
        head('POST', '/graphql', headers),
      )
    },
  },
  {
    name: 'half-closed connections',
    allowed: BROKEN,
    run: (target) =>
      hold(target, { count: 300, forMs: 4_000, isRead: true }, (socket, at) => {
        socket.end(at % 2 ? head('GET', '/v1/tokens', { authorization: keyOf(target) }) : 'GET /v1/tok')
      }).then(() => {}),
  },
  {
    name: '4,000 connections that open and close',
    allowed: BROKEN,
    run: (target) =>
      repeat(target, { times: 4_000, atOnce: 40 }, async (round) => {
        const socket = await target.client.open({ isRead: false })
        if (round % 3 === 1) socket?.write('GET / HT')
        if (round % 3 === 2) socket?.resetAndDestroy()
        socket?.destroy()
      }),
  },
  {
    name: '5,000 expensive requests, then disconnect',
    short: true,
    run: (target) =>
      repeat(target, { times: 5_000, atOnce: 20 }, async (round) => {
        const path = `/v1/events?limit=200&page=${1 + (round % 20)}`
        await target.client.ask({ path, headers: { authorization: keyOf(target) }, leaveAfterMs: 2, fresh: true })
      }),
  },
  {
    name: 'expensive queries, then disconnect',
    run: (target) =>
      repeat(target, { times: 600, atOnce: 8 }, async (round) => {
        const query = `{ tokens(first: 100, offset: ${100 * (round % 2)}) { nodes { topHolders { wallet { portfolio(limit: 5) { token { symbol } } } } } } }`
        const headers = { authorization: keyOf(target), 'content-type': 'application/json' }
        const body = JSON.stringify({ query })
        await target.client.ask({ method: 'POST', path: '/graphql', headers, body, leaveAfterMs: 5, fresh: true })
      }),
  },
]

/** Sends `start` at once and then the text one byte at a time, on many connections. */
async function drip(target: Target, count: number, text: string, start = ''): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const sent = new Map<Socket, number>()
  await hold(target, { count, forMs: 8_000, isRead: true }, (socket) => {
    sent.set(socket, 0)
    if (start) socket.write(start)
    timer ??= setInterval(() => {
      for (const [each, at] of sent) {
        if (!each.destroyed && each.writable) each.write(text[at % text.length] ?? 'x')
        sent.set(each, at + 1)
      }
    }, 100)
  })
  clearInterval(timer)
}
