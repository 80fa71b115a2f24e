// When watchers of a row are woken. The pool is a fake, whose answers are the versions of one token.
import { expect, onTestFinished, test } from 'vitest'
import type { pg } from '../../src/database/client.ts'
import { createRowWatch } from '../../src/stream/row-watch.ts'
import { createOutage } from '../../src/telemetry/outage.ts'

const ADDRESS = '0x1'

/** A watch whose reads give these answers by turns; null: the database is away. */
function watchOver(stamps: (string | null)[]) {
  let move = () => {}
  const query = async () => {
    const stamp = stamps.shift()
    if (stamp === null || stamp === undefined) throw new Error('away')
    return { rows: [{ address: ADDRESS, stamp }] }
  }
  const head = {
    onChange: (listener: () => void) => {
      move = listener
      return () => {}
    },
  }
  const requestPool = { query } as unknown as pg.Pool
  const watch = createRowWatch(
    { requestPool },
    head as never,
    createOutage(() => {}),
  )
  const leaving = new AbortController()
  onTestFinished(() => {
    leaving.abort()
    watch.stop()
  })
  return { follow: () => watch.follow('token', ADDRESS, leaving.signal), move: () => move() }
}

test('a watcher is woken at the first read and at each new version', async () => {
  const { follow, move } = watchOver(['1', '1', '2'])
  const changes = follow()
  await changes.next()
  const next = changes.next()
  move()
  await Promise.resolve()
  move()
  expect(await next).toEqual({ done: false, value: undefined })
})

test('a watcher is woken after a failed read, also where the version has the former number', async () => {
  const { follow, move } = watchOver(['1', null, '1'])
  const changes = follow()
  await changes.next()
  const next = changes.next()
  move()
  expect(await next).toEqual({ done: false, value: undefined })
})

test('a second watcher of a known row is woken at once', async () => {
  const { follow } = watchOver(['1'])
  await follow().next()
  expect(await follow().next()).toEqual({ done: false, value: undefined })
})
