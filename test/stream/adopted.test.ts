// A reader of events who is away while the chain is reorganised and another index takes the place of the one it read.
import { expect, test } from 'vitest'
import { adopt } from '../../src/ledger/account/adopt.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import type { TestServer } from '../support/rest.ts'
import { readSse } from '../support/sse.ts'

const [first, second] = [await createLiveLedger(), await createLiveLedger()]

const listen = async ({ url, knock }: TestServer, query: string) => {
  const { authorization } = await knock({ plan: 'pro' })
  return readSse(`${url}/v1/stream/events?${query}`, { headers: { authorization } })
}

test('a reader who comes back to another index is told what a reorganisation took back of the one before', async () => {
  const server = await first.serve()
  const reader = await listen(server, 'type=swap&after=0-0-0')
  for (const { desk, append } of [first, second]) {
    desk.buy(1, 1)
    await append()
  }
  const stays = first.newest()
  first.desk.buy(2, 1)
  first.desk.buy(3, 2)
  await first.append()
  await expect.poll(() => reader.messages.length).toBeGreaterThan(2)
  const had = reader.messages.map(({ data }) => data.id)
  const gone = had.filter((id) => Number(id.split('-')[0]) > stays)
  expect(gone.length).toBe(2)
  reader.close()
  await first.rollBack(stays)
  const between = await listen(server, `type=swap&after=${reader.lastId()}`)
  await expect.poll(() => between.messages.length).toBe(gone.length)
  between.close()
  // The other index has reorganisations of its own, which nobody was told of.
  second.desk.buy(4, 5)
  await second.append()
  for (const { rollBack, desk, append } of [second, first]) {
    if (rollBack === second.rollBack) await rollBack(stays)
    desk.sell(1, 3)
    await append()
  }
  await adopt(first.database, second.database)
  // A second time, as an attempt does that was interrupted.
  await adopt(first.database, second.database, { again: true })
  const elsewhere = await second.serve()
  const again = await listen(elsewhere, `type=swap&after=${reader.lastId()}`)
  await expect.poll(() => again.messages.length).toBe(gone.length + 1)
  expect(again.messages.map(({ data }) => [data.retracted, data.retracted ? data.id : data.direction])).toEqual([
    ...gone.toReversed().map((id) => [true, id]),
    [false, 'sell'],
  ])
  const informed = await listen(elsewhere, `type=swap&after=${between.lastId()}`)
  await expect.poll(() => informed.messages.length).toBe(1)
  expect(informed.messages[0]?.data).toMatchObject({ retracted: false, direction: 'sell' })
})
