// A child process that sends due mails in a loop until it is killed, for tests that kill it. It says when it begins its first
// mail, or that none is due.
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/database/client.ts'

const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2)
const mailer = createSmtpMailer({ url: smtpUrl, from: 'alerts@assay.example' })
const notifier = createNotifier({
  database: openDatabase(databaseUrl, { size: 2 }),
  mailer: {
    ...mailer,
    send: (mail) => {
      process.send?.('sending')
      return mailer.send(mail)
    },
  },
  clock: systemClock,
  publicUrl: 'http://localhost:4000',
  secret: new Uint8Array(32),
  toLevel: () => 'low',
})
for (;;) {
  await notifier.run()
  process.send?.('idle')
  await systemClock.sleep(5)
}
