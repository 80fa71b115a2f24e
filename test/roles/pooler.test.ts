// The role `api` whose requests go through PgBouncer in transaction mode, with fewer connections to the server than requests at once.
import { afterAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { openLedger } from '../../src/database/open.ts'
import { notifyHead } from '../../src/ledger/head.ts'
import { startApi } from '../../src/roles/api.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { HEAD_NUMBER, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'

describe.skipIf(!HAS_PGBOUNCER)('behind PgBouncer (skipped without the program pgbouncer)', async () => {
  if (!HAS_PGBOUNCER) return
  const straight = await createTestDatabase()
  await seedLedger(straight.pool)
  const pooler = await startPgbouncer(straight.url, 2)
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) } as typeof silentLog
  const ledger = await openLedger({
    databaseUrl: straight.url,
    poolerUrl: pooler.url,
    dataDir: '',
    log,
    clock: systemClock,
  })
  const api = await startApi({ config: readConfig({ PORT: '0' }), log, clock: systemClock, ledger, metrics: undefined })
  afterAll(async () => {
    await api.stop()
    await ledger.close()
    await pooler.stop()
  })
  const keyring = createKeyring(straight.pool, systemClock)
  const keys = {
    api: (await keyring.create({ email: 'pooled@example.com', plan: 'api' })).key,
    free: (await keyring.create({ email: 'pooled-free@example.com', plan: 'free' })).key,
  }
  const ask = (path: string, init: RequestInit = {}, key = keys.api) =>
    fetch(`${api.address}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const graphql = (query: string) => ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) })

  test('every kind of answer is made while many requests share two connections to the server', async () => {
    const paths = [
      '/v1/tokens',
      `/v1/tokens/${tokenAddress(1)}`,
      '/v1/events?type=swap',
      `/v1/wallets/${walletAddress(3)}`,
      `/v1/wallets/${walletAddress(3)}/events`,
      `/v1/scores/token/${tokenAddress(1)}`,
      '/v1/alerts',
    ]
    const queries = [
      '{ tokens { nodes { address topHolders { wallet { portfolio { tokenSymbol } } } } } }',
      '{ wallets { nodes { address } } me { usage { requests } } }',
      `{ token(address: "${tokenAddress(2)}") { deployer { address } score { riskScore } } }`,
    ]
    const round = (n: number) => [
      ...paths.map((path) => ask(`${path}${path.includes('?') ? '&' : '?'}limit=${n + 1}`)),
      ...queries.map(graphql),
    ]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => round(n)).flat())
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(answers.filter(({ status }) => status >= 500).length).toBe(0)
    expect(bodies.filter((body) => body.includes('SERVER_ERROR') || body.includes('SERVICE_UNAVAILABLE'))).toEqual([])
    const pooled = await ledger.database.requestPool.query(`SELECT current_setting('statement_timeout') AS limit`)
    expect(pooled.rows).toEqual([{ limit: '8s' }])
    expect(warnings).toEqual([])
  })

  test('alerts are written, and limits grant exactly their number', async () => {
    const body = JSON.stringify({ name: 'Any', conditions: {}, notification_channel: 'email' })
    expect((await ask('/v1/alerts', { method: 'POST', body })).status).toBe(201)
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask(`/v1/tokens?limit=${n + 1}`, {}, keys.free)),
    )
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('a new block is heard of, since that connection does not go through the pooler', async () => {
    await straight.pool.query(`INSERT INTO block
      SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', md5('next')))).* FROM block b ORDER BY number DESC LIMIT 1`)
    await notifyHead(straight.pool)
    const block = async () => (await ask('/v1/tokens?limit=1')).headers.get('assay-block')
    await expect.poll(block).toContain(String(HEAD_NUMBER + 1))
  })
})
