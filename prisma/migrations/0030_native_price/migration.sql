-- The price of the wrapped native coin at each block: what is quoted in it is shown at its price now. Blocks of an earlier
-- version say nothing, and show prices as of the last change of each token's pools.
ALTER TABLE block ADD COLUMN native_id integer;           -- the wrapped native coin; null before its first log
ALTER TABLE block ADD COLUMN native_usd double precision; -- its price at the end of the block; 0: not priced

-- Market caps in native coins, with the price that they were last evaluated at.
ALTER TABLE alert_baseline ADD COLUMN in_native boolean NOT NULL DEFAULT false;
ALTER TABLE alert_sweep ADD COLUMN native_usd double precision NOT NULL DEFAULT 0;
