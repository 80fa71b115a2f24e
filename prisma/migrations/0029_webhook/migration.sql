-- Webhooks as a channel of alerts: where a match is sent, and what signs it. A secret that was replaced signs too for a while.
ALTER TABLE alert
  ADD COLUMN webhook_url         text,
  ADD COLUMN webhook_secret      text,
  ADD COLUMN webhook_old_secret  text,
  ADD COLUMN webhook_old_until   timestamptz,
  ADD COLUMN webhook_failures    integer NOT NULL DEFAULT 0, -- refusals in a row
  ADD COLUMN webhook_disabled_at timestamptz;                -- when it was paused for its failures

-- A message keeps its channel when its alert is deleted.
ALTER TABLE alert_message ADD COLUMN channel text NOT NULL DEFAULT 'email';
DROP INDEX alert_message_due;
CREATE INDEX alert_message_due ON alert_message (channel, next_attempt_at) WHERE status = 'pending';
