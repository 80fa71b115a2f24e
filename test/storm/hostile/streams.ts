// Attacks with streams: opened and not read, opened and dropped, or asked for more than a message may hold.
import { createKeyring } from '../../../src/access/keyring.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { type Attack, pause, repeat, type Target } from './attack.ts'
import { head } from './client.ts'

const BROKEN = /^([1-5]\d\d|closed|left|open)$/
/** The bound on a connection that takes nothing, which may be counted twice, and some time to close it. */
const UNREAD_MS = 34_000

const openStream = (authorization: string, query = '', headers = {}) =>
  head('GET', `/v1/stream/events${query}`, { authorization, accept: 'text/event-stream', ...headers })

/** Numbers that no column has room for. */
const TOO_LARGE = [
  '2147483648-0-0',
  '4294967296-0-0',
  '9999999999-9999999999-9999999999',
  '1-2147483648-0',
  '1-0-32768',
]

/** Streams are looked after every 4 s. */
const ENDED_WITHIN_MS = 8_000

const TABS = 6

const createKey = ({ stage }: Target, name: string) =>
  createKeyring(stage.pool, systemClock).create({ email: `${name}@storm.example`, plan: 'pro' })

/** Opens streams of the key; resolves once each was answered. */
async function openStreams({ client, isOver, tally }: Target, key: string, count: number) {
  const answered = () => [...tally.counts.values()].reduce((sum, times) => sum + times, 0)
  const before = answered()
  const sockets = await Promise.all(Array.from({ length: count }, () => client.open()))
  for (const socket of sockets) socket?.write(openStream(`Bearer ${key}`, '', { connection: 'close' }))
  while (answered() < before + count && !isOver()) await pause(20)
  return sockets.filter((socket) => socket !== null)
}

export const streamAttacks: Attack[] = [
  {
    name: '300 streams from the first event on that are not read',
    allowed: BROKEN,
    lastsMs: 40_000,
    run: async ({ client, stage, server, tally, signal }) => {
      const before = server.countConnections() ?? 0
      const opening = Array.from({ length: 300 }, () => client.open({ isRead: false }))
      const sockets = (await Promise.all(opening)).filter((socket) => socket !== null)
      for (const socket of sockets) {
        socket.pause()
        const key = `Bearer ${stage.keys.trusted}`
        // The second request ends the connections whose first one was refused; otherwise they stay idle.
        socket.write(openStream(key, '?after=0-0-0') + openStream(key, '?after=0-0-0', { connection: 'close' }))
      }
      await pause(UNREAD_MS, signal)
      const open = (server.countConnections() ?? 0) - before
      // The plan has a hundred streams; all others were refused long ago.
      if (open > 110) tally.fault(`${open} connections were open after ${UNREAD_MS / 1000} s without reading`)
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'streams that are opened and dropped at once',
    short: true,
    allowed: BROKEN,
    run: (target) =>
      repeat(target, { times: 400, atOnce: 8 }, async (round) => {
        const socket = await target.client.open({ isRead: false })
        socket?.write(openStream(`Bearer ${target.stage.keys.trusted}`, round % 2 ? '' : '?after=0-0-0'))
        await pause(round % 20)
        socket?.destroy()
      }),
  },
  {
    name: 'streams after identifiers beyond what the database holds',
    short: true,
    allowed: /^400$/,
    needed: /^400$/,
    run: async ({ client, stage, tally }) => {
      const authorization = `Bearer ${stage.keys.trusted}`
      for (const id of TOO_LARGE) {
        const asked = { path: `/v1/stream/events?after=${id}`, headers: { authorization } }
        const answer = await client.ask(asked)
        if (!answer?.body.includes('after')) tally.fault(`the answer to ${id} does not name after`)
        await client.ask({ path: '/v1/stream/events', headers: { authorization, 'last-event-id': id } })
      }
    },
  },
  {
    name: 'a stream goes on after its key was rotated',
    short: true,
    lastsMs: 12_000,
    allowed: /^200$/,
    needed: /^200$/,
    run: async (target) => {
      const { id, key } = await createKey(target, 'rotated')
      const [socket] = await openStreams(target, key, 1)
      const ended = new Promise<true>((resolve) => socket?.once('close', () => resolve(true)))
      await createKeyring(target.stage.pool, systemClock).rotate(id, 0)
      const isEnded = await Promise.race([ended, pause(ENDED_WITHIN_MS, target.signal)])
      if (!isEnded) target.tally.fault(`the stream was open ${ENDED_WITHIN_MS / 1000} s after the rotation`)
    },
  },
  {
    name: `${TABS} tabs with a stream each, opened and closed again and again`,
    short: true,
    lastsMs: 12_000,
    allowed: /^200$/,
    needed: /^200$/,
    run: async (target) => {
      const { key } = await createKey(target, 'tabs')
      for (let round = 0; round < 4 && !target.isOver(); round++) {
        const sockets = await openStreams(target, key, TABS)
        await target.client.ask({ path: '/v1/tokens?limit=5', headers: { authorization: `Bearer ${key}` } })
        for (const socket of sockets) socket.destroy()
        await pause(300)
      }
    },
  },
]
