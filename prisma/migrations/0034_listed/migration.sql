-- When a token's first pool was made: an old contract that is listed today is new to the market.
ALTER TABLE token ADD COLUMN listed_at timestamptz;
UPDATE token t SET listed_at = p.time FROM (SELECT base_id, min(created_at) AS time FROM pool WHERE base_id IS NOT NULL GROUP BY base_id) p
  WHERE p.base_id = t.id AND NOT t.partial;
UPDATE undo u SET before = u.before || jsonb_build_object('listed_at', t.listed_at)
  FROM token t WHERE u.entity = 'token' AND u.before IS NOT NULL AND t.id = u.key1;
