import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventId } from '../../../src/base/event-id.ts'
import { EVENT_TYPES } from '../../../src/base/vocabulary.ts'
import { readHead } from '../../../src/ledger/head.ts'
import type { EventSpan } from '../../../src/ledger/read/event.ts'
import { readEventPages, readMeetingPage } from '../../../src/ledger/read/event-page.ts'
import { createTestDatabase } from '../../support/database.ts'
import { readingOf } from '../../support/reading.ts'
import { HEAD_TIME, type SeededEvent, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
const { events, positions } = await seedLedger(database.pool, { tokens: 8, wallets: 12, events: 400 })
const head = await readHead(database.pool)
const reading = readingOf(database.pool, head)

const type = fc.option(fc.constantFrom(...EVENT_TYPES))
const since = fc.option(fc.integer({ min: -2, max: 140 }).map((steps) => new Date((HEAD_TIME - steps * 360) * 1000)))
const place = fc.option(
  fc.constantFrom(...events).chain(({ block, logIndex, part }) =>
    // Also an event that never existed: it still says where to continue.
    fc.record({
      blockNumber: fc.constantFrom(block, block, block - 500, block + 500),
      logIndex: fc.constantFrom(logIndex, logIndex, 2),
      part: fc.constantFrom(part, part, 7),
    }),
  ),
)
const span = { since, until: since, after: place, before: place, oldestFirst: fc.boolean() }
const UNBOUNDED = { since: null, until: null, after: null, before: null, oldestFirst: false }
const page = { offset: fc.integer({ min: 0, max: 400 }), limit: fc.integer({ min: 1, max: 60 }) }

type Asked = { type: string | null } & EventSpan
const isLater = ({ block, logIndex, part }: SeededEvent, id: EventId) =>
  (block - id.blockNumber || logIndex - id.logIndex || part - id.part) > 0
const isAt = ({ block, logIndex, part }: SeededEvent, id: EventId) =>
  block === id.blockNumber && logIndex === id.logIndex && part === id.part
const pick = (all: SeededEvent[], { type, since, until, after, before }: Asked) =>
  all.filter(
    (e) =>
      (!type || e.type === type) &&
      (!since || e.time * 1000 > since.getTime()) &&
      (!until || e.time * 1000 <= until.getTime()) &&
      (!after || isLater(e, after)) &&
      (!before || !(isLater(e, before) || isAt(e, before))),
  )
const isOf = (walletId: number | null) => (e: SeededEvent) =>
  walletId === null || e.walletId === walletId || e.counterpartyId === walletId
const cut = (
  all: SeededEvent[],
  { offset, limit, oldestFirst }: { offset: number; limit: number; oldestFirst: boolean },
) => (oldestFirst ? all : all.toReversed()).slice(offset, offset + limit)

describe('a page of events', () => {
  it('a page of events equals that page of all events filtered in memory, for any scope, type, start and page', async () => {
    const scopes = fc.constantFrom(
      { tokenId: null, walletId: null },
      ...[1, 2, 3].map((id) => ({ tokenId: id, walletId: null })),
      ...[1, 5, 9].map((id) => ({ tokenId: null, walletId: id })),
    )
    const questions = fc.array(fc.record({ scope: scopes, type, ...span, ...page }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(questions, async (asked) => {
        const own = asked.map((q) =>
          events.filter(
            (e) => (q.scope.tokenId === null || e.tokenId === q.scope.tokenId) && isOf(q.scope.walletId)(e),
          ),
        )
        const pages = await readEventPages(
          reading,
          asked.map((q, index) => ({
            ...q,
            ...q.scope,
            total: pick(own[index] ?? [], { type: q.type, ...UNBOUNDED }).length,
          })),
        )
        for (const [index, question] of asked.entries()) {
          const expected = pick(own[index] ?? [], question)
          expect(pages[index]?.total).toBe(expected.length)
          expect(pages[index]?.items.map((event) => event.n)).toEqual(cut(expected, question).map((event) => event.n))
        }
      }),
      { numRuns: 120 },
    )
  })

  it('a page of events between a wallet and a token equals that page of their events filtered in memory', async () => {
    const pair = fc
      .constantFrom(...events)
      .chain(({ tokenId, walletId, counterpartyId }) =>
        fc.record({ tokenId: fc.constant(tokenId), walletId: fc.constantFrom(walletId, counterpartyId ?? walletId) }),
      )
      .filter(({ tokenId, walletId }) => positions.some((p) => p.token_id === tokenId && p.wallet_id === walletId))
    await fc.assert(
      fc.asyncProperty(fc.record({ pair, type, ...span, ...page }), async (asked) => {
        const own = events.filter((e) => e.tokenId === asked.pair.tokenId && isOf(asked.pair.walletId)(e))
        const expected = pick(own, asked)
        const read = await readMeetingPage(reading, { ...asked, ...asked.pair })
        expect(read.total).toBe(expected.length)
        expect(read.items.map((event) => event.n)).toEqual(cut(expected, asked).map((event) => event.n))
      }),
      { numRuns: 60 },
    )
  })

  it('a page of events has words, addresses and whole numbers', async () => {
    const [read] = await readEventPages(reading, [
      {
        tokenId: null,
        walletId: null,
        type: 'swap',
        ...UNBOUNDED,
        total: head.countByType.swap,
        offset: 0,
        limit: 1,
      },
    ])
    expect(read?.items[0]).toMatchObject({ type: 'swap', direction: expect.stringMatching(/^(buy|sell)$/) })
    expect(read?.items[0]?.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(read?.items[0]?.timestamp).toBeInstanceOf(Date)
  })
})
