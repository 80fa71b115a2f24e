// Rate limits in a Redis behind Sentinels, whose master is killed and comes back as a replica.
import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryRows, RowLimiter } from '../../src/access/limiter.ts'
import { connectRedis } from '../../src/access/redis.ts'
import { createTestClock } from '../support/clock.ts'
import { makeFolder } from '../support/folder.ts'
import { startSentinels } from '../support/sentinels.ts'

const hasRedis = ['redis-server', 'redis-cli'].every((name) => spawnSync('which', [name]).status === 0)

test.skipIf(!hasRedis)(
  'limits follow the master that the Sentinels choose, with the count so far (skipped without redis-server)',
  { timeout: 60_000 },
  async () => {
    const cluster = await startSentinels(makeFolder('sentinels'))
    onTestFinished(async () => void (await cluster.kill()))
    const told: string[] = []
    const windows = connectRedis(cluster.url, { onOpen: () => told.push('open'), onClose: () => told.push('close') })
    onTestFinished(windows.stop)
    await windows.start()
    const options = { keyPrefix: 'test', points: 1_000, duration: 600 }
    const limiter = windows.createLimiter(options, new RowLimiter(options, createMemoryRows(), createTestClock()))
    const take = async () => (await limiter.consume('a')).consumedPoints
    expect([await take(), await take(), await take()]).toEqual([1, 2, 3])
    const wait = spawnSync('redis-cli', ['-p', `${cluster.master.port}`, 'wait', '2', '5000'], { encoding: 'utf8' })
    expect(wait.stdout.trim()).toBe('2')

    await cluster.master.kill()
    // This process counts by itself meanwhile.
    expect([await take(), await take()]).toEqual([1, 2])
    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['open', 'close'])
    expect(cluster.replicas.map(({ port }) => port)).toContain(cluster.findMaster())
    expect(await take()).toBe(4)
    await cluster.master.start()
    expect(await take()).toBe(5)
  },
)
