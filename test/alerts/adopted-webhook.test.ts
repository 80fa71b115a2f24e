// A webhook of events that was not yet told of a reorganisation when another index takes the place of the one it heard of.
import { expect, test } from 'vitest'
import { createDispatch } from '../../src/alerts/dispatch.ts'
import { adopt } from '../../src/ledger/account/adopt.ts'
import { createEventWebhookRows } from '../../src/ledger/account/alert.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { createTestClock } from '../support/clock.ts'
import { createLiveLedger } from '../support/live-ledger.ts'

const [first, second, third] = [await createLiveLedger(), await createLiveLedger(), await createLiveLedger()]
const clock = createTestClock()
type Live = typeof first

const hand = ({ database }: Live) => createDispatch({ database, clock, log: { warn: () => {} }, maxLag: 1_000 }).run()

async function sent({ database }: Live) {
  const { rows } = await database.pool.query<{ events: { direction: string; retracted: boolean; id: string }[] }>(
    'SELECT events FROM alert_message ORDER BY turn',
  )
  return rows.flatMap(({ events }) => events)
}

test('a webhook of events gets earlier retractions after another index took over, and continues from its place', async () => {
  const owner = await createAlertWorld(first.database).account('owner@example.com')
  const webhook = { url: 'https://example.com/hook', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }
  await createEventWebhookRows(first.database.prisma, clock).create(
    owner,
    { name: 'Bot', conditions: { types: ['swap'] }, webhook },
    null,
  )
  await hand(first)
  // The second index begins earlier than the first. It has one event more, so its running numbers differ.
  second.other.buy(1, 1)
  await second.append()
  for (const { market, desk, append } of [first, third]) {
    market.mine()
    desk.buy(1, 1)
    await append()
  }
  second.desk.buy(1, 1)
  await second.append()
  await hand(first)
  const stays = first.newest()
  first.desk.buy(2, 1)
  first.desk.buy(3, 2)
  await first.append()
  await hand(first)
  const before = await sent(first)
  await first.rollBack(stays)
  for (const { desk, append } of [first, second, third]) {
    desk.sell(1, 3)
    await append()
  }
  await adopt(first.database, second.database)
  await adopt(second.database, third.database)
  for (const live of [second, third]) {
    await hand(live)
    const news = (await sent(live)).slice(before.length)
    const gone = before.slice(-2).toReversed()
    expect(news).toEqual([
      ...gone.map((event) => ({ ...event, retracted: true })),
      expect.objectContaining({ direction: 'sell', retracted: false }),
    ])
    await hand(live)
    expect(await sent(live)).toHaveLength(before.length + 3)
  }
})
