// Sends test messages of alerts from a process that serves the API, within bounds for each key.
import { randomUUID } from 'node:crypto'
import { type Limiter, RowLimiter, takeOne } from '../access/limiter.ts'
import { type AlertTests, sendTest, type TestedAlert, type TestOutcome } from '../alerts/test-message.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { AssayError } from '../base/errors.ts'
import { toRiskLevel } from '../base/risk-level.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import { createLimitRows } from '../ledger/account/limit.ts'
import { readUnsubscribeSecret } from '../ledger/account/secret.ts'
import { createMailer, publicUrlOf } from './mailer.ts'
import { createSenders } from './senders.ts'

/** Test messages of a key in a minute, and in a day. */
const [PER_MINUTE, PER_DAY] = [3, 30]

interface Deps {
  config: Config
  database: Database
  clock: Clock
}

/** Creates the sender. It opens its mailer for each mail, because tests are rare. */
export function createAlertTests({ config, database, clock }: Deps): AlertTests {
  const rows = createLimitRows(database.requestPool)
  const minute = new RowLimiter({ keyPrefix: 'alert-test-minute', points: PER_MINUTE, duration: 60 }, rows, clock)
  const day = new RowLimiter({ keyPrefix: 'alert-test-day', points: PER_DAY, duration: DAY_SECONDS }, rows, clock)
  const senders = createSenders(config, clock)

  async function send(alert: Omit<TestedAlert, 'email'>): Promise<TestOutcome> {
    const { rows: accounts } = await database.requestPool.query<{ email: string | null }>(
      'SELECT CASE WHEN mail_refused_at IS NULL THEN email END AS email FROM account WHERE id = $1',
      [alert.accountId],
    )
    const secret = await readUnsubscribeSecret(database)
    const mailer = createMailer(config)
    try {
      const parts = { mailer, ...senders, clock, publicUrl: publicUrlOf(config, null), secret }
      const email = accounts[0]?.email ?? null
      return await sendTest({ ...alert, email }, { ...parts, toLevel: toRiskLevel, newId: randomUUID })
    } finally {
      mailer.close()
    }
  }

  return {
    send: async (keyId, alert) => {
      await count(minute, keyId, `${PER_MINUTE} test messages a minute`)
      await count(day, keyId, `${PER_DAY} test messages a day`)
      return send(alert)
    },
  }
}

/** Throws RATE_LIMITED. */
async function count(limiter: Limiter, keyId: number, bound: string): Promise<void> {
  const seconds = await takeOne(limiter, String(keyId))
  if (seconds === 0) return
  const message = `A key sends ${bound}: wait ${seconds} s.`
  throw new AssayError('RATE_LIMITED', message, { retryAfterSeconds: seconds })
}
