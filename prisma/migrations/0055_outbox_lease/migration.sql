-- A worker claims a message for some time instead of locking its row: no transaction is open while a receiver takes its time.
CREATE SEQUENCE alert_claim;
ALTER TABLE alert_message ADD COLUMN claim bigint, ADD COLUMN claimed_until timestamptz;
-- Accounts take turns: the one whose newest claim is oldest comes first.
CREATE INDEX alert_message_claim ON alert_message (channel, account_id, claim) WHERE claim IS NOT NULL;
CREATE INDEX alert_message_claimed ON alert_message (channel, account_id) WHERE claimed_until IS NOT NULL;
DROP INDEX alert_message_due;
CREATE INDEX alert_message_due ON alert_message (channel, account_id, next_attempt_at, turn, id) WHERE status = 'pending';

-- Whether the receiver's last call failed or took long: only then a long queue pauses a webhook of events early.
ALTER TABLE alert ADD COLUMN webhook_slow boolean NOT NULL DEFAULT false;
