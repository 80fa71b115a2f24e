import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createHead, NO_HEAD, notifyHead } from '../../src/ledger/head.ts'
import { createTestDatabase } from '../support/database.ts'
import { HEAD_NUMBER, HEAD_TIME, seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()

describe('the head', () => {
  it('the head is empty before the first block, and follows a notification', async () => {
    const head = await createHead(database, systemClock)
    expect(head.current()).toEqual(NO_HEAD)
    const version = head.version()
    const changed = new Promise((resolve) => head.onChange((read) => read.number > 0 && resolve(read)))
    await seedLedger(database.pool)
    await database.pool.query('SELECT pg_notify($1, $2)', ['assay_head', String(HEAD_NUMBER)])
    await changed
    expect(head.version()).toBeGreaterThan(version)
    expect(head.current()).toMatchObject({ number: HEAD_NUMBER, time: new Date(HEAD_TIME * 1000), eventCount: 600 })
    expect(Object.values(head.current().countByType).reduce((sum, count) => sum + count)).toBe(600)
    await head.stop()
  })

  it('the head finds that scores changed within a block though the notice of it was lost', async () => {
    let poll = () => {}
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) =>
        ms < 5_000
          ? systemClock.sleep(ms, signal)
          : new Promise<void>((resolve) => {
              poll = resolve
              signal?.addEventListener('abort', () => resolve())
            }),
    }
    // Nothing is heard on the channel of another database.
    const deaf = await createTestDatabase()
    const head = await createHead({ ...database, pool: deaf.pool }, clock)
    const version = head.version()
    await head.refresh()
    await notifyHead(database.pool)
    const changed = new Promise<void>((resolve) => void head.onChange(() => resolve()))
    poll()
    await changed
    expect(head.version()).toBeGreaterThan(version)
    await head.stop()
  })

  it('the head finds the first change of a ledger though the notice of it was lost', async () => {
    const [ledger, deaf] = [await createTestDatabase(), await createTestDatabase()]
    await seedLedger(ledger.pool)
    const head = await createHead({ ...ledger, pool: deaf.pool }, systemClock)
    const version = head.version()
    await notifyHead(ledger.pool)
    await head.refresh()
    expect(head.version()).toBeGreaterThan(version)
    await head.stop()
  })

  it('the head can be stopped before its connection is open', async () => {
    const head = await createHead(database, systemClock)
    await head.stop()
  })

  it('the head listens again after its connection was cut', async () => {
    const head = await createHead(database, systemClock)
    const listening = async () =>
      (
        await database.pool.query(
          `SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
        )
      ).rows
    while ((await listening()).length === 0) await systemClock.sleep(10)
    const [first] = await listening()
    await database.pool.query('SELECT pg_terminate_backend($1)', [first.pid])
    let again = await listening()
    while (again.length === 0 || again[0].pid === first.pid) {
      await systemClock.sleep(20)
      again = await listening()
    }
    // It reads once when it listens again, which may be before the update or after it.
    const changed = new Promise<void>((resolve) => head.onChange((read) => read.eventCount === 601 && resolve()))
    await database.pool.query('UPDATE block SET event_count = 601')
    await database.pool.query('NOTIFY assay_head')
    await changed
    expect(head.current().eventCount).toBe(601)
    await head.stop()
  })
})
