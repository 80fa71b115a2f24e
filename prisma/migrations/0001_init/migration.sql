-- The schema of a chain: the index, the scores and the alerts. Later changes are appended as further migrations.

-- A key of the accounts is revoked in the schema of one chain, and pauses the alerts of all.
CREATE FUNCTION alert_changed() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT
    AS $$
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

CREATE FUNCTION alert_woke() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT
    AS $$
BEGIN
  PERFORM pg_notify(chain_channel('assay_alerts'), '');
  RETURN NULL;
END $$;

CREATE SEQUENCE alert_revision;
CREATE SEQUENCE alert_claim;
CREATE SEQUENCE alert_turn;
CREATE SEQUENCE head_notice;

CREATE TABLE chain (
  id smallint DEFAULT 1 NOT NULL,
  chain_id bigint NOT NULL,
  name text NOT NULL,
  start_block integer NOT NULL,
  source_head integer NOT NULL,
  finalized integer NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  events_since timestamptz,
  score_form text,
  check_methods text[] DEFAULT '{}' NOT NULL,
  checks_off text,
  checks_exempt text[] DEFAULT '{}' NOT NULL,
  waits jsonb,
  swaps_block integer,
  swaps_known integer,
  swaps_read integer,
  history_id text,
  CONSTRAINT chain_id_check CHECK ((id = 1))
);
ALTER TABLE chain ADD CONSTRAINT chain_pkey PRIMARY KEY (id);

CREATE TABLE block (
  number integer NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  "time" timestamptz NOT NULL,
  event_count bigint NOT NULL,
  swap_count bigint NOT NULL,
  liquidity_add_count bigint NOT NULL,
  liquidity_remove_count bigint NOT NULL,
  transfer_count bigint NOT NULL,
  token_count integer NOT NULL,
  wallet_count integer NOT NULL,
  last_token_id integer NOT NULL,
  last_wallet_id integer NOT NULL,
  last_pool_id integer NOT NULL,
  unit_ids integer[] DEFAULT '{}'::integer[] NOT NULL,
  unit_usd double precision[] DEFAULT '{}'::double precision[] NOT NULL
);
ALTER TABLE block ALTER COLUMN unit_ids SET STORAGE PLAIN;
ALTER TABLE block ALTER COLUMN unit_usd SET STORAGE PLAIN;
ALTER TABLE block ADD CONSTRAINT block_pkey PRIMARY KEY (number);

