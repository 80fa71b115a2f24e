-- The confidence of a price goes by the oldest price on the way to the chain's money, and `priced_at` by the token's own pools alone.
ALTER TABLE token ADD COLUMN oldest_priced_at timestamptz;
UPDATE token SET oldest_priced_at = priced_at;
