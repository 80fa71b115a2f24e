-- Who may ask, and what they have saved.

CREATE TABLE account (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email      text NOT NULL,
  plan       text NOT NULL CHECK (plan IN ('free', 'pro', 'api')),
  requests_per_minute integer CHECK (requests_per_minute > 0), -- plan api only; null: not limited
  requests_per_day    integer CHECK (requests_per_day > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX account_email ON account (lower(email));

CREATE TABLE api_key (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX api_key_account ON api_key (account_id);

-- A key has one secret, two while a rotation overlaps. Only the SHA-256 is kept.
CREATE TABLE api_key_secret (
  hash       bytea PRIMARY KEY,
  key_id     integer NOT NULL REFERENCES api_key (id),
  prefix     text NOT NULL,
  last_four  text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);
CREATE INDEX api_key_secret_key ON api_key_secret (key_id);

CREATE TABLE usage_day (
  account_id integer NOT NULL REFERENCES account (id),
  day        date NOT NULL,                -- UTC
  requests   bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

CREATE TABLE alert (
  id                   text PRIMARY KEY,
  key_id               integer NOT NULL REFERENCES api_key (id),
  account_id           integer NOT NULL REFERENCES account (id),
  name                 text NOT NULL,
  status               text NOT NULL CHECK (status IN ('active', 'paused')),
  conditions           jsonb NOT NULL,
  notification_channel text NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  last_triggered_at    timestamptz
);
CREATE INDEX alert_key ON alert (key_id, created_at DESC, id);
CREATE INDEX alert_account_active ON alert (account_id) WHERE status = 'active';

CREATE TABLE idempotency (
  key_id     integer NOT NULL REFERENCES api_key (id),
  token      text NOT NULL,                -- the Idempotency-Key header
  body_hash  bytea NOT NULL,
  status     smallint,                     -- null: still in flight
  headers    jsonb,
  body       text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, token)
);
CREATE INDEX idempotency_created ON idempotency (created_at);
