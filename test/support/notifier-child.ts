// A child process that sends due mails in a loop until it is killed, for tests that kill it.
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/database/client.ts'

const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2)
const notifier = createNotifier({
  database: openDatabase(databaseUrl, { size: 2 }),
  mailer: createSmtpMailer({ url: smtpUrl, from: 'alerts@assay.example' }),
  clock: systemClock,
  publicUrl: 'http://localhost:4000',
  secret: new Uint8Array(32),
  toLevel: () => 'low',
})
process.send?.('ready')
for (;;) {
  await notifier.run()
  await systemClock.sleep(5)
}
