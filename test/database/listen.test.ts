// The connection that listens for notifications, when it breaks again and again.
import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/client.ts'
import { listen } from '../../src/database/listen.ts'
import { createTestClock } from '../support/clock.ts'

test('a connection that breaks a hundred times leaves no listener behind', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  let connections = 0
  const connect = async () => {
    connections += 1
    const connection = Object.assign(new EventEmitter(), {
      query: async () => ({ rows: [{ full: 'a' }] }),
      release: () => {},
    })
    setImmediate(() => connection.emit('end'))
    return connection
  }
  const listening = listen({ pool: { connect } } as unknown as Database, ['a'], () => {}, createTestClock())
  await expect.poll(() => connections).toBeGreaterThan(100)
  await listening.close()
  expect(warnings).toEqual([])
})
