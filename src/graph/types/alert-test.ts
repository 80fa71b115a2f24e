// A test message of an alert: sent once by its channel, to see whether it arrives.
import type { TestOutcome } from '../../alerts/test-message.ts'
import { moveDeadline } from '../../base/deadline.ts'
import { AssayError } from '../../base/errors.ts'
import type { GraphContext } from '../context.ts'
import { PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { channelOf } from './alert.ts'

/** A mail server may take a minute; a webhook and a chat have 15 s. */
const TEST_WITHIN_MS = 65_000

const PayloadObject = builder.objectRef<TestOutcome>('AlertTestPayload').implement({
  extensions: PART,
  description: 'What became of the test message of an alert.',
  fields: (t) => ({
    delivered: t.exposeBoolean('delivered', { description: 'Whether the receiver took the message.' }),
    response: t.exposeString('response', { description: 'What the receiver answered, in a sentence.' }),
  }),
})

async function test(id: string, { caller, alerts, alertTests, signal }: GraphContext): Promise<TestOutcome> {
  const alert = await alerts.find(caller.keyId, id)
  if (!alert || !alertTests) throw new AssayError('NOT_FOUND', 'There is no such alert.')
  moveDeadline(signal, TEST_WITHIN_MS)
  const { name, accountId, webhookUrl: url, webhookSecret } = alert
  const webhook = url === null ? null : { url, secrets: webhookSecret === null ? [] : [webhookSecret] }
  return alertTests.send(caller.keyId, { id, name, accountId, channel: channelOf(alert), webhook })
}

builder.mutationFields((t) => ({
  alertTest: t.field({
    type: PayloadObject,
    description:
      'Sends one message, marked as a test, by the channel of an alert. It is no match, and is not tried again. Fails with RATE_LIMITED beyond a few in a minute.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the alert.' }) },
    resolve: (_, { id }, context) => test(id, context),
  }),
}))
