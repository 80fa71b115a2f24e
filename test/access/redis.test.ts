// Rate limits in a Redis that stops answering and comes back. The tests run their own server and freeze it with
// SIGSTOP.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryRows, type Limiter, RowLimiter } from '../../src/access/limiter.ts'
import { connectRedis, type RedisWindows } from '../../src/access/redis.ts'
import { createTestClock } from '../support/clock.ts'

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'])
    return true
  } catch {
    return false
  }
}

async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

describe.skipIf(!hasRedis())('with a local Redis (skipped if redis-server is not in the PATH)', () => {
  const told: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'))
  let server: ChildProcess
  let windows: RedisWindows
  let limiter: Limiter
  let port: number
  let insured = 0

  const startServer = () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    server = spawn('redis-server', args, { stdio: 'ignore' })
  }
  const end = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }

  beforeAll(async () => {
    port = await findPort()
    startServer()
    windows = connectRedis(`redis://127.0.0.1:${port}`, {
      onOpen: () => told.push('open'),
      onClose: () => told.push('close'),
    })
    await windows.start()
    const options = { keyPrefix: 'test', points: 1_000, duration: 60 }
    const rows = createMemoryRows()
    const insurance = new RowLimiter(
      options,
      { ...rows, take: (...all) => rows.take(...all).finally(() => (insured += 1)) },
      createTestClock(),
    )
    limiter = windows.createLimiter(options, insurance)
  })
  afterAll(async () => {
    windows.stop()
    await end()
    rmSync(folder, { recursive: true, force: true })
  })

  const consume = async () => (await limiter.consume('a')).consumedPoints

  test('a frozen Redis delays only the first requests, is reported once, and is used again later', async () => {
    // The test may have started before the server was ready.
    const isCountedThere = async () => {
      const before = insured
      await limiter.consume('warm')
      return insured === before
    }
    await expect.poll(isCountedThere).toBe(true)
    told.length = 0
    expect(await consume()).toBe(1)
    server.kill('SIGSTOP')
    const before = insured
    for (let n = 1; n <= 200; n++) expect(await consume()).toBe(n)
    expect(insured - before).toBe(200)
    expect([windows.isAsked(), told]).toEqual([false, ['open']])
    const startedMs = performance.now()
    for (let n = 0; n < 500; n++) await consume()
    // A rough bound, not a measurement: 500 commands that each time out would take two minutes.
    expect(performance.now() - startedMs).toBeLessThan(60_000)
    server.kill('SIGCONT')
    await expect.poll(windows.isAsked).toBe(true)
    expect(told).toEqual(['open', 'close'])
    expect(await consume()).toBeLessThan(10)
  })

  test('a Redis that is killed and restarted is used again', async () => {
    told.length = 0
    await end()
    await expect.poll(windows.isAsked).toBe(false)
    expect(await consume()).toBeGreaterThan(0)
    startServer()
    await expect.poll(windows.isAsked).toBe(true)
    expect(await consume()).toBe(1)
    expect(told).toEqual(['open', 'close'])
  })

  test('a reached limit does not count as a failure of Redis', async () => {
    told.length = 0
    for (let n = 0; n < 5; n++)
      await expect(limiter.consume('b', 1_001)).rejects.toMatchObject({ msBeforeNext: expect.any(Number) })
    expect([windows.isAsked(), told]).toEqual([true, []])
  })
})
