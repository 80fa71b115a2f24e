import { expect, test } from 'vitest'
import { createAlertsJob } from '../../src/alerts/job.ts'
import { createTestClock } from '../support/clock.ts'

test('a failing alert sweep is retried until it works, and reported once', async () => {
  const told: string[] = []
  const tell = (_: object, message: string) => void told.push(message)
  let tries = 0
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const run = async () => {
    tries += 1
    if (tries < 5) throw new Error('the database is away')
    if (tries > 6) arrive()
    return null
  }
  const clock = { ...createTestClock(), sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  const job = createAlertsJob({
    sweep: { run },
    notifier: { run: async () => 0 },
    clock,
    log: { info: tell, error: tell } as Parameters<typeof createAlertsJob>[0]['log'],
  })
  await arrived
  await job.stop()
  expect(told).toEqual(['the alert sweep failed; it is tried again until it works', 'the alert sweep works again'])
})
