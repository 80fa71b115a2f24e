// Attacks with streams: opened and not read, opened and dropped, or asked for more than a message may hold.
import { type Attack, pause, repeat } from './attack.ts'
import { head } from './client.ts'

const BROKEN = /^([1-5]\d\d|closed|left|open)$/
/** The bound on a connection that takes nothing, which may be counted twice, and some time to close it. */
const UNREAD_MS = 34_000

const openStream = (authorization: string, query = '', headers = {}) =>
  head('GET', `/v1/stream/events${query}`, { authorization, accept: 'text/event-stream', ...headers })

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
        // The second one ends the connections whose first one was refused, which else stay idle.
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
]
