-- Alerts that arrive: what was last evaluated, which pairs began to match, and the mails on their way out.

-- What an alert waits for: `report` (new, or its conditions changed: the next sweep mails what matches already),
-- `silent` (un-paused: what matches now is old news), null (in step). The trigger keeps it true for every writer.
CREATE SEQUENCE alert_revision;
ALTER TABLE alert
  ADD COLUMN revision        bigint NOT NULL DEFAULT nextval('alert_revision'),
  ADD COLUMN start           text DEFAULT 'report' CHECK (start IN ('report', 'silent')),
  ADD COLUMN last_message_at timestamptz; -- when its newest mail was written, for the cool-down
CREATE INDEX alert_start ON alert (id) WHERE start IS NOT NULL;

CREATE FUNCTION alert_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.conditions IS DISTINCT FROM OLD.conditions THEN
    NEW.start := 'report';
    NEW.revision := nextval('alert_revision');
    DELETE FROM alert_departure WHERE alert_id = NEW.id;
    DELETE FROM alert_notice WHERE alert_id = NEW.id AND message_id IS NULL;
  END IF;
  IF NEW.status IS DISTINCT FROM OLD.status THEN
    NEW.revision := nextval('alert_revision');
    IF NEW.status = 'active' THEN
      NEW.start := coalesce(NEW.start, 'silent');
    ELSE
      DELETE FROM alert_departure WHERE alert_id = NEW.id;
      DELETE FROM alert_notice WHERE alert_id = NEW.id AND message_id IS NULL;
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER alert_changed BEFORE UPDATE OF conditions, status ON alert FOR EACH ROW EXECUTE FUNCTION alert_changed();

CREATE FUNCTION alert_woke() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('assay_alerts', '');
  RETURN NULL;
END $$;
CREATE TRIGGER alert_woke AFTER INSERT OR DELETE OR UPDATE OF conditions, status ON alert
  FOR EACH STATEMENT EXECUTE FUNCTION alert_woke();

-- One row: the state of the chain that was last evaluated. Whoever holds its lock sweeps.
CREATE TABLE alert_sweep (
  id           smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  block_number integer NOT NULL,
  block_hash   text NOT NULL,
  time         timestamptz NOT NULL,
  turn         bigint NOT NULL             -- rises with every sweep: a sweeper whose memory is of another turn reads anew
);

-- The facts that a token was last evaluated with: "did not match before" is computed from them, never guessed.
CREATE TABLE alert_baseline (
  token_id          integer PRIMARY KEY,
  liquidity_usd     double precision NOT NULL,
  market_cap_usd    double precision NOT NULL,
  risk_score        double precision NOT NULL,
  flag_bits         smallint NOT NULL,
  holder_growth_pct double precision NOT NULL,
  created_at        timestamptz NOT NULL
);

-- A pair that stopped matching less than ten minutes ago: until then it does not fire again.
CREATE TABLE alert_departure (
  alert_id text NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  token_id integer NOT NULL,
  left_at  timestamptz NOT NULL,           -- time of the block
  PRIMARY KEY (alert_id, token_id)
);
CREATE INDEX alert_departure_left ON alert_departure (left_at);

-- A mail: written in the transaction that moves last_triggered_at, sent by any worker.
CREATE TABLE alert_message (
  id               uuid PRIMARY KEY,
  alert_id         text NOT NULL,          -- no reference: the log of what was sent outlives nothing else of a deleted alert
  key_id           integer NOT NULL,
  account_id       integer NOT NULL REFERENCES account (id),
  alert_name       text NOT NULL,
  status           text NOT NULL CHECK (status IN ('pending', 'sent', 'dead', 'refused', 'suppressed', 'cancelled')),
  previous_triggered_at timestamptz,       -- what last_triggered_at was before, for a reorg that takes the match back
  previous_message_at   timestamptz,
  created_at       timestamptz NOT NULL,
  next_attempt_at  timestamptz NOT NULL,
  attempts         integer NOT NULL DEFAULT 0,
  sent_at          timestamptz,
  response         text                    -- what the mail server last said
);
CREATE INDEX alert_message_due ON alert_message (next_attempt_at) WHERE status = 'pending';
CREATE INDEX alert_message_alert ON alert_message (alert_id, created_at DESC, id);
CREATE INDEX alert_message_status ON alert_message (status, created_at) WHERE status <> 'sent';

-- An episode: the pair began to match. Without a message it waits for the alert's next mail.
CREATE TABLE alert_notice (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id     text NOT NULL,
  token_id     integer NOT NULL,
  block_number integer NOT NULL,
  block_hash   text NOT NULL,
  matched_at   timestamptz NOT NULL,       -- time of the block
  initial      boolean NOT NULL,           -- matched already when the alert was created or changed
  message_id   uuid REFERENCES alert_message (id) ON DELETE CASCADE,
  facts        jsonb NOT NULL              -- the token as it was when it began to match
);
CREATE UNIQUE INDEX alert_notice_waiting ON alert_notice (alert_id, token_id) WHERE message_id IS NULL;
CREATE INDEX alert_notice_message ON alert_notice (message_id);
CREATE INDEX alert_notice_block ON alert_notice (block_number);

-- An address that a mail server refused for good gets nothing until its owner says otherwise.
ALTER TABLE account
  ADD COLUMN mail_refused_at timestamptz,
  ADD COLUMN mail_refused_reason text;

-- Keys that the program makes for itself (signing unsubscribe links), the same for every process.
CREATE TABLE secret (
  name       text PRIMARY KEY,
  value      bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The sweep reads what changed since the block it saw last.
CREATE INDEX token_updated ON token (updated_block) WHERE indexed;
