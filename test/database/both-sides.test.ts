// An index of the version before transfers counted for their recipients, made by taking back what that version did not write.
import { expect, test } from 'vitest'
import { readMigrations } from '../../src/database/migrate.ts'
import { addressOf, createMarket, type Market, USDC, WETH, wallet } from '../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { appendFinal, dumpTables, openWriter } from '../support/writing.ts'

/** That version had no such candles. */
const FORGET_CANDLES = `DELETE FROM token_five_minutes; DELETE FROM undo WHERE entity = 'token_five_minutes'`

const TAKE_BACK = `
  UPDATE undo SET before = before || jsonb_build_object(
    'event_count', (SELECT count(*) FROM event WHERE wallet_id = key1 AND block_number < undo.block_number),
    'transfer_count', (SELECT count(*) FROM event WHERE wallet_id = key1 AND type = 4 AND block_number < undo.block_number))
    WHERE entity = 'wallet' AND before IS NOT NULL;
  UPDATE undo SET before = before || jsonb_build_object(
    'event_count', (SELECT count(*) FROM event WHERE token_id = key1 AND wallet_id = key2 AND block_number < undo.block_number),
    'transfer_count', (SELECT count(*) FROM event
      WHERE token_id = key1 AND wallet_id = key2 AND type = 4 AND block_number < undo.block_number))
    WHERE entity = 'position' AND before IS NOT NULL;
  UPDATE wallet w SET event_count = (SELECT count(*) FROM event WHERE wallet_id = w.id),
    transfer_count = (SELECT count(*) FROM event WHERE wallet_id = w.id AND type = 4);
  UPDATE position p SET event_count = (SELECT count(*) FROM event WHERE token_id = p.token_id AND wallet_id = p.wallet_id),
    transfer_count = (SELECT count(*) FROM event WHERE token_id = p.token_id AND wallet_id = p.wallet_id AND type = 4);
  ALTER TABLE event DROP COLUMN counterparty_n, DROP COLUMN counterparty_type_n, DROP COLUMN part;
  DROP INDEX event_wallet, event_wallet_type;
  UPDATE event e SET wallet_n = s.n, wallet_type_n = s.type_n FROM (SELECT n AS key,
    row_number() OVER (PARTITION BY wallet_id ORDER BY n) AS n,
    row_number() OVER (PARTITION BY wallet_id, type ORDER BY n) AS type_n FROM event) s WHERE e.n = s.key;
  CREATE UNIQUE INDEX event_wallet ON event (wallet_id, wallet_n);
  CREATE UNIQUE INDEX event_wallet_type ON event (wallet_id, type, wallet_type_n);`

/** Trades and transfers to others, to oneself and to nobody, also in a pool of two tokens that are no quotes. */
function makeMarket(): Market {
  const market = createMarket()
  const [one, other] = [addressOf('token', 1), addressOf('token', 2)]
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  const people = [wallet(0), wallet(1), wallet(2)]
  for (const who of people) market.mint(USDC, who, 10n ** 13n)
  const pools = [one, other].map((token) => {
    market.token(token)
    for (const who of people) market.mint(token, who, 10n ** 24n)
    const pool = market.createPool(wallet(0), token, USDC)
    const isZero = market.pool(pool).token0 === token
    market.add(pool, wallet(0), isZero ? 10n ** 22n : 10n ** 11n, isZero ? 10n ** 11n : 10n ** 22n)
    return pool
  })
  const between = market.createPool(wallet(0), one, other)
  market.add(between, wallet(0), 10n ** 21n, 10n ** 21n)
  market.mine()
  for (let n = 0; n < 12; n += 1) {
    const who = wallet(n % 3)
    market.transfer(n % 2 ? one : other, who, wallet(n % 5), 10n ** 18n)
    market.swap(n % 3 ? (pools[n % 2] ?? between) : between, who, n % 2 ? other : one, 10n ** 17n)
    market.mine()
  }
  return market
}

const upgrade = async ({ pool }: TestDatabase) => {
  const migration = readMigrations().find(({ name }) => name === '0015_both_sides')
  // Images were jsonb then.
  await pool.query(`ALTER TABLE undo ALTER COLUMN before TYPE jsonb; ${FORGET_CANDLES}; ${TAKE_BACK}`)
  await pool.query(migration?.sql ?? '')
  await pool.query('ALTER TABLE undo ALTER COLUMN before TYPE json')
}

test.each([0, 4])(
  'an upgraded index with %i blocks that may be rolled back is what it would be had it been made anew up to its newest final block',
  async (revocable) => {
    const market = makeMarket()
    const [old, anew] = [await createTestDatabase(), await createTestDatabase()]
    const head = market.blocks.length - 1
    const finalized = head - revocable
    const writer = await openWriter(old, market.reader)
    await writer.append({ blocks: market.blocks, head, finalized })
    await writer.settle()
    await upgrade(old)
    await appendFinal(await openWriter(anew, market.reader), market.blocks.slice(0, finalized + 1))
    await anew.pool.query(FORGET_CANDLES)
    expect(await dumpTables(old.pool)).toEqual(await dumpTables(anew.pool))
    expect((await old.pool.query('SELECT FROM event WHERE part = 1')).rowCount).toBeGreaterThan(0)
    expect((await old.pool.query('SELECT FROM undo')).rowCount).toBe(0)
  },
)
