-- What leaves without a sale has a result, and liquidity has one too. Null for nearly all: it takes no room.
ALTER TABLE position ADD COLUMN left_cost_usd double precision; -- cost of what left without a result
ALTER TABLE position ADD COLUMN free_shares double precision;   -- of pool shares: those whose token side came without a cost

INSERT INTO score_due (kind, id, due_at)
  SELECT 2, wallet_id, (SELECT max(time) FROM block) FROM wallet_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
