-- The wallets of the clusters that set `sybil_cluster` on the token; empty without the flag. Part of the score's row, so
-- that a rollback takes them back with it; null in rows that a rollback restores from before this column.
ALTER TABLE token_score ADD COLUMN cluster_wallet_ids integer[] DEFAULT '{}';

-- A wallet asks whether any token counts it among them. Most scores have none, so the index stays small.
CREATE INDEX token_score_cluster ON token_score USING gin (cluster_wallet_ids) WITH (fastupdate = off)
  WHERE cluster_wallet_ids <> '{}';
