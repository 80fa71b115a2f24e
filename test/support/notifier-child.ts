// A child process that sends due messages of a channel in a loop until it is killed, for tests that kill it. It says when it
// begins its first message, or that none is due. Its second argument is a mail server, or a server in the place of Slack.
import { createChatSender } from '../../src/alerts/chat-sender.ts'
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/database/client.ts'

const [databaseUrl = '', serverUrl = ''] = process.argv.slice(2)
const channel = serverUrl.startsWith('smtp') ? 'email' : 'slack'
const toLevel = () => 'low'
const mailer = createSmtpMailer({
  url: channel === 'email' ? serverUrl : 'smtp://127.0.0.1:1',
  from: 'alerts@assay.example',
})
const chats = createChatSender({
  reach: { allowsLoopback: true },
  origins: { slack: serverUrl },
  publicUrl: null,
  toLevel,
})
/** Tells the test that a message is under way. */
const telling =
  <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> => {
    process.send?.('sending')
    return send(...args)
  }
const notifier = createNotifier({
  database: openDatabase(databaseUrl, { size: 2 }),
  mailer: { ...mailer, send: telling(mailer.send) },
  chats: { send: telling(chats.send) },
  clock: systemClock,
  publicUrl: 'http://localhost:4000',
  secret: new Uint8Array(32),
  toLevel,
})
for (;;) {
  await notifier.run(undefined, channel)
  process.send?.('idle')
  await systemClock.sleep(5)
}
