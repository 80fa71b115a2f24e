// SIGTERM under load: running requests are answered, and the program exits in time, whatever it is doing.
import { type Attack, pause, type Target } from './attack.ts'
import { head } from './client.ts'
import { introspectionBomb } from './documents.ts'

const CLIENTS = 40
const BEFORE_MS = 1_000
/** The promised 5 s, plus what a loaded machine adds. */
const WITHIN_MS = 5_500

/** Sends SIGTERM and waits for the exit; records a fault if it is late or not clean. */
async function terminate({ server, tally }: Target): Promise<void> {
  const startedMs = performance.now()
  server.child.kill('SIGTERM')
  const code = await Promise.race([server.ended, pause(WITHIN_MS + 2_000).then(() => 'never' as const)])
  const tookMs = performance.now() - startedMs
  if (code !== 0 || tookMs > WITHIN_MS) tally.fault(`after SIGTERM it ended with ${code}, ${tookMs.toFixed(0)} ms`)
  if (code === 'never') server.child.kill('SIGKILL')
}

/**
 * One client: sends a request, reads the whole answer, and repeats on the same connection until the server closes it.
 */
async function askOn(target: Target): Promise<void> {
  const { client, stage, tally } = target
  const request = head('GET', '/v1/tokens?limit=20', { authorization: `Bearer ${stage.keys.trusted}` })
  for (;;) {
    const socket = await client.open({ isRead: false })
    if (!socket) return tally.add('refused to connect')
    const said = await new Promise<'closing' | 'reset'>((resolve) => {
      let text = ''
      let isAsking = true
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        const [all = '', length = ''] =
          /^HTTP\/1\.1 200 [\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(text) ?? []
        if (!all || text.length < all.length + Number(length)) return
        tally.add('200')
        isAsking = false
        if (/^connection: close/im.test(all)) return resolve('closing')
        text = text.slice(all.length + Number(length))
        isAsking = true
        socket.write(request)
      })
      socket.on('close', () => {
        if (!isAsking) return
        tally.add(text === '' ? 'reset' : 'cut off', 0, text)
        resolve('reset')
      })
      socket.write(request)
    })
    if (said === 'reset') return
    tally.add('said close')
    socket.destroy()
  }
}

export const leavingAttacks: Attack[] = [
  {
    name: 'SIGTERM under 40 clients',
    setting: 'leaving',
    short: true,
    ends: true,
    allowed: /^(200|said close|refused to connect|closed)$/,
    needed: /^said close$/,
    run: async (target) => {
      const asking = Array.from({ length: CLIENTS }, () => askOn(target))
      await pause(BEFORE_MS)
      await terminate(target)
      await Promise.race([Promise.all(asking), pause(2_000)])
    },
  },
  {
    name: 'SIGTERM during expensive documents',
    setting: 'leaving',
    ends: true,
    allowed: /^(200|400|403|429|503|closed|left)$/,
    run: async (target) => {
      for (let at = 0; at < 4; at++) void target.client.graphql(target.stage.keys.trusted, introspectionBomb(60))
      await pause(500)
      await terminate(target)
    },
  },
  {
    name: 'SIGTERM with slow and non-reading clients',
    setting: 'leaving',
    ends: true,
    allowed: /^([1-4]\d\d|503|closed)$/,
    run: async (target) => {
      const headers = { authorization: `Bearer ${target.stage.keys.trusted}` }
      for (let at = 0; at < 100; at++) {
        const socket = await target.client.open({ isRead: false })
        socket?.pause()
        socket?.write(at % 2 ? head('GET', '/v1/events?limit=200', headers).repeat(50) : 'GET /v1/tok')
      }
      await terminate(target)
    },
  },
]
