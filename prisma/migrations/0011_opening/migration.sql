-- Who made a pool's first addition of liquidity, and how much of the quote that was; null where it is not known. Of pools
-- that are there already the wallet is found among the events; how much it was is not among them.
ALTER TABLE pool ADD COLUMN opener_id integer;
ALTER TABLE pool ADD COLUMN opening_quote double precision;
UPDATE pool SET opener_id = first.wallet_id FROM (
  SELECT DISTINCT ON (pool_id) pool_id, wallet_id, block_number FROM event
  WHERE type = 2 AND pool_id IS NOT NULL ORDER BY pool_id, n) first
JOIN token base ON NOT base.partial
WHERE pool.id = first.pool_id AND base.id = pool.base_id AND pool.quote_id IS NOT NULL;
CREATE INDEX pool_opener ON pool (opener_id, id) WHERE opener_id IS NOT NULL;
