-- When a reorganisation took back all that a message of an alert is about; who follows the alerts is told.
ALTER TABLE alert_message ADD COLUMN retracted_at timestamptz;
CREATE INDEX alert_message_retracted ON alert_message (key_id, retracted_at) WHERE retracted_at IS NOT NULL;
