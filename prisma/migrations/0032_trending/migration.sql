-- Tokens that trend alike are ordered by liquidity before their address.
DROP INDEX token_trending;
CREATE INDEX token_trending ON token (trending_score DESC, liquidity_usd DESC, address) WHERE indexed;

-- The day counts a little, too: all tokens are due at the newest block.
INSERT INTO score_due (kind, id, due_at)
  SELECT 1, token_id, (SELECT max(time) FROM block) FROM token_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