CREATE TABLE token (
  id integer NOT NULL,
  address text NOT NULL,
  kind text NOT NULL,
  indexed boolean NOT NULL,
  name text NOT NULL,
  symbol text NOT NULL,
  decimals smallint,
  supply numeric(78,0) NOT NULL,
  burned numeric(78,0) NOT NULL,
  created_at timestamptz NOT NULL,
  created_block integer NOT NULL,
  deployer_id integer,
  launchpad text NOT NULL,
  partial boolean NOT NULL,
  pool_id integer,
  price_usd double precision NOT NULL,
  market_cap_usd double precision NOT NULL,
  liquidity_usd double precision NOT NULL,
  peak_liquidity_usd double precision NOT NULL,
  first_liquidity_at timestamptz,
  first_liquidity_block integer,
  buyer_count integer NOT NULL,
  holder_count integer NOT NULL,
  funded_holder_count_1h_ago integer NOT NULL,
  volume_24h_micro_usd numeric(40,0) NOT NULL,
  event_count integer NOT NULL,
  swap_count integer NOT NULL,
  liquidity_add_count integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count integer NOT NULL,
  updated_block integer NOT NULL,
  risk_score double precision DEFAULT 60 NOT NULL,
  risk_flags text[] DEFAULT '{}'::text[] NOT NULL,
  trending_score double precision DEFAULT 0 NOT NULL,
  locked numeric(78,0) DEFAULT 0 NOT NULL,
  quote_id integer,
  price_quote double precision,
  priced_at timestamptz,
  price_pool_count integer DEFAULT 0 NOT NULL,
  depth_2pct_usd double precision DEFAULT 0 NOT NULL,
  price_outlier_share double precision DEFAULT 0 NOT NULL,
  funded_holder_count integer DEFAULT 0 NOT NULL,
  listed_at timestamptz,
  price_unit double precision,
  price_hops smallint DEFAULT 0 NOT NULL,
  unit_id integer,
  is_unit boolean,
  oldest_priced_at timestamptz,
  puller_count integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE token ADD CONSTRAINT token_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX token_address ON token (address);
CREATE INDEX token_deployer ON token (deployer_id, id) WHERE (deployer_id IS NOT NULL);
CREATE INDEX token_updated ON token (updated_block) WHERE indexed;

CREATE TABLE pool (
  id integer NOT NULL,
  address text NOT NULL,
  kind text NOT NULL,
  factory text NOT NULL,
  launchpad text NOT NULL,
  token0_id integer NOT NULL,
  token1_id integer NOT NULL,
  fee integer,
  base_id integer,
  quote_id integer,
  lp_token_id integer NOT NULL,
  wallet_id integer NOT NULL,
  reserve0 numeric(78,0) NOT NULL,
  reserve1 numeric(78,0) NOT NULL,
  sqrt_price_x96 numeric(60,0),
  price double precision NOT NULL,
  liquidity_usd double precision NOT NULL,
  peak_liquidity_usd double precision NOT NULL,
  created_at timestamptz NOT NULL,
  created_block integer NOT NULL,
  updated_block integer NOT NULL,
  opener_id integer,
  opening_quote double precision,
  stable boolean DEFAULT false NOT NULL,
  hooks text,
  hook_rights integer DEFAULT 0 NOT NULL,
  tick_spacing integer,
  active_liquidity numeric(40,0),
  depth_2pct_usd double precision DEFAULT 0 NOT NULL,
  offered numeric(78,0)
)
WITH (fillfactor='80');
ALTER TABLE pool ADD CONSTRAINT pool_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX pool_address ON pool (address);
CREATE INDEX pool_base ON pool (base_id) WHERE (base_id IS NOT NULL);
CREATE INDEX pool_lp_token ON pool (lp_token_id);
CREATE INDEX pool_opener ON pool (opener_id, id) WHERE (opener_id IS NOT NULL);
CREATE INDEX pool_token0 ON pool (token0_id);
CREATE INDEX pool_token1 ON pool (token1_id);

CREATE TABLE wallet (
  id integer NOT NULL,
  address text NOT NULL,
  indexed boolean NOT NULL,
  kind text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  first_seen_block integer NOT NULL,
  first_funder_id integer,
  event_count integer NOT NULL,
  swap_count integer NOT NULL,
  liquidity_add_count integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count integer NOT NULL,
  bought_usd double precision NOT NULL,
  sold_usd double precision NOT NULL,
  sold_known_usd double precision NOT NULL,
  realised_usd double precision NOT NULL,
  closed_count integer NOT NULL,
  win_count integer NOT NULL,
  peak_realised_usd double precision NOT NULL,
  max_drawdown_usd double precision NOT NULL,
  closed_token_count integer NOT NULL,
  bought_token_count integer NOT NULL,
  early_buy_count integer NOT NULL,
  snipe_count integer NOT NULL,
  deployed_count integer NOT NULL,
  last_trade_at timestamptz,
  updated_block integer NOT NULL,
  exit_count integer DEFAULT 0 NOT NULL,
  exit_win_count integer DEFAULT 0 NOT NULL,
  pulled_count integer DEFAULT 0 NOT NULL,
  updated_at timestamptz
)
WITH (fillfactor='80');
ALTER TABLE wallet ADD CONSTRAINT wallet_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX wallet_address ON wallet (address);
CREATE INDEX wallet_first_funder ON wallet (first_funder_id) WHERE (first_funder_id IS NOT NULL);
CREATE INDEX wallet_realised ON wallet (realised_usd DESC, id) WHERE indexed;
CREATE INDEX wallet_trades ON wallet (swap_count DESC, id) WHERE indexed;

CREATE TABLE "position" (
  token_id integer NOT NULL,
  wallet_id integer NOT NULL,
  balance numeric(78,0) NOT NULL,
  cost_quantity double precision NOT NULL,
  cost_usd double precision NOT NULL,
  bought_usd double precision NOT NULL,
  sold_usd double precision NOT NULL,
  sold_known_usd double precision NOT NULL,
  realised_usd double precision NOT NULL,
  buy_rank integer,
  first_buy_at timestamptz,
  opening_days integer[] NOT NULL,
  openings double precision[] NOT NULL,
  event_count integer NOT NULL,
  swap_count integer NOT NULL,
  liquidity_add_count integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  open_quantity double precision,
  open_result_usd double precision,
  closed_positions integer,
  exit_result_usd double precision,
  left_cost_usd double precision,
  free_shares double precision,
  pulled_usd double precision,
  funded boolean,
  CONSTRAINT position_balance_check CHECK ((balance >= (0)::numeric))
)
WITH (fillfactor='80');
ALTER TABLE "position" ADD CONSTRAINT position_pkey PRIMARY KEY (token_id, wallet_id);
CREATE INDEX position_holder ON "position" (token_id, balance DESC, wallet_id) WHERE (balance > (0)::numeric);
CREATE INDEX position_realised ON "position" (token_id, realised_usd DESC, wallet_id) WHERE (swap_count > 0);
CREATE INDEX position_volume ON "position" (token_id, ((bought_usd + sold_usd)) DESC, wallet_id) WHERE (swap_count > 0);
CREATE INDEX position_wallet ON "position" (wallet_id, token_id) INCLUDE (balance);

CREATE TABLE event (
  n bigint NOT NULL,
  type_n bigint NOT NULL,
  block_number integer NOT NULL,
  log_index integer NOT NULL,
  token_id integer NOT NULL,
  token_n integer NOT NULL,
  token_type_n integer NOT NULL,
  wallet_id integer NOT NULL,
  wallet_n integer NOT NULL,
  wallet_type_n integer NOT NULL,
  pool_id integer,
  counterparty_id integer,
  type smallint NOT NULL,
  direction smallint,
  quantity double precision NOT NULL,
  amount_usd double precision NOT NULL,
  "time" timestamptz NOT NULL,
  tx_hash bytea NOT NULL,
  counterparty_n integer,
  counterparty_type_n integer,
  part smallint,
  attribution smallint,
  signer_id integer
);
ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (n);
CREATE UNIQUE INDEX event_counterparty ON event (counterparty_id, counterparty_n) WHERE (counterparty_id IS NOT NULL);
CREATE UNIQUE INDEX event_counterparty_type ON event (counterparty_id, counterparty_type_n) WHERE (counterparty_id IS NOT NULL);
CREATE UNIQUE INDEX event_token ON event (token_id, token_n);
CREATE UNIQUE INDEX event_token_type ON event (token_id, type, token_type_n);
CREATE UNIQUE INDEX event_type ON event (type, type_n);
CREATE UNIQUE INDEX event_wallet ON event (wallet_id, wallet_n);
CREATE UNIQUE INDEX event_wallet_type ON event (wallet_id, type, wallet_type_n);

CREATE TABLE history_segment (
  name text NOT NULL,
  first_n bigint NOT NULL,
  last_n bigint NOT NULL,
  first_block integer NOT NULL,
  last_block integer NOT NULL,
  first_time timestamptz NOT NULL,
  last_time timestamptz NOT NULL,
  bytes bigint NOT NULL,
  replaced_at timestamptz
);
ALTER TABLE history_segment ADD CONSTRAINT history_segment_pkey PRIMARY KEY (name);

CREATE TABLE token_block (
  block_number integer NOT NULL,
  token_id integer NOT NULL,
  "time" timestamptz NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  holder_delta integer NOT NULL
);
ALTER TABLE token_block ADD CONSTRAINT token_block_pkey PRIMARY KEY (block_number, token_id);
CREATE INDEX token_block_time ON token_block ("time");

CREATE TABLE token_hour (
  token_id integer NOT NULL,
  hour integer NOT NULL,
  open_usd double precision NOT NULL,
  high_usd double precision NOT NULL,
  low_usd double precision NOT NULL,
  close_usd double precision NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  buy_count integer NOT NULL,
  sell_count integer NOT NULL,
  liquidity_usd double precision NOT NULL,
  holder_count integer NOT NULL,
  quote_id integer,
  open_quote double precision,
  high_quote double precision,
  low_quote double precision,
  close_quote double precision,
  buy_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL,
  sell_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL
);
ALTER TABLE token_hour ADD CONSTRAINT token_hour_pkey PRIMARY KEY (token_id, hour);

CREATE TABLE token_minute (
  token_id integer NOT NULL,
  minute integer NOT NULL,
  open_usd double precision NOT NULL,
  high_usd double precision NOT NULL,
  low_usd double precision NOT NULL,
  close_usd double precision NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  buy_count integer NOT NULL,
  sell_count integer NOT NULL,
  liquidity_usd double precision NOT NULL,
  holder_count integer NOT NULL,
  quote_id integer,
  open_quote double precision,
  high_quote double precision,
  low_quote double precision,
  close_quote double precision,
  buy_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL,
  sell_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL
);
ALTER TABLE token_minute ADD CONSTRAINT token_minute_pkey PRIMARY KEY (token_id, minute);
CREATE INDEX token_minute_minute ON token_minute (minute);

CREATE TABLE token_five_minutes (
  token_id integer NOT NULL,
  slot integer NOT NULL,
  open_usd double precision NOT NULL,
  high_usd double precision NOT NULL,
  low_usd double precision NOT NULL,
  close_usd double precision NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  buy_count integer NOT NULL,
  sell_count integer NOT NULL,
  liquidity_usd double precision NOT NULL,
  holder_count integer NOT NULL,
  quote_id integer,
  open_quote double precision,
  high_quote double precision,
  low_quote double precision,
  close_quote double precision,
  buy_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL,
  sell_volume_micro_usd numeric(40,0) DEFAULT 0 NOT NULL
);
ALTER TABLE token_five_minutes ADD CONSTRAINT token_five_minutes_pkey PRIMARY KEY (token_id, slot);
CREATE INDEX token_five_minutes_slot ON token_five_minutes (slot);

CREATE TABLE pool_day (
  pool_id integer NOT NULL,
  day integer NOT NULL,
  open_quote double precision NOT NULL,
  close_quote double precision NOT NULL,
  kept_fraction double precision NOT NULL,
  removal_count integer NOT NULL,
  before_removal_quote double precision NOT NULL
);
ALTER TABLE pool_day ADD CONSTRAINT pool_day_pkey PRIMARY KEY (pool_id, day);

CREATE TABLE token_lock (
  locker_id integer NOT NULL,
  number integer NOT NULL,
  token_id integer NOT NULL,
  owner_id integer,
  amount numeric(78,0) NOT NULL,
  ends_at timestamptz NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE token_lock ADD CONSTRAINT token_lock_pkey PRIMARY KEY (locker_id, number, token_id);
CREATE INDEX token_lock_token ON token_lock (token_id, amount DESC, locker_id, number);

CREATE TABLE position_token (
  manager_id integer NOT NULL,
  number integer NOT NULL,
  owner_id integer NOT NULL,
  pool_id integer,
  tick_lower integer,
  tick_upper integer,
  liquidity numeric(78,0) NOT NULL,
  owed0 numeric(78,0) DEFAULT 0 NOT NULL,
  owed1 numeric(78,0) DEFAULT 0 NOT NULL,
  owed_cost_quantity0 double precision,
  owed_cost_usd0 double precision,
  owed_cost_quantity1 double precision,
  owed_cost_usd1 double precision,
  costed_share double precision
)
WITH (fillfactor='80');
ALTER TABLE position_token ADD CONSTRAINT position_token_pkey PRIMARY KEY (manager_id, number);

CREATE TABLE stake (
  gauge_id integer NOT NULL,
  owner_id integer NOT NULL,
  token_id integer NOT NULL,
  amount numeric(78,0) NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE stake ADD CONSTRAINT stake_pkey PRIMARY KEY (gauge_id, owner_id, token_id);
CREATE INDEX stake_token ON stake (token_id, amount DESC, gauge_id, owner_id);

CREATE TABLE launch (
  pool_id integer NOT NULL,
  token_id integer NOT NULL,
  creator_id integer,
  holder_id integer
);
ALTER TABLE launch ADD CONSTRAINT launch_pkey PRIMARY KEY (pool_id);
CREATE INDEX launch_token ON launch (token_id, pool_id);

CREATE TABLE wallet_week (
  wallet_id integer NOT NULL,
  week integer NOT NULL,
  realised_usd double precision NOT NULL
);
ALTER TABLE wallet_week ADD CONSTRAINT wallet_week_pkey PRIMARY KEY (wallet_id, week);
CREATE INDEX wallet_week_realised ON wallet_week (week, realised_usd DESC, wallet_id);

CREATE TABLE wallet_outcome (
  wallet_id integer NOT NULL,
  known_n integer NOT NULL,
  shares double precision[] NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE wallet_outcome ADD CONSTRAINT wallet_outcome_pkey PRIMARY KEY (wallet_id);

CREATE TABLE link (
  from_id integer NOT NULL,
  to_id integer NOT NULL,
  kind smallint NOT NULL,
  block_number integer NOT NULL
);
ALTER TABLE link ADD CONSTRAINT link_pkey PRIMARY KEY (from_id, to_id, kind);
CREATE INDEX link_to ON link (to_id);

CREATE TABLE token_score (
  token_id integer NOT NULL,
  block_number integer NOT NULL,
  updated_at timestamptz NOT NULL,
  risk_score double precision NOT NULL,
  confidence text NOT NULL,
  holder_concentration_score double precision,
  liquidity_stability_score double precision,
  wash_trade_score double precision,
  smart_money_flow_score double precision,
  early_mover_count integer NOT NULL,
  early_mover_net_activity text NOT NULL,
  avg_reputation_top10 double precision NOT NULL,
  summary text NOT NULL,
  summary_source text NOT NULL,
  explanation text NOT NULL,
  cluster_wallet_ids integer[] DEFAULT '{}'::integer[],
  organic_volume_24h_usd double precision,
  withdrawer_id integer,
  held_until timestamptz,
  clusters text
)
WITH (toast_tuple_target='8160', fillfactor='50');
ALTER TABLE token_score ADD CONSTRAINT token_score_pkey PRIMARY KEY (token_id);
CREATE INDEX token_score_cluster ON token_score USING gin (cluster_wallet_ids) WITH (fastupdate=off) WHERE (cluster_wallet_ids <> '{}'::integer[]);

CREATE TABLE token_safety (
  token_id integer NOT NULL,
  checked_block integer NOT NULL,
  checked_at timestamptz NOT NULL,
  sellable boolean,
  marks integer NOT NULL,
  code_hash text,
  owner text,
  owner_changed_at timestamptz,
  insiders text[] NOT NULL,
  contracts text[] NOT NULL,
  report text NOT NULL
);
ALTER TABLE token_safety ADD CONSTRAINT token_safety_pkey PRIMARY KEY (token_id);
CREATE INDEX token_safety_code ON token_safety (code_hash);
CREATE INDEX token_safety_contract ON token_safety USING gin (contracts);

CREATE TABLE token_vouch (
  address text NOT NULL,
  reason text NOT NULL,
  source text,
  since timestamptz NOT NULL
);
ALTER TABLE token_vouch ADD CONSTRAINT token_vouch_pkey PRIMARY KEY (address);

CREATE TABLE wallet_label (
  address text NOT NULL,
  source text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  licence text NOT NULL,
  confidence double precision NOT NULL,
  dated date NOT NULL
);
ALTER TABLE wallet_label ADD CONSTRAINT wallet_label_pkey PRIMARY KEY (address, source);

CREATE TABLE safety_due (
  token_id integer NOT NULL,
  due_at timestamptz NOT NULL
);
ALTER TABLE safety_due ADD CONSTRAINT safety_due_pkey PRIMARY KEY (token_id);
CREATE INDEX safety_due_at ON safety_due (due_at, token_id);

CREATE TABLE wallet_score (
  wallet_id integer NOT NULL,
  block_number integer NOT NULL,
  updated_at timestamptz NOT NULL,
  reputation_score double precision NOT NULL,
  confidence text NOT NULL,
  classification text NOT NULL,
  win_rate double precision,
  entry_timing_score double precision,
  consistency_score double precision,
  risk_drawdown_score double precision,
  sector_preference text NOT NULL,
  explanation text NOT NULL,
  classifications text DEFAULT ''::text NOT NULL
)
WITH (toast_tuple_target='8160', fillfactor='50');
ALTER TABLE wallet_score ADD CONSTRAINT wallet_score_pkey PRIMARY KEY (wallet_id);
CREATE INDEX wallet_score_confidence ON wallet_score (((((strpos('mh'::text, "left"(confidence, 1)) * 1000))::double precision + reputation_score)) DESC, wallet_id);
CREATE INDEX wallet_score_reputation ON wallet_score (reputation_score DESC, wallet_id);

CREATE TABLE wash_mark (
  wallet_id integer NOT NULL,
  token_id integer NOT NULL
);
ALTER TABLE wash_mark ADD CONSTRAINT wash_mark_pkey PRIMARY KEY (wallet_id, token_id);

CREATE TABLE score_due (
  kind smallint NOT NULL,
  id integer NOT NULL,
  due_at timestamptz NOT NULL
);
ALTER TABLE score_due ADD CONSTRAINT score_due_pkey PRIMARY KEY (kind, id);
CREATE INDEX score_due_at ON score_due (kind, due_at, id);

CREATE TABLE score_point (
  kind smallint NOT NULL,
  id integer NOT NULL,
  block_number integer NOT NULL,
  "time" timestamptz NOT NULL,
  score double precision NOT NULL,
  level text NOT NULL,
  details double precision[],
  flags text[]
);
ALTER TABLE score_point ADD CONSTRAINT score_point_pkey PRIMARY KEY (kind, id, block_number);
CREATE INDEX score_point_block ON score_point (block_number);

CREATE TABLE token_summary (
  token_id integer NOT NULL,
  fingerprint text NOT NULL,
  summary text NOT NULL,
  block_number integer NOT NULL
);
ALTER TABLE token_summary ADD CONSTRAINT token_summary_pkey PRIMARY KEY (token_id);

CREATE TABLE undo (
  block_number integer NOT NULL,
  entity text NOT NULL,
  key1 integer NOT NULL,
  key2 integer NOT NULL,
  key3 integer NOT NULL,
  before json
);
ALTER TABLE undo ADD CONSTRAINT undo_pkey PRIMARY KEY (block_number, entity, key1, key2, key3);

CREATE TABLE reorg (
  id integer NOT NULL,
  fork_block integer,
  event_count bigint NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL
);
ALTER TABLE reorg ADD CONSTRAINT reorg_pkey PRIMARY KEY (id);

CREATE TABLE reorg_event (
  reorg_id integer NOT NULL,
  n bigint NOT NULL,
  block_number integer NOT NULL,
  log_index integer NOT NULL,
  part smallint NOT NULL,
  event jsonb NOT NULL,
  token_address text NOT NULL,
  token_symbol text NOT NULL,
  wallet_address text NOT NULL,
  counterparty_address text,
  pool_address text
);
ALTER TABLE reorg_event ADD CONSTRAINT reorg_event_pkey PRIMARY KEY (reorg_id, n);
CREATE INDEX reorg_event_place ON reorg_event (block_number, log_index, part);

CREATE TABLE alert (
  id text NOT NULL,
  key_id integer NOT NULL,
  account_id integer NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  conditions jsonb NOT NULL,
  notification_channel text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_triggered_at timestamptz,
  revision bigint DEFAULT nextval('alert_revision'::regclass) NOT NULL,
  start text DEFAULT 'report'::text,
  last_message_at timestamptz,
  webhook_url text,
  webhook_secret text,
  webhook_old_secret text,
  webhook_old_until timestamptz,
  webhook_failures integer DEFAULT 0 NOT NULL,
  webhook_disabled_at timestamptz,
  subject text DEFAULT 'tokens'::text NOT NULL,
  webhook_dropped integer DEFAULT 0 NOT NULL,
  webhook_dropped_at timestamptz,
  webhook_untold integer DEFAULT 0 NOT NULL,
  CONSTRAINT alert_start_check CHECK ((start = ANY (ARRAY['report'::text, 'silent'::text]))),
  CONSTRAINT alert_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);
ALTER TABLE alert ADD CONSTRAINT alert_pkey PRIMARY KEY (id);
CREATE INDEX alert_account_active ON alert (account_id) WHERE (status = 'active'::text);
CREATE INDEX alert_events ON alert (id) WHERE (subject = 'events'::text);
CREATE INDEX alert_key ON alert (key_id, created_at DESC, id);
CREATE INDEX alert_start ON alert (id) WHERE (start IS NOT NULL);

CREATE TABLE idempotency (
  key_id integer NOT NULL,
  token text NOT NULL,
  body_hash bytea NOT NULL,
  status smallint,
  headers jsonb,
  body text,
  created_at timestamptz DEFAULT now() NOT NULL,
  alert_id text DEFAULT (gen_random_uuid())::text NOT NULL
);
ALTER TABLE idempotency ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key_id, token);
CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE alert_sweep (
  id smallint DEFAULT 1 NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  "time" timestamptz NOT NULL,
  turn bigint NOT NULL,
  unit_ids integer[] DEFAULT '{}'::integer[] NOT NULL,
  unit_usd double precision[] DEFAULT '{}'::double precision[] NOT NULL,
  CONSTRAINT alert_sweep_id_check CHECK ((id = 1))
);
ALTER TABLE alert_sweep ADD CONSTRAINT alert_sweep_pkey PRIMARY KEY (id);

CREATE TABLE event_dispatch (
  id smallint DEFAULT 1 NOT NULL,
  generation integer NOT NULL,
  n bigint NOT NULL,
  CONSTRAINT event_dispatch_id_check CHECK ((id = 1))
);
ALTER TABLE event_dispatch ADD CONSTRAINT event_dispatch_pkey PRIMARY KEY (id);

CREATE TABLE alert_baseline (
  token_id integer NOT NULL,
  liquidity_usd double precision NOT NULL,
  market_cap_usd double precision NOT NULL,
  risk_score double precision NOT NULL,
  flag_bits smallint NOT NULL,
  contract_marks integer NOT NULL,
  holder_growth_pct double precision NOT NULL,
  created_at timestamptz NOT NULL,
  unit_id integer
);
ALTER TABLE alert_baseline ADD CONSTRAINT alert_baseline_pkey PRIMARY KEY (token_id);

CREATE TABLE alert_history (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  kind text NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  "time" timestamptz NOT NULL,
  unit_ids integer[] NOT NULL,
  unit_usd double precision[] NOT NULL,
  changes bytea NOT NULL
);
ALTER TABLE alert_history ADD CONSTRAINT alert_history_pkey PRIMARY KEY (id);

CREATE TABLE alert_departure (
  alert_id text NOT NULL,
  token_id integer NOT NULL,
  left_at timestamptz NOT NULL
);
ALTER TABLE alert_departure ADD CONSTRAINT alert_departure_pkey PRIMARY KEY (alert_id, token_id);
CREATE INDEX alert_departure_left ON alert_departure (left_at);

CREATE TABLE alert_message (
  id uuid NOT NULL,
  alert_id text NOT NULL,
  key_id integer NOT NULL,
  account_id integer NOT NULL,
  alert_name text NOT NULL,
  status text NOT NULL,
  previous_triggered_at timestamptz,
  previous_message_at timestamptz,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  sent_at timestamptz,
  response text,
  channel text DEFAULT 'email'::text NOT NULL,
  retracted_at timestamptz,
  turn bigint,
  events jsonb,
  event_count integer DEFAULT 0 NOT NULL,
  dropped integer DEFAULT 0 NOT NULL,
  claim bigint,
  claimed_until timestamptz,
  CONSTRAINT alert_message_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'dead'::text, 'refused'::text, 'suppressed'::text, 'cancelled'::text])))
);
ALTER TABLE alert_message ADD CONSTRAINT alert_message_pkey PRIMARY KEY (id);
CREATE INDEX alert_message_alert ON alert_message (alert_id, created_at DESC, id);
CREATE INDEX alert_message_claim ON alert_message (channel, account_id, claim) WHERE (claim IS NOT NULL);
CREATE INDEX alert_message_claimed ON alert_message (channel, account_id) WHERE (claimed_until IS NOT NULL);
CREATE INDEX alert_message_due ON alert_message (channel, account_id, next_attempt_at, turn, id) WHERE (status = 'pending'::text);
CREATE INDEX alert_message_key ON alert_message (key_id, created_at);
CREATE INDEX alert_message_old ON alert_message (created_at) WHERE (turn IS NOT NULL);
CREATE INDEX alert_message_retracted ON alert_message (key_id, retracted_at) WHERE (retracted_at IS NOT NULL);
CREATE INDEX alert_message_status ON alert_message (status, created_at) WHERE (status <> 'sent'::text);
CREATE INDEX alert_message_turn ON alert_message (alert_id, turn) WHERE ((status = 'pending'::text) AND (turn IS NOT NULL));

