import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAlertsJob } from '../../src/alerts/job.ts'
import { NOTIFICATION_CHANNELS } from '../../src/fields/channels.ts'
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

test('a new block asks for matches, and no queue of messages', async () => {
  const ran: string[] = []
  const note = (name: string) => async () => {
    ran.push(name)
    return null
  }
  // Nothing becomes due by itself: each round sleeps until it is woken.
  const clock = {
    ...createTestClock(),
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) resolve()
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
  const job = createAlertsJob({
    sweep: { run: note('sweep') },
    notifier: { run: async (_, channel = 'email') => ran.push(channel) },
    clock,
    log: { info: () => {}, error: () => {} } as unknown as Parameters<typeof createAlertsJob>[0]['log'],
  })
  await turn()
  ran.length = 0
  job.wake('matches')
  await turn()
  expect(ran).toEqual(['sweep'])
  ran.length = 0
  job.wake('messages')
  await turn()
  expect(ran.toSorted()).toEqual([...NOTIFICATION_CHANNELS].toSorted())
  await job.stop()
})
