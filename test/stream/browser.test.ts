// A browser's own EventSource, which connects again by itself, after the last id that it saw.
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createLiveLedger } from '../support/live-ledger.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const { database, desk, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve()

/** A way to the server that can break. */
async function openWay(): Promise<{ url: string; cut(): void }> {
  const { hostname, port } = new URL(server.url)
  const sockets = new Set<Socket>()
  const way = createServer((from) => {
    const to = connect(Number(port), hostname)
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    from.pipe(to).pipe(from)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    cut()
    way.close()
  })
  return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, cut }
}

interface Told {
  id: string
  retracted: boolean
}

test.skipIf(!existsSync(CHROMIUM))(
  'EventSource in a browser follows events, and comes back through a reorganisation without loss or repetition (skipped where there is no Chromium)',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    try {
      const { authorization } = await server.knock({ plan: 'free' })
      const tab = await browser.newPage({ extraHTTPHeaders: { authorization } })
      const way = await openWay()
      await tab.goto(`${way.url}/`)
      await tab.evaluate(() => {
        const told: Told[] = []
        const source = new EventSource('/v1/stream/events')
        let opened = 0
        source.onopen = () => {
          opened += 1
        }
        source.onmessage = ({ data }) => told.push(JSON.parse(data))
        Object.assign(window, { told, opened: () => opened })
      })
      const told = () => tab.evaluate(() => (window as unknown as { told: Told[] }).told)
      const opened = () => tab.evaluate(() => (window as unknown as { opened(): number }).opened())
      await expect.poll(opened).toBe(1)
      const fork = newest()
      desk.buy(1, 1)
      await append()
      await expect.poll(async () => (await told()).length).toBeGreaterThan(0)
      const before = await told()
      // The browser connects again after some seconds.
      way.cut()
      await rollBack(fork)
      desk.sell(1, 1)
      desk.buy(2, 2)
      await append()
      await expect.poll(opened).toBe(2)
      const held = async () => {
        const ids = new Set<string>()
        for (const { id, retracted } of await told()) {
          expect(ids.has(id)).toBe(retracted)
          if (retracted) ids.delete(id)
          else ids.add(id)
        }
        return [...ids]
      }
      const { rows } = await database.pool.query<{ id: string }>(
        `SELECT block_number || '-' || log_index || '-' || coalesce(part, 0) AS id FROM event WHERE block_number > $1 ORDER BY n`,
        [fork],
      )
      await expect.poll(held).toEqual(rows.map(({ id }) => id))
      expect((await told()).filter(({ retracted }) => retracted)).toHaveLength(before.length)
    } finally {
      await browser.close()
    }
  },
  90_000,
)

test.skipIf(!existsSync(CHROMIUM))(
  'EventSource in a browser stops at the end of its filter (skipped where there is no Chromium)',
  async () => {
    desk.buy(1, 1)
    await append(newest())
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    try {
      const { authorization } = await server.knock({ plan: 'free' })
      const tab = await browser.newPage({ extraHTTPHeaders: { authorization } })
      await tab.goto(`${server.url}/`)
      await tab.evaluate(
        (search) => {
          const source = new EventSource(`/v1/stream/events${search}`)
          const ends: string[] = []
          source.addEventListener('end', ({ data }) => ends.push(JSON.parse(data).reason))
          Object.assign(window, { look: () => ({ state: source.readyState, ends }) })
        },
        `?from_block=1&to_block=${newest() - 1}`,
      )
      const look = () => tab.evaluate(() => (window as unknown as { look(): object }).look())
      // It connected again once, and was told to stop.
      await expect.poll(look).toEqual({ state: 2, ends: ['done'] })
    } finally {
      await browser.close()
    }
  },
  90_000,
)