CREATE TABLE alert_notice (
  id bigint NOT NULL,
  alert_id text NOT NULL,
  token_id integer NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  matched_at timestamptz NOT NULL,
  initial boolean NOT NULL,
  message_id uuid,
  facts jsonb NOT NULL
);
ALTER TABLE alert_notice ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY ( SEQUENCE NAME alert_notice_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1
);
ALTER TABLE alert_notice ADD CONSTRAINT alert_notice_pkey PRIMARY KEY (id);
CREATE INDEX alert_notice_block ON alert_notice (block_number);
CREATE INDEX alert_notice_message ON alert_notice (message_id);
CREATE UNIQUE INDEX alert_notice_waiting ON alert_notice (alert_id, token_id) WHERE (message_id IS NULL);

ALTER TABLE alert ADD CONSTRAINT alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE alert_departure ADD CONSTRAINT alert_departure_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE;
ALTER TABLE alert ADD CONSTRAINT alert_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id);
ALTER TABLE alert_message ADD CONSTRAINT alert_message_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE alert_notice ADD CONSTRAINT alert_notice_message_id_fkey FOREIGN KEY (message_id) REFERENCES alert_message(id) ON DELETE CASCADE;
ALTER TABLE idempotency ADD CONSTRAINT idempotency_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id);
ALTER TABLE reorg_event ADD CONSTRAINT reorg_event_reorg_id_fkey FOREIGN KEY (reorg_id) REFERENCES reorg(id) ON DELETE CASCADE;

CREATE TRIGGER alert_changed BEFORE UPDATE OF conditions, status ON alert FOR EACH ROW EXECUTE FUNCTION alert_changed();

CREATE TRIGGER alert_woke AFTER INSERT OR DELETE OR UPDATE OF conditions, status ON alert FOR EACH STATEMENT EXECUTE FUNCTION alert_woke();
