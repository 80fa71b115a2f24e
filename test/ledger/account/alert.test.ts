import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { openDatabase } from '../../../src/database/client.ts'
import { openPrisma } from '../../../src/database/prisma.ts'
import { createAlertRows, MAX_ALERTS } from '../../../src/ledger/account/alert.ts'
import { createTestDatabase } from '../../support/database.ts'
import { seedCaller } from '../../support/seed.ts'

const database = await createTestDatabase()
const alerts = createAlertRows(database.prisma, systemClock)
const page = { offset: 0, limit: 50 }
const draft = { name: 'A', conditions: { minLiquidityUsd: 1 } }

describe('alerts', () => {
  it('two processes that create alerts at the same time create exactly as many as the plan allows', async () => {
    const caller = await seedCaller(database.pool, 'free', 'race@example.com')
    const other = openDatabase(database.url)
    const elsewhere = createAlertRows(openPrisma(other), systemClock)
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? alerts : elsewhere).create(caller, draft, 3)),
    )
    await other.close()
    expect(made.filter((result) => result.status === 'fulfilled')).toHaveLength(3)
    for (const result of made) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(await alerts.countActive(caller.accountId)).toBe(3)
  })

  it('an account keeps a bounded number of alerts on every plan, paused ones included', async () => {
    const caller = await seedCaller(database.pool, 'api', 'many@example.com')
    await database.pool.query(
      `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at)
       SELECT gen_random_uuid()::text, $1, $2, 'A', 'paused', '{}', 'email', now(), now() FROM generate_series(1, $3)`,
      [caller.keyId, caller.accountId, MAX_ALERTS - 1],
    )
    await alerts.create(caller, draft, null)
    const message = expect.stringMatching(new RegExp(`${MAX_ALERTS} alerts at most`))
    await expect(alerts.create(caller, draft, null)).rejects.toMatchObject({ code: 'FORBIDDEN', message })
  })

  it('resuming alerts counts against the plan, also at the same time; renaming an active one does not', async () => {
    const caller = await seedCaller(database.pool, 'free', 'pause@example.com')
    const ids: string[] = []
    for (let made = 0; made < 4; made++) {
      const { id } = await alerts.create(caller, draft, 3)
      ids.push(id)
      if (made > 0) await alerts.update(caller, id, { status: 'paused' }, 3)
    }
    const woken = await Promise.allSettled(ids.map((id) => alerts.update(caller, id, { status: 'active' }, 3)))
    expect(woken.filter((result) => result.status === 'rejected')).toHaveLength(1)
    expect(await alerts.countActive(caller.accountId)).toBe(3)
    const [first = ''] = ids
    const renamed = await alerts.update(caller, first, { name: 'B', status: 'active' }, 3)
    expect(renamed).toMatchObject({ name: 'B', conditions: { minLiquidityUsd: 1 }, status: 'active' })
  })

  it('an alert of another key is not found, changed or removed', async () => {
    const owner = await seedCaller(database.pool, 'pro', 'owner@example.com')
    const stranger = await seedCaller(database.pool, 'pro', 'stranger@example.com')
    const { id } = await alerts.create(owner, draft, null)
    expect(await alerts.find(stranger.keyId, id)).toBeNull()
    expect(await alerts.update(stranger, id, { status: 'active' }, null)).toBeNull()
    expect(await alerts.remove(stranger.keyId, id)).toBe(false)
    expect(await alerts.list(stranger.keyId, null, page)).toEqual({ total: 0, items: [] })
    expect(await alerts.remove(owner.keyId, id)).toBe(true)
    expect(await alerts.remove(owner.keyId, id)).toBe(false)
  })

  it('alerts are listed newest first, by status and page, with their total', async () => {
    const owner = await seedCaller(database.pool, 'pro', 'list@example.com')
    for (const name of ['1', '2', '3']) await alerts.create(owner, { ...draft, name }, null)
    const second = await alerts.list(owner.keyId, 'active', { offset: 2, limit: 2 })
    expect([second.total, second.items.map((alert) => alert.name)]).toEqual([3, ['1']])
    expect(await alerts.list(owner.keyId, 'paused', page)).toMatchObject({ total: 0, items: [] })
    expect(await alerts.list(owner.keyId, null, { offset: 16, limit: 2 })).toMatchObject({ total: 3, items: [] })
  })
})
