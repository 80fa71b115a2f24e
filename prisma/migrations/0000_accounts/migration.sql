-- The schema of the accounts, which all chains share: keys, limits, usage, sign-ups. Later changes are appended as further
-- migrations; those whose names end in `_accounts` run once, the others in the schema of each chain.

-- The channel of notifications of a chain. Those of a database are heard in all its schemas.
CREATE FUNCTION chain_channel(name text) RETURNS text
    LANGUAGE sql STABLE
    AS $$ SELECT name || CASE current_schema() WHEN 'public' THEN '' ELSE '_' || current_schema() END $$;

-- The active alerts of an account on all chains: its plan limits them together.
CREATE FUNCTION active_alerts(account integer) RETURNS TABLE (schema text, id text, subject text, created_at timestamptz)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  chain text;
BEGIN
  FOR chain IN SELECT 'public' UNION ALL SELECT n.nspname FROM pg_namespace n
    WHERE obj_description(n.oid, 'pg_namespace') = 'A chain of Assay.' AND n.nspname <> 'public'
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT %L, id, subject, created_at FROM %I.alert WHERE account_id = $1 AND status = ''active''', chain, chain)
      USING account;
  END LOOP;
END $$;

CREATE TABLE stream (
  id uuid NOT NULL,
  account_id integer NOT NULL,
  key_id integer NOT NULL,
  opened_at timestamptz DEFAULT now() NOT NULL,
  seen_at timestamptz DEFAULT now() NOT NULL,
  secret_hash bytea
);
ALTER TABLE stream ADD CONSTRAINT stream_pkey PRIMARY KEY (id);
CREATE INDEX stream_account ON stream (account_id);
CREATE INDEX stream_key ON stream (key_id);

CREATE TABLE stream_ticket (
  hash bytea NOT NULL,
  secret_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
ALTER TABLE stream_ticket ADD CONSTRAINT stream_ticket_pkey PRIMARY KEY (hash);
CREATE INDEX stream_ticket_secret ON stream_ticket (secret_hash);

CREATE TABLE account (
  id integer NOT NULL,
  email text NOT NULL,
  mailbox text NOT NULL,
  plan text NOT NULL,
  requests_per_minute integer,
  requests_per_day integer,
  created_at timestamptz DEFAULT now() NOT NULL,
  mail_refused_at timestamptz,
  mail_refused_reason text,
  streams integer,
  CONSTRAINT account_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'api'::text]))),
  CONSTRAINT account_requests_per_day_check CHECK ((requests_per_day > 0)),
  CONSTRAINT account_requests_per_minute_check CHECK ((requests_per_minute > 0))
);
ALTER TABLE account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY ( SEQUENCE NAME account_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1
);
ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX account_mailbox ON account (mailbox);

CREATE TABLE api_key (
  id integer NOT NULL,
  account_id integer NOT NULL,
  name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
ALTER TABLE api_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY ( SEQUENCE NAME api_key_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1
);
ALTER TABLE api_key ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE api_key_secret (
  hash bytea NOT NULL,
  key_id integer NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz
);
ALTER TABLE api_key_secret ADD CONSTRAINT api_key_secret_pkey PRIMARY KEY (hash);
CREATE INDEX api_key_secret_key ON api_key_secret (key_id);

CREATE TABLE usage_day (
  account_id integer NOT NULL,
  day date NOT NULL,
  route text NOT NULL,
  requests bigint NOT NULL
);
ALTER TABLE usage_day ADD CONSTRAINT usage_day_pkey PRIMARY KEY (account_id, day, route);

CREATE TABLE invite (
  id integer NOT NULL,
  hash bytea NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
ALTER TABLE invite ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY ( SEQUENCE NAME invite_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1
);
ALTER TABLE invite ADD CONSTRAINT invite_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX invite_hash ON invite (hash);

CREATE TABLE signup_request (
  id uuid NOT NULL,
  email text NOT NULL,
  invite_hash bytea,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  attempts integer DEFAULT 0 NOT NULL
);
ALTER TABLE signup_request ADD CONSTRAINT signup_request_pkey PRIMARY KEY (id);
CREATE INDEX signup_request_due ON signup_request (next_attempt_at);

CREATE TABLE signup_link (
  hash bytea NOT NULL,
  email text NOT NULL,
  invite_hash bytea,
  expires_at timestamptz NOT NULL
);
ALTER TABLE signup_link ADD CONSTRAINT signup_link_pkey PRIMARY KEY (hash);
CREATE INDEX signup_link_expires ON signup_link (expires_at);

CREATE TABLE chat_pace (
  receiver bytea NOT NULL,
  until timestamptz NOT NULL
);
ALTER TABLE chat_pace ADD CONSTRAINT chat_pace_pkey PRIMARY KEY (receiver);
CREATE INDEX chat_pace_until ON chat_pace (until);

CREATE TABLE secret (
  name text NOT NULL,
  value bytea NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL
);
ALTER TABLE secret ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

CREATE TABLE rate_limit (
  key text NOT NULL,
  used integer NOT NULL,
  granted boolean NOT NULL,
  ends_at bigint NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE rate_limit ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);
CREATE INDEX rate_limit_ends ON rate_limit (ends_at);

ALTER TABLE api_key ADD CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE api_key_secret ADD CONSTRAINT api_key_secret_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id);
ALTER TABLE stream ADD CONSTRAINT stream_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE stream ADD CONSTRAINT stream_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id);
ALTER TABLE usage_day ADD CONSTRAINT usage_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
