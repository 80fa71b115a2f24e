-- What of a day's volume is somebody trading; null until the token is scored again, which all are at once.
ALTER TABLE token_score ADD COLUMN organic_volume_24h_usd double precision;
INSERT INTO score_due (kind, id, due_at) SELECT 1, token_id, (SELECT max(time) FROM block) FROM token_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at);
