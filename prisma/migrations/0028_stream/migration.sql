-- What reorganisations took back, for some days: a stream that goes on after one tells its reader which of the events that
-- it was sent are no more. A row without a fork block says that the index was emptied.
CREATE TABLE reorg (
  id integer PRIMARY KEY,
  fork_block integer,
  event_count bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Tokens and wallets of the event may be gone with its block, so it keeps what it shows of them.
CREATE TABLE reorg_event (
  reorg_id integer NOT NULL REFERENCES reorg (id) ON DELETE CASCADE,
  n bigint NOT NULL,
  block_number integer NOT NULL,
  log_index integer NOT NULL,
  part smallint NOT NULL,
  event jsonb NOT NULL,
  token_address text NOT NULL,
  token_symbol text NOT NULL,
  wallet_address text NOT NULL,
  counterparty_address text,
  PRIMARY KEY (reorg_id, n)
);
CREATE INDEX reorg_event_place ON reorg_event (block_number, log_index, part);

-- Streams that are open now, in any process: the limit of a plan counts them. One that was not seen for a minute is gone.
CREATE TABLE stream (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  key_id integer NOT NULL REFERENCES api_key (id),
  opened_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX stream_account ON stream (account_id);
CREATE INDEX stream_key ON stream (key_id);

-- Plan api only; null: the default of the plan.
ALTER TABLE account ADD COLUMN streams integer;

-- Alerts that fire are followed by key.
CREATE INDEX alert_message_key ON alert_message (key_id, created_at);
