// Turns a loaded ledger into a market with data for the scores: LP shares and their holders, hours, days, weeks,
// results of wallets, funders, links, and rings of wallets that trade with each other. Set-based SQL, the same for the
// same sizes.
import type pg from 'pg'
import { HEAD, hash, loadLedger, type Shape, type Sizes } from './load.ts'

/** Every 25th token has a ring of twelve wallets, which make 40 % of its events; 4 % of the wallets are in rings. */
const RING = { tokens: 25, wallets: 12, every: 300, share: 0.4 }

/** Trade grows over time: half of all events are from the last week. */
const MARKET: Shape = {
  age: (events) => `power(1 - n::float8 / ${events}, 2)`,
  walletId: ({ tokens, wallets }) => `${tokens} + 1 + CASE
    WHEN token_id % ${RING.tokens} = 0 AND ${hash(31, 'n')} < ${RING.share}
    THEN ${RING.every} * (token_id / ${RING.tokens} % ${Math.max(1, Math.floor(wallets / RING.every))}) + (n % ${RING.wallets})::int
    ELSE floor(${wallets} * power(${hash(12, 'n')}, 2))::int END`,
}

/** Fills an empty, migrated database with a market whose newest block is final. */
export async function loadMarket(pool: pg.Pool, sizes: Sizes): Promise<void> {
  await loadLedger(pool, sizes, MARKET, [
    'UPDATE chain SET finalized = 10000000',
    ...shareRows(sizes),
    ...walletFacts(sizes),
    'UPDATE token SET price_hops = 1',
    launchRows,
    hourRows,
    dayRows,
    weekRows,
    ...linkRows(sizes),
  ])
}

/** Makes every token and wallet due. */
export const dueAll = `INSERT INTO score_due SELECT 1, id, timestamptz '${HEAD}' FROM token WHERE indexed
  UNION ALL SELECT 2, id, timestamptz '${HEAD}' FROM wallet WHERE indexed AND kind <> 'pool'
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`

/** Adds a block an hour later, with a swap of every account and every token; `final`: it cannot be rolled back. */
export const touchAll = ({ tokens }: Sizes, final: boolean): string[] => [
  `CREATE TEMP TABLE swapped AS
   SELECT *, row_number() OVER (PARTITION BY token_id ORDER BY id) AS nth, row_number() OVER (ORDER BY id) AS n FROM (
     SELECT id, event_count, swap_count, 1 + (id::bigint * 7919 + event_count) % ${tokens} AS token_id, 1 + (id + event_count) % 2 AS side,
       1 + 999 * ${hash(51, 'id::bigint + event_count')} AS quantity, 1 + 4999 * ${hash(52, 'id::bigint + event_count')} AS usd
     FROM wallet WHERE kind = 'account') w`,
  'ANALYZE swapped',
  `INSERT INTO block SELECT number + 1, hash, parent_hash, time + interval '1 hour', event_count + s.count, swap_count + s.count, liquidity_add_count,
     liquidity_remove_count, transfer_count, token_count, wallet_count, last_token_id, last_wallet_id, last_pool_id
   FROM block, (SELECT count(*) FROM swapped) s ORDER BY number DESC LIMIT 1`,
  'DELETE FROM block WHERE number < (SELECT max(number) FROM block)',
  `UPDATE chain SET finalized = (SELECT max(number) FROM block) - ${final ? 0 : 1}`,
  `INSERT INTO event SELECT b.event_count - s.count + n, b.swap_count - s.count + n, b.number, n, t.id, t.event_count + nth, t.swap_count + nth, w.id,
     w.event_count + 1, w.swap_count + 1, t.id, NULL, 1, side, quantity, usd, b.time, sha256(int8send(-n))
   FROM swapped w JOIN token t ON t.id = w.token_id, block b, (SELECT count(*) FROM swapped) s`,
  `UPDATE token t SET event_count = t.event_count + s.count, swap_count = t.swap_count + s.count, updated_block = b.number,
     liquidity_usd = liquidity_usd * (0.8 + 0.3 * ${hash(51, 't.id')}), price_usd = price_usd * (0.9 + 0.2 * ${hash(52, 't.id')})
   FROM (SELECT token_id, count(*) FROM swapped GROUP BY 1) s, block b WHERE t.id = s.token_id`,
  `UPDATE pool p SET liquidity_usd = t.liquidity_usd, updated_block = t.updated_block FROM token t WHERE t.id = p.base_id`,
  `UPDATE wallet w SET event_count = w.event_count + 1, swap_count = w.swap_count + 1, last_trade_at = b.time, updated_block = b.number,
     bought_usd = bought_usd + usd * (2 - side), sold_usd = sold_usd + usd * (side - 1), sold_known_usd = sold_known_usd + usd * (side - 1),
     realised_usd = realised_usd + 10 * (side - 1), closed_count = closed_count + side - 1, win_count = win_count + (side - 1) * (w.id % 3 / 2)
   FROM swapped s, block b WHERE s.id = w.id`,
  `INSERT INTO position SELECT token_id, s.id, floor(power(10, 18) * quantity), quantity, usd, usd, 0, 0, 0, NULL, NULL,
     ARRAY[floor(date_part('epoch', time) / 86400)::int], '{0}', 1, 1, 0, 0, 0, time, time FROM swapped s, block
   ON CONFLICT (token_id, wallet_id) DO UPDATE SET balance = position.balance + excluded.balance, last_at = excluded.last_at`,
  `INSERT INTO token_hour SELECT token_id, floor(date_part('epoch', max(time)) / 3600)::int, avg(usd / quantity), 1, 1, avg(usd / quantity), 1,
     count(*) FILTER (WHERE side = 1), count(*) FILTER (WHERE side = 2), 20000, 10 FROM swapped, block GROUP BY 1 ON CONFLICT DO NOTHING`,
  'DROP TABLE swapped',
  'VACUUM ANALYZE',
]

