-- When somebody asked for the check of a token: it is checked before those that nobody waits for. Null: nobody did.
ALTER TABLE safety_due ADD COLUMN asked_at timestamptz;
CREATE INDEX safety_due_asked ON safety_due (asked_at, token_id) WHERE (asked_at IS NOT NULL);
