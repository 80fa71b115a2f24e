import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { type Address, toAddress } from '../../src/base/address.ts'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { ether, units } from '../support/market/trade.ts'
import { seedCaller } from '../support/seed.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

const title = `an alert on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const MINUTE_MS = 60_000

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let database: TestDatabase
  let smtp: TestSmtp
  let token: Address
  const clock = createTestClock()

  beforeAll(async () => {
    database = await createTestDatabase()
    smtp = await startSmtp()
    live = await createLive()
    const { chain, trade, venues, founder } = live
    token = toAddress(await chain.deploy(founder, 'plainToken', ['Rising', 'RISE', 18, units(1e6, 18), founder]))
    await live.mine()
    await trade.addLiquidity(venues.uniswapV2, founder, token, units(8e5, 18), ether(10))
    await live.mine()
  })
  afterAll(async () => {
    await live?.anvil.stop()
    await smtp?.close()
  })

  /** Mines a purchase and processes it like the program: index, score, match, send. */
  async function buyAndLook(wei: bigint, jobs: ReturnType<typeof createJobs>): Promise<void> {
    const { trade, venues, founder } = live
    if (wei > 0n) await trade.buy(venues.uniswapV2, founder, [venues.weth, token], wei)
    await live.mine()
    await indexToHead(database, live)
    await jobs.sweep.run()
    await jobs.notifier.run()
    clock.advance(6 * MINUTE_MS)
  }

  const createJobs = (mailer: ReturnType<typeof createSmtpMailer>) => ({
    sweep: createSweep({ database, clock, maxLag: 10 }),
    notifier: createNotifier({
      database,
      mailer,
      clock,
      toLevel: toRiskLevel,
      publicUrl: 'https://assay.example',
      secret: new Uint8Array(32),
    }),
  })

  test('sends one mail when a swap lifts a token over the bound, and none at the next swap', async () => {
    const owner = await seedCaller(database.pool, 'free')
    const alerts = createAlertRows(database.prisma, clock)
    const mailer = createSmtpMailer({ url: smtp.url, from: 'alerts@assay.example' })
    const jobs = createJobs(mailer)
    // 10 ETH at $3,000 on each side: $60,000 of liquidity until the first buy.
    const { id } = await alerts.create(
      owner,
      { name: 'Rising', conditions: { minLiquidityUsd: 65_000, maxMarketCapUsd: 1e6 } },
      3,
    )
    await buyAndLook(0n, jobs)
    expect(smtp.received).toHaveLength(0)
    expect((await alerts.find(owner.keyId, id))?.lastTriggeredAt).toBeNull()

    const triggeredAt = clock.now()
    await buyAndLook(ether(2), jobs)
    expect(smtp.received.map(({ to, mail }) => [to, mail.subject])).toEqual([
      [[owner.email], 'Rising: 1 token began to match'],
    ])
    expect(smtp.received[0]?.mail.text).toContain(token)
    expect(smtp.received[0]?.mail.text).toContain('liquidity rose to $72,0')
    expect((await alerts.find(owner.keyId, id))?.lastTriggeredAt).toEqual(triggeredAt)

    await buyAndLook(ether(1), jobs)
    expect(smtp.received).toHaveLength(1)
    mailer.close()
  })
})