const account = ({ tokens, wallets }: Sizes, salt: number, skew: number) =>
  `${tokens} + 1 + floor(${wallets} * power(${hash(salt, 'id::bigint * 31 + k')}, ${skew}))::int`

/** Each pool's shares are a token, held by one to eight wallets; in one of three cases they were locked or burned. */
const shareRows = (sizes: Sizes) => [
  `UPDATE wallet SET kind = CASE id % 3 WHEN 0 THEN 'burned' ELSE 'locker' END WHERE id > ${sizes.tokens} AND id % 9973 = 7`,
  `INSERT INTO token SELECT id + ${sizes.tokens}, '0xd' || lpad(to_hex(id), 39, '0'), 'lp', false, 'Shares', 'LP', 18, power(10, 20), 0, created_at,
     created_block, NULL, 'unknown', false, NULL, 0, 0, 0, 0, NULL, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 0, updated_block
   FROM token WHERE kind = 'erc20'`,
  `UPDATE pool SET lp_token_id = id + ${sizes.tokens}`,
  `UPDATE block SET last_token_id = 2 * ${sizes.tokens}`,
  `INSERT INTO position (token_id, wallet_id, balance, cost_quantity, cost_usd, bought_usd, sold_usd, sold_known_usd, realised_usd,
     opening_days, openings, event_count, swap_count, liquidity_add_count, liquidity_remove_count, transfer_count, first_at, last_at)
   SELECT DISTINCT ON (1, 2) id + ${sizes.tokens}, coalesce(CASE WHEN k = 1 AND id % 3 = 0 THEN ids[1 + id % cardinality(ids)] END, ${account(sizes, 41, 1)}), floor(power(10, 20) / power(3, k)), 0, 0, 0, 0, 0, 0, '{}', '{}',
     0, 0, 0, 0, 0, created_at, created_at + ${hash(42, 'id')} * (timestamptz '${HEAD}' - created_at)
   FROM token t CROSS JOIN LATERAL generate_series(1, 1 + floor(8 * power(${hash(43, 'id')}, 3))::int) AS k
   CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM wallet WHERE kind IN ('locker', 'burned')) safe
   WHERE t.kind = 'erc20'`,
  `UPDATE token t SET holder_count = p.count, funded_holder_count = p.count, funded_holder_count_1h_ago = p.count
   FROM (SELECT token_id, count(*) FROM position WHERE token_id > ${sizes.tokens} GROUP BY 1) p WHERE t.id = p.token_id`,
]

