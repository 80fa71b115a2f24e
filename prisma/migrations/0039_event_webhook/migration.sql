-- Webhooks of events: an alert whose subject is events has a filter of them as its conditions, and its messages hold the events.
ALTER TABLE alert ADD COLUMN subject text NOT NULL DEFAULT 'tokens';
CREATE INDEX alert_events ON alert (id) WHERE subject = 'events';

-- Messages of one webhook are sent one after another, in the order of their turns.
CREATE SEQUENCE alert_turn;
ALTER TABLE alert_message ADD COLUMN turn bigint, ADD COLUMN events jsonb, ADD COLUMN event_count integer NOT NULL DEFAULT 0;
CREATE INDEX alert_message_turn ON alert_message (alert_id, turn) WHERE status = 'pending' AND turn IS NOT NULL;
CREATE INDEX alert_message_old ON alert_message (created_at) WHERE turn IS NOT NULL;

-- Up to where events were handed to their webhooks.
CREATE TABLE event_dispatch (
  id         smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  generation integer  NOT NULL,
  n          bigint   NOT NULL
);
