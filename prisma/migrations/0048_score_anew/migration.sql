-- The risk model has other inputs and points: all tokens are due at the newest block.
INSERT INTO score_due (kind, id, due_at)
  SELECT 1, token_id, (SELECT max(time) FROM block) FROM token_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
