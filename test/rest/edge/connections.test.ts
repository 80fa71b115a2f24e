// The limits on open connections, tested on real sockets.
import { expect, test } from 'vitest'
import { CERTIFICATE, PRIVATE_KEY } from '../../support/certificate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connectRaw, type RawClient } from '../../support/raw.ts'
import { createTestServer } from '../../support/rest.ts'

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
const database = await createTestDatabase()

const fill = (url: string, count: number): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, () => connectRaw(url, HEALTH)))

async function expectServed({ received }: RawClient): Promise<void> {
  await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /)
}

test.each([
  ['connections', { connections: 3 }, true],
  ['connections_per_address', { connectionsPerAddress: 3 }, false],
] as const)(
  'a connection beyond the limit on %s gets a JSON 503, and a closed connection makes room',
  async (kind, bounds, isExempt) => {
    const server = await createTestServer({ database, bounds, isExempt: () => isExempt })
    // Wait until the test server's own clients have closed their connections.
    await expect.poll(() => server.traffic.connections).toBe(0)
    const [first, ...rest] = await fill(server.url, 3)
    for (const client of rest) await expectServed(client)
    const refused = await connectRaw(server.url, HEALTH)
    await refused.closed
    expect(refused.received()).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused.received()).toMatch(/\r\nretry-after: 5\r\n/)
    expect(refused.received()).toMatch(
      /\{"error":\{"code":"SERVICE_UNAVAILABLE","message":"[^"]+","request_id":"[^"]+"\}\}$/,
    )
    expect(server.refused).toEqual([kind])
    first?.socket.destroy()
    await expect.poll(() => server.traffic.connections).toBe(2)
    const next = await connectRaw(server.url, HEALTH)
    await expectServed(next)
    for (const client of [...rest, next]) client.socket.destroy()
  },
)

test('a trusted proxy and this machine may hold more connections than the limit per address', async () => {
  const server = await createTestServer({ database, bounds: { connectionsPerAddress: 1 } })
  const clients = await fill(server.url, 5)
  for (const client of clients) await expectServed(client)
  for (const { socket } of clients) socket.destroy()
})

test('a TLS connection beyond the limit is closed before its handshake', async () => {
  const tls = { cert: CERTIFICATE, key: PRIVATE_KEY }
  const server = await createTestServer({ database, tls, bounds: { connections: 1 } })
  const first = await connectRaw(server.url)
  await expect.poll(() => server.traffic.connections).toBe(1)
  const second = await connectRaw(server.url)
  await second.closed
  expect(second.received()).toBe('')
  expect(server.refused).toEqual(['connections'])
  first.socket.destroy()
})