/** The results of earlier trades, by a skill of each wallet; a ring's wallets were funded by its first wallet. */
const walletFacts = ({ tokens, wallets }: Sizes) => [
  `UPDATE wallet w SET first_seen_at = e.first, bought_usd = e.bought, sold_usd = e.sold, sold_known_usd = 0.8 * e.sold,
     realised_usd = e.sold * (${hash(44, 'w.id')} - 0.4), closed_count = e.sells, win_count = floor(e.sells * (0.1 + 0.8 * ${hash(44, 'w.id')})),
     max_drawdown_usd = e.sold * 0.3 * ${hash(45, 'w.id')}, closed_token_count = least(e.sells, e.tokens), bought_token_count = e.tokens,
     early_buy_count = e.tokens * (w.id % 20 = 0)::int, snipe_count = e.tokens * (w.id % 50 = 0)::int, last_trade_at = e.last
   FROM (SELECT wallet_id, min(time) AS first, coalesce(sum(amount_usd) FILTER (WHERE direction = 1), 0) AS bought,
     coalesce(sum(amount_usd) FILTER (WHERE direction = 2), 0) AS sold, count(*) FILTER (WHERE direction = 2) AS sells,
     count(DISTINCT token_id) AS tokens, max(time) FILTER (WHERE type = 1) AS last FROM event GROUP BY 1) e
   WHERE w.id = e.wallet_id`,
  `UPDATE wallet SET first_funder_id = CASE
     WHEN (id - ${tokens} - 1) % ${RING.every} < ${RING.wallets} THEN id - (id - ${tokens} - 1) % ${RING.every}
     WHEN ${hash(46, 'id')} < 0.6 THEN ${tokens} + 1 + floor(${wallets} * power(${hash(47, 'id')}, 4))::int END
   WHERE id > ${tokens}`,
]

/** Everybody who ever bought did so within a day of the first liquidity: the most wallets that a launch can have. */
const launchRows = `UPDATE position p SET first_buy_at = t.first_liquidity_at + ${hash(54, 'p.wallet_id')} * interval '1 day'
  FROM token t, (SELECT token_id, wallet_id FROM event WHERE type = 1 AND direction = 1 GROUP BY 1, 2) e
  WHERE t.id = p.token_id AND e.token_id = p.token_id AND e.wallet_id = p.wallet_id`

const hourRows = `INSERT INTO token_hour SELECT token_id, floor(date_part('epoch', time) / 3600)::int, avg(amount_usd / quantity),
    max(amount_usd / quantity), min(amount_usd / quantity), avg(amount_usd / quantity), floor(1e6 * sum(amount_usd)),
    count(*) FILTER (WHERE direction = 1), count(*) FILTER (WHERE direction = 2), 20000, 10
  FROM event WHERE type = 1 AND quantity > 0 GROUP BY 1, 2 ORDER BY 2`

const dayRows = `INSERT INTO pool_day SELECT token_id, floor(date_part('epoch', time) / 86400)::int, 1 + 9 * ${hash(48, 'max(n)')},
    1 + 9 * ${hash(49, 'max(n)')}, power(0.95, count(*) FILTER (WHERE type = 3)), count(*) FILTER (WHERE type = 3),
    CASE WHEN count(*) FILTER (WHERE type = 3) > 0 THEN 5 ELSE 0 END
  FROM event WHERE type < 4 GROUP BY 1, 2 ORDER BY 2`

const weekRows = `INSERT INTO wallet_week SELECT wallet_id, floor(date_part('epoch', time) / 604800)::int,
    (${hash(44, 'wallet_id')} - 0.3) * sum(amount_usd) * (2 * ${hash(50, 'max(n)')} - 0.8)
  FROM event WHERE direction = 2 GROUP BY 1, 2 ORDER BY 2`

/** Wallets got money from their funders. Tokens go to any wallet, but half of a ring's go to its first wallet. */
const linkRows = ({ tokens, wallets }: Sizes) => [
  `INSERT INTO link SELECT first_funder_id, id, 1, first_seen_block FROM wallet WHERE first_funder_id <> id`,
  `INSERT INTO link SELECT wallet_id, CASE
     WHEN (wallet_id - ${tokens} - 1) % ${RING.every} < ${RING.wallets} AND n % 2 = 0
     THEN wallet_id - (wallet_id - ${tokens} - 1) % ${RING.every}
     ELSE ${tokens} + 1 + floor(${wallets} * power(${hash(53, 'n')}, 3))::int END, 2, min(block_number)
   FROM event WHERE type = 4 GROUP BY 1, 2 ORDER BY 4`,
]
