// Starts the role `alerts`: matches alerts when the chain or an alert changes; sends mails by SMTP or into a folder,
// those of sign-ups too.
import { createDispatch } from '../alerts/dispatch.ts'
import { type AlertsChange, createAlertsJob } from '../alerts/job.ts'
import { createNotifier } from '../alerts/notifier.ts'
import { createSweep } from '../alerts/sweep.ts'
import type { Clock } from '../base/clock.ts'
import { type Config, signupModeOf } from '../base/config.ts'
import { toRiskLevel } from '../base/risk-level.ts'
import { ALERTS_CHANNEL, HEAD_CHANNEL, listen, OUTBOX_CHANNEL, SIGNUP_CHANNEL } from '../database/listen.ts'
import type { Ledger } from '../database/open.ts'
import { tellOutages } from '../database/outage.ts'
import { readUnsubscribeSecret } from '../ledger/account/secret.ts'
import { createMailing } from '../signup/mailing.ts'
import type { Log } from '../telemetry/log.ts'
import { createMailer, mailFolderOf, publicUrlOf } from './mailer.ts'
import { createSenders } from './senders.ts'

/** What each notification of the database changes. */
const CHANGES: Readonly<Record<string, AlertsChange>> = {
  [HEAD_CHANNEL]: 'matches',
  [ALERTS_CHANNEL]: 'matches',
  [OUTBOX_CHANNEL]: 'messages',
  [SIGNUP_CHANNEL]: 'links',
}

export interface AlertingDeps {
  config: Config
  log: Log
  clock: Clock
  ledger: Ledger
  /**
   * The address of the API in this process, for links in mails when PUBLIC_URL is not set; null when it serves none.
   */
  address: string | null
}

/** Starts matching and sending. `stop` waits for the current sweep and mails. */
export async function startAlerting({
  config,
  log,
  clock,
  ledger,
  address,
}: AlertingDeps): Promise<{ stop(): Promise<void> }> {
  const { database } = ledger
  const mailer = createMailer(config)
  if (!config.SMTP_URL)
    log.info({ folder: mailFolderOf(config) }, 'SMTP_URL is not set: alert mails are written as files')
  const publicUrl = publicUrlOf(config, address)
  if (config.SMTP_URL && !config.PUBLIC_URL) {
    log.warn(
      { publicUrl },
      'PUBLIC_URL is not set: links in mails, including those to unsubscribe, lead to the address of the API',
    )
  }
  const secret = await readUnsubscribeSecret(database)
  const senders = createSenders(config, clock)
  const mode = signupModeOf(config)
  const links = mode ? createMailing({ pool: database.pool, mailer, clock, mode, publicUrl, log }) : undefined
  const job = createAlertsJob({
    links,
    sweep: createSweep({ database, clock, maxLag: config.READY_MAX_LAG }),
    dispatch: createDispatch({ database, clock, log, maxLag: config.READY_MAX_LAG }),
    notifier: createNotifier({ database, mailer, ...senders, clock, publicUrl, secret, toLevel: toRiskLevel }),
    clock,
    log: tellOutages(log, database, clock),
  })
  const onNotify = (channel: string | null) => job.wake(channel === null ? null : (CHANGES[channel] ?? null))
  const listening = listen(database, Object.keys(CHANGES), onNotify, clock)
  return {
    stop: async () => {
      await listening.close()
      await job.stop()
      mailer.close()
    },
  }
}
