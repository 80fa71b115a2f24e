-- Scores that an older version computed follow other formulas: all of them are due at the newest block.
INSERT INTO score_due (kind, id, due_at)
  SELECT s.kind, s.id, (SELECT max(time) FROM block)
  FROM (SELECT 1 AS kind, token_id AS id FROM token_score UNION ALL SELECT 2, wallet_id FROM wallet_score) s
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
