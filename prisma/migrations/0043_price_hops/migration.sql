-- A token may be quoted in one that is itself priced by pools: its price in native coins, and over how many pools.
ALTER TABLE token ADD COLUMN price_native double precision; -- null where its quotes lead to a stablecoin, and without a price
ALTER TABLE token ADD COLUMN price_hops smallint NOT NULL DEFAULT 0;

UPDATE token SET price_hops = 1 WHERE quote_id IS NOT NULL;
UPDATE token SET price_native = price_quote
  WHERE quote_id = (SELECT native_id FROM block ORDER BY number DESC LIMIT 1) AND price_quote > 0;
