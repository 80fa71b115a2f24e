-- An exit of a wallet is told like a match, any number of them for a token. An empty text: the row is a match.
ALTER TABLE alert_notice ADD COLUMN exit_key text DEFAULT '' NOT NULL;
DROP INDEX alert_notice_waiting;
CREATE UNIQUE INDEX alert_notice_waiting ON alert_notice (alert_id, token_id, exit_key) WHERE message_id IS NULL;
CREATE INDEX alert_notice_told ON alert_notice (alert_id, token_id);
