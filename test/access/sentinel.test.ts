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
  async () => {
    const cluster = await startSentinels(makeFolder('sentinels'))
    onTestFinished(async () => void (await cluster.kill()))
    const told: string[] = []
    const windows = connectRedis(cluster.url, { onOpen: () => told.push('open'), onClose: () => told.push('close') })
    onTestFinished(windows.stop)
    await windows.start()
    const options = { keyPrefix: 'test', points: 1_000, duration: 600 }
    const limiter = windows.createLimiter(options, new RowLimiter(options, createMemoryRows(), createTestClock()))
    let [taken, counted] = [0, 10]
    const take = async () => {
      taken += 1
      return (await limiter.consume('a')).consumedPoints
    }
    /** On a busy machine Redis may miss its 250 ms, and this process counts that request by itself: from 1, not from 10. */
    const expectShared = async () => {
      const before = counted
      await expect.poll(async () => (counted = await take())).toBeGreaterThan(before)
      expect(counted).toBeLessThanOrEqual(taken)
    }
    await expectShared()
    const wait = spawnSync('redis-cli', ['-p', `${cluster.master.port}`, 'wait', '2', '5000'], { encoding: 'utf8' })
    expect(wait.stdout.trim()).toBe('2')

    await cluster.master.kill()
    // This process counts by itself meanwhile.
    const alone = await take()
    expect(alone).toBeLessThan(10)
    expect(await take()).toBe(alone + 1)
    await expect.poll(() => told).toEqual(['open', 'close'])
    expect(cluster.replicas.map(({ port }) => port)).toContain(cluster.findMaster())
    await expectShared()
    await cluster.master.start()
    await expectShared()
  },
)
