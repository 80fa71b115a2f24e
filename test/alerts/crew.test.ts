import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCrew } from '../../src/alerts/crew.ts'
import { createOutage } from '../../src/telemetry/outage.ts'

/** A queue whose messages are sent when the test says so. */
function openQueue(waiting: number) {
  const state = { waiting, asked: 0, sending: 0, most: 0, isBroken: false, told: [] as string[] }
  const ends: (() => void)[] = []
  const stopping = new AbortController()
  const crew = createCrew({
    most: 3,
    signal: stopping.signal,
    outage: createOutage(
      () => state.told.push('failed'),
      () => state.told.push('works again'),
    ),
    async send(onTaken) {
      for (;;) {
        state.asked++
        if (state.isBroken) throw new Error('the database is away')
        if (stopping.signal.aborted || state.waiting === 0) return
        state.waiting--
        onTaken()
        state.most = Math.max(state.most, ++state.sending)
        await new Promise<void>((end) => ends.push(end))
        state.sending--
      }
    },
  })
  /** Lets the receivers answer until nobody waits for one. */
  async function answer(): Promise<void> {
    while (ends.length > 0) {
      ends.shift()?.()
      await turn()
    }
  }
  return { state, crew, stopping, ends, answer }
}

test('an empty queue is asked once at each wake-up, however many senders there may be', async () => {
  const { state, crew } = openQueue(0)
  crew.wake()
  await crew.ended()
  expect(state.asked).toBe(1)
})

test('as many senders work at once as may, and all messages are sent', async () => {
  const { state, crew, answer } = openQueue(8)
  crew.wake()
  await turn()
  expect(state.sending).toBe(3)
  await answer()
  await crew.ended()
  expect(state).toMatchObject({ waiting: 0, sending: 0, most: 3 })
})

test('a message that comes while a receiver hangs is sent at once by another sender', async () => {
  const { state, crew, ends, answer } = openQueue(1)
  crew.wake()
  await turn()
  expect([state.sending, ends.length]).toEqual([1, 1])
  state.waiting = 1
  crew.wake()
  await turn()
  expect([state.sending, ends.length]).toEqual([2, 2])
  await answer()
  await crew.ended()
})

test('a message that comes while all senders work is sent when one of them is free', async () => {
  const { state, crew, answer } = openQueue(3)
  crew.wake()
  await turn()
  expect(state.sending).toBe(3)
  state.waiting = 1
  crew.wake()
  await answer()
  await crew.ended()
  expect(state.waiting).toBe(0)
})

test('a queue that cannot be read is reported once, and asked again at the next wake-up', async () => {
  const { state, crew } = openQueue(0)
  state.isBroken = true
  for (let tries = 0; tries < 3; tries++) {
    crew.wake()
    await crew.ended()
  }
  state.isBroken = false
  crew.wake()
  await crew.ended()
  expect(state).toMatchObject({ asked: 4, told: ['failed', 'works again'] })
})

test('a stopped crew ends with the messages that it has', async () => {
  const { state, crew, stopping, answer } = openQueue(8)
  crew.wake()
  await turn()
  stopping.abort()
  crew.wake()
  await answer()
  await crew.ended()
  expect(state).toMatchObject({ waiting: 5, sending: 0 })
})
