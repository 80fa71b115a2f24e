import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFactsBlock } from '../../../src/ledger/facts/facts.ts'
import { createRecentSwaps } from '../../../src/ledger/facts/recent-swaps.ts'
import { readSwaps } from '../../../src/ledger/facts/swaps.ts'
import { createTestDatabase } from '../../support/database.ts'
import { DAY, NOW } from '../../support/facts.ts'

const { pool } = await createTestDatabase()

/** The event table of three tokens, which trade, wait for days, and lose their newest trades in a reorganisation. */
function createTokens() {
  const counts = new Map([1, 2, 3].map((id) => [id, 0]))
  let [n, time] = [0, NOW]
  return {
    counts,
    block: () => toFactsBlock(1_000, time),
    wait: (days: number) => {
      time += days * DAY
    },
    trade: async (tokenId: number, swaps: number, amount: number) => {
      const before = counts.get(tokenId) ?? 0
      await pool.query(
        `INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id, wallet_n,
          wallet_type_n, pool_id, type, direction, quantity, amount_usd, time, tx_hash)
        SELECT $1::bigint + i, $1::bigint + i, $1::bigint + i, 0, $2, $3::int + i, $3::int + i, 1, $1::bigint + i, $1::bigint + i, 1, 1, 1 + i % 2, i, $4,
          to_timestamp($5), '\\x01' FROM generate_series(1, $6::int) i`,
        [n, tokenId, before, amount, time, swaps],
      )
      n += swaps
      counts.set(tokenId, before + swaps)
    },
    undo: async (tokenId: number, swaps: number) => {
      const left = Math.max(0, (counts.get(tokenId) ?? 0) - swaps)
      await pool.query('DELETE FROM event WHERE token_id = $1 AND token_type_n > $2', [tokenId, left])
      counts.set(tokenId, left)
    },
  }
}

const token = fc.integer({ min: 1, max: 3 })
const doings = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('trade'), token, fc.constantFrom(1, 3, 70, 900, 2_100)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('wait'), token, fc.constantFrom(1, 3, 8)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('undo'), token, fc.constantFrom(1, 80)) },
)

test('remembered swaps and those read since are the swaps that a whole reading returns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doings, { maxLength: 14 }), fc.constantFrom(0, 2_500, 100_000), async (steps, most) => {
      await pool.query('TRUNCATE event CASCADE')
      const tokens = createTokens()
      const recent = createRecentSwaps(most)
      for (const [at, [kind, id, size]] of steps.entries()) {
        if (kind === 'trade') await tokens.trade(id, size, at + 1)
        else if (kind === 'wait') tokens.wait(size)
        else {
          await tokens.undo(id, size)
          recent.forget()
        }
        expect(await recent.read(pool, tokens.counts, tokens.block())).toEqual(
          await readSwaps(pool, tokens.counts, tokens.block()),
        )
      }
    }),
    { numRuns: 25 },
  )
})

test('of a token with many swaps only those since the last reading are read', async () => {
  await pool.query('TRUNCATE event CASCADE')
  const tokens = createTokens()
  const recent = createRecentSwaps()
  const asked: string[] = []
  const client = {
    query: (...given: Parameters<typeof pool.query>) => {
      asked.push(JSON.stringify(given[0]))
      return pool.query(...given)
    },
  } as typeof pool
  await tokens.trade(1, 100, 1)
  await recent.read(client, new Map([[1, 100]]), tokens.block())
  await tokens.trade(1, 2, 2)
  await recent.read(client, new Map([[1, 102]]), tokens.block())
  expect(asked.map((text) => text.includes('facts newer swaps'))).toEqual([false, true])
})
