import { expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../../src/base/address.ts'
import { EVENT_TYPES } from '../../../src/base/vocabulary.ts'
import { readHead } from '../../../src/ledger/head.ts'
import { readMeetingPage } from '../../../src/ledger/read/event-page.ts'
import { countMeetings } from '../../../src/ledger/read/meeting.ts'
import { createDemoDatabase } from '../../support/demo.ts'
import { readingOf } from '../../support/reading.ts'

const { pool } = await createDemoDatabase()
const reading = readingOf(pool, await readHead(pool))
const whole = { since: null, until: null, after: null, before: null, oldestFirst: false }

/** Every pair of a token and a wallet with events between them, and how many there are of each type. */
const { rows: pairs } = await pool.query<{ tokenId: number; walletId: number; address: string; counts: number[] }>(`
  SELECT e.token_id AS "tokenId", w.id AS "walletId", w.address,
    ARRAY[${EVENT_TYPES.map((_, at) => `(count(*) FILTER (WHERE e.type = ${at + 1}))::int`).join(', ')}] AS counts
  FROM event e JOIN wallet w ON w.id IN (e.wallet_id, e.counterparty_id) GROUP BY 1, 2, 3 ORDER BY 1, 2`)
const ofZero = pairs.filter(({ address }) => address === ZERO_ADDRESS)

test('the events between a wallet and a token are as many as there are, of the zero address too', async () => {
  expect(ofZero.length).toBeGreaterThan(0)
  for (const { tokenId, walletId, counts } of [...ofZero, ...pairs.filter((_, at) => at % 40 === 0)]) {
    const of = (type: (typeof EVENT_TYPES)[number] | null) =>
      countMeetings(reading, { tokenId, walletId, type, ...whole })
    expect(await Promise.all(EVENT_TYPES.map(of))).toEqual(counts)
    expect(await of(null)).toBe(counts.reduce((sum, count) => sum + count))
  }
})

test('the mints of a token are on the page of its events with the zero address', async () => {
  for (const { tokenId, walletId, counts } of ofZero) {
    const page = await readMeetingPage(reading, {
      tokenId,
      walletId,
      type: 'transfer',
      ...whole,
      offset: 0,
      limit: 200,
    })
    expect(page.total).toBe(counts[EVENT_TYPES.indexOf('transfer')])
    expect(page.items).toHaveLength(Math.min(200, page.total))
    expect(page.items.every((event) => [event.walletId, event.counterpartyId].includes(walletId))).toBe(true)
  }
})
