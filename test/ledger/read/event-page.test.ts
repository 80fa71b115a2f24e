import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/base/vocabulary.ts'
import { readHead } from '../../../src/ledger/head.ts'
import type { Reading } from '../../../src/ledger/read/consistent-read.ts'
import { readEventPages, readMeetingPage } from '../../../src/ledger/read/event-page.ts'
import { createTestDatabase } from '../../support/database.ts'
import { HEAD_TIME, type SeededEvent, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
const { events } = await seedLedger(database.pool, { tokens: 8, wallets: 12, events: 400 })
const head = await readHead(database.pool)
const reading: Reading = {
  head,
  query: async (statement) => (await database.pool.query(statement)).rows,
  source: () => database.pool,
}

const type = fc.option(fc.constantFrom(...EVENT_TYPES))
const since = fc.option(fc.integer({ min: -2, max: 140 }).map((steps) => new Date((HEAD_TIME - steps * 360) * 1000)))
const page = { page: fc.integer({ min: 1, max: 8 }), limit: fc.integer({ min: 1, max: 60 }) }

const pick = (all: SeededEvent[], asked: { type: string | null; since: Date | null }) =>
  all.filter((e) => (!asked.type || e.type === asked.type) && (!asked.since || e.time * 1000 > asked.since.getTime()))
const cut = (all: SeededEvent[], { page: number, limit }: { page: number; limit: number }) =>
  all.toReversed().slice((number - 1) * limit, number * limit)

describe('a page of events', () => {
  it('equals the same page of all events, whatever the scope, type, time and page', async () => {
    const scopes = fc.constantFrom(
      { tokenId: null, walletId: null },
      ...[1, 2, 3].map((id) => ({ tokenId: id, walletId: null })),
      ...[1, 5, 9].map((id) => ({ tokenId: null, walletId: id })),
    )
    const questions = fc.array(fc.record({ scope: scopes, type, since, ...page }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(questions, async (asked) => {
        const own = asked.map((q) =>
          events.filter(
            (e) =>
              (q.scope.tokenId === null || e.tokenId === q.scope.tokenId) &&
              (q.scope.walletId === null || e.walletId === q.scope.walletId),
          ),
        )
        const pages = await readEventPages(
          reading,
          asked.map((q, index) => ({
            ...q,
            ...q.scope,
            total: pick(own[index] ?? [], { type: q.type, since: null }).length,
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

  it('of a wallet with a token equals the same page of their events', async () => {
    const pair = fc.constantFrom(...events).map(({ tokenId, walletId }) => ({ tokenId, walletId }))
    await fc.assert(
      fc.asyncProperty(fc.record({ pair, type, since, ...page }), async (asked) => {
        const own = events.filter((e) => e.tokenId === asked.pair.tokenId && e.walletId === asked.pair.walletId)
        const expected = pick(own, asked)
        const read = await readMeetingPage(reading, { ...asked, ...asked.pair })
        expect(read.total).toBe(expected.length)
        expect(read.items.map((event) => event.n)).toEqual(cut(expected, asked).map((event) => event.n))
      }),
      { numRuns: 60 },
    )
  })

  it('carries words, addresses and whole numbers', async () => {
    const [read] = await readEventPages(reading, [
      { tokenId: null, walletId: null, type: 'swap', since: null, total: head.countByType.swap, page: 1, limit: 1 },
    ])
    expect(read?.items[0]).toMatchObject({ type: 'swap', direction: expect.stringMatching(/^(buy|sell)$/) })
    expect(read?.items[0]?.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(read?.items[0]?.timestamp).toBeInstanceOf(Date)
  })
})
