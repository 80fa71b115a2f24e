-- What a price rests on: the pools that agree, their depth, and when they last changed. Rows that are there already get the
-- depth of a pool of constant product, which the next change of the pool makes true.
ALTER TABLE token ADD COLUMN priced_at timestamptz;
ALTER TABLE token ADD COLUMN price_pool_count integer NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN depth_2pct_usd double precision NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN price_outlier_share double precision NOT NULL DEFAULT 0;
ALTER TABLE pool ADD COLUMN active_liquidity numeric(40, 0);
ALTER TABLE pool ADD COLUMN depth_2pct_usd double precision NOT NULL DEFAULT 0;
UPDATE pool SET depth_2pct_usd = liquidity_usd / 2 * (sqrt(1.02::float8) - 1) WHERE liquidity_usd > 0;
UPDATE token t SET depth_2pct_usd = p.depth_2pct_usd, price_pool_count = 1,
  priced_at = (SELECT to_timestamp(max(h.hour) * 3600::float8) FROM token_hour h WHERE h.token_id = t.id)
FROM pool p WHERE p.id = t.pool_id AND t.price_usd > 0;
UPDATE undo u SET before = u.before || jsonb_build_object('priced_at', t.priced_at, 'price_pool_count', t.price_pool_count,
  'depth_2pct_usd', t.depth_2pct_usd, 'price_outlier_share', 0)
FROM token t WHERE u.entity = 'token' AND u.before IS NOT NULL AND t.id = u.key1;
UPDATE undo u SET before = u.before || jsonb_build_object('depth_2pct_usd', p.depth_2pct_usd)
FROM pool p WHERE u.entity = 'pool' AND u.before IS NOT NULL AND p.id = u.key1;
-- Dollars are kept in whole micro-dollars from now on.
UPDATE token SET market_cap_usd = round(market_cap_usd * 1e6) / 1e6, liquidity_usd = round(liquidity_usd * 1e6) / 1e6,
  peak_liquidity_usd = round(peak_liquidity_usd * 1e6) / 1e6;
UPDATE pool SET liquidity_usd = round(liquidity_usd * 1e6) / 1e6, peak_liquidity_usd = round(peak_liquidity_usd * 1e6) / 1e6;
