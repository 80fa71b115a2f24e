-- What the indexer writes. No foreign keys between chain tables: one writer, whose batches are whole, and bulk loads
-- of millions of rows. Identifiers are dense integers that the writer assigns, so a straight run and a run with
-- reorgs end in the same rows. Raw token amounts are numeric (exact); USD and whole-token quantities are doubles.

-- One row: the chain that this database is of.
CREATE TABLE chain (
  id          smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  chain_id    bigint NOT NULL,
  name        text NOT NULL,
  start_block integer NOT NULL,
  source_head integer NOT NULL,           -- newest block that the source reported
  finalized   integer NOT NULL,           -- newest block that can no longer be rolled back
  updated_at  timestamptz NOT NULL DEFAULT now()
);

-- One row per block of the unfinalised window (also the empty ones), and the newest. The newest row IS the
-- indexer's state: cursor, counters and the next identifiers; rolling back deletes rows.
CREATE TABLE block (
  number                 integer PRIMARY KEY,
  hash                   text NOT NULL,
  parent_hash            text NOT NULL,
  time                   timestamptz NOT NULL,
  event_count            bigint NOT NULL,
  swap_count             bigint NOT NULL,
  liquidity_add_count    bigint NOT NULL,
  liquidity_remove_count bigint NOT NULL,
  transfer_count         bigint NOT NULL,
  token_count            integer NOT NULL, -- indexed tokens
  wallet_count           integer NOT NULL, -- indexed wallets
  last_token_id          integer NOT NULL,
  last_wallet_id         integer NOT NULL,
  last_pool_id           integer NOT NULL
);

CREATE TABLE token (
  id                     integer PRIMARY KEY,
  address                text NOT NULL,
  kind                   text NOT NULL,    -- erc20 | lp (a pool's shares)
  indexed                boolean NOT NULL, -- has, or had, a pool with a priced side
  name                   text NOT NULL,
  symbol                 text NOT NULL,
  decimals               smallint,         -- null: the contract does not say
  supply                 numeric(78,0) NOT NULL,
  burned                 numeric(78,0) NOT NULL,
  created_at             timestamptz NOT NULL,
  created_block          integer NOT NULL,
  deployer_id            integer,          -- wallet
  launchpad              text NOT NULL,
  partial                boolean NOT NULL, -- older than the start block: its history is not known
  pool_id                integer,          -- the deepest pool, which prices it
  price_usd              double precision NOT NULL, -- 0: not priced
  market_cap_usd         double precision NOT NULL,
  liquidity_usd          double precision NOT NULL,
  peak_liquidity_usd     double precision NOT NULL,
  first_liquidity_at     timestamptz,
  first_liquidity_block  integer,
  buyer_count            integer NOT NULL, -- distinct wallets that ever bought: gives each first buy its rank
  holder_count           integer NOT NULL,
  holder_count_1h_ago    integer NOT NULL,
  volume_24h_micro_usd   numeric(40,0) NOT NULL, -- whole micro-dollars: what enters the window leaves it exactly
  event_count            integer NOT NULL,
  swap_count             integer NOT NULL,
  liquidity_add_count    integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count         integer NOT NULL,
  updated_block          integer NOT NULL,
  -- written by scoring
  risk_score             double precision NOT NULL DEFAULT 60,
  risk_flags             text[] NOT NULL DEFAULT '{}',
  trending_score         double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX token_address ON token (address);
CREATE INDEX token_trending ON token (trending_score DESC, address) WHERE indexed;
CREATE INDEX token_newest ON token (created_at DESC, address) WHERE indexed;
CREATE INDEX token_liquidity ON token (liquidity_usd DESC, address) WHERE indexed;
CREATE INDEX token_volume ON token (volume_24h_micro_usd DESC, address) WHERE indexed;
CREATE INDEX token_risk ON token (risk_score, liquidity_usd DESC, address) WHERE indexed;

CREATE TABLE pool (
  id                 integer PRIMARY KEY,
  address            text NOT NULL,
  kind               text NOT NULL,        -- v2 | v3
  factory            text NOT NULL,
  launchpad          text NOT NULL,        -- the factory's name in the chain's preset
  token0_id          integer NOT NULL,
  token1_id          integer NOT NULL,
  fee                integer NOT NULL,     -- hundredths of a basis point, as V3 counts
  base_id            integer,              -- token that the events are about; null when neither side is a quote
  quote_id           integer,
  lp_token_id        integer NOT NULL,     -- token of kind lp whose positions are the shares
  wallet_id          integer NOT NULL,     -- the pool as a holder
  reserve0           numeric(78,0) NOT NULL,
  reserve1           numeric(78,0) NOT NULL,
  sqrt_price_x96     numeric(60,0),
  price              double precision NOT NULL, -- whole quote tokens for one whole base token
  liquidity_usd      double precision NOT NULL, -- twice the quote side
  peak_liquidity_usd double precision NOT NULL,
  created_at         timestamptz NOT NULL,
  created_block      integer NOT NULL,
  updated_block      integer NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX pool_address ON pool (address);
CREATE INDEX pool_token0 ON pool (token0_id);
CREATE INDEX pool_token1 ON pool (token1_id);
CREATE INDEX pool_lp_token ON pool (lp_token_id);

-- Every address that was seen with a token; `indexed` ones are what the contract calls indexed wallets.
CREATE TABLE wallet (
  id                     integer PRIMARY KEY,
  address                text NOT NULL,
  indexed                boolean NOT NULL,
  kind                   text NOT NULL,    -- account | contract | pool | burned | locker | exchange
  first_seen_at          timestamptz NOT NULL,
  first_seen_block       integer NOT NULL,
  first_funder_id        integer,          -- wallet that sent it its first native coin or token
  event_count            integer NOT NULL,
  swap_count             integer NOT NULL,
  liquidity_add_count    integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count         integer NOT NULL,
  -- average-cost accounting over all its tokens
  bought_usd             double precision NOT NULL,
  sold_usd               double precision NOT NULL,
  sold_known_usd         double precision NOT NULL, -- the part of sold_usd whose cost is known
  realised_usd           double precision NOT NULL,
  closed_count           integer NOT NULL, -- sells with a known cost
  win_count              integer NOT NULL, -- of these, with a profit
  peak_realised_usd      double precision NOT NULL,
  max_drawdown_usd       double precision NOT NULL, -- of the running realised profit
  closed_token_count     integer NOT NULL, -- distinct tokens among closed trades
  bought_token_count     integer NOT NULL, -- distinct tokens ever bought
  early_buy_count        integer NOT NULL, -- first buys among the token's first 50 buyers within 24 h
  snipe_count            integer NOT NULL, -- first buys within 3 blocks or 60 s of the first liquidity
  deployed_count         integer NOT NULL, -- indexed tokens whose first mint it signed
  last_trade_at          timestamptz,
  updated_block          integer NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX wallet_address ON wallet (address);
CREATE INDEX wallet_first_funder ON wallet (first_funder_id) WHERE first_funder_id IS NOT NULL;

-- A wallet and a token: what it holds, what that cost, and how often the two met.
CREATE TABLE position (
  token_id               integer NOT NULL,
  wallet_id              integer NOT NULL,
  balance                numeric(78,0) NOT NULL CHECK (balance >= 0),
  cost_quantity          double precision NOT NULL, -- whole tokens with a known cost, never above the balance
  cost_usd               double precision NOT NULL,
  bought_usd             double precision NOT NULL,
  sold_usd               double precision NOT NULL,
  sold_known_usd         double precision NOT NULL,
  realised_usd           double precision NOT NULL,
  buy_rank               integer,                   -- how many wallets had bought before its first buy, plus one
  first_buy_at           timestamptz,
  opening_days           integer[] NOT NULL,        -- days since 1970 on which the balance changed, the last eight at most
  openings               double precision[] NOT NULL, -- whole tokens held at the start of each of these days
  event_count            integer NOT NULL,
  swap_count             integer NOT NULL,
  liquidity_add_count    integer NOT NULL,
  liquidity_remove_count integer NOT NULL,
  transfer_count         integer NOT NULL,
  first_at               timestamptz NOT NULL,
  last_at                timestamptz NOT NULL,
  PRIMARY KEY (token_id, wallet_id)
) WITH (fillfactor = 80);
CREATE INDEX position_holder ON position (token_id, balance DESC, wallet_id) WHERE balance > 0;
CREATE INDEX position_wallet ON position (wallet_id, token_id);

-- Events of the contract. Every `*_n` is a dense running number within its scope (all, type, token, ...), so that
-- a total is the newest number, any page is a range of an index, and `since` is a binary search: none grows with the table.
CREATE TABLE event (
  n             bigint NOT NULL PRIMARY KEY,
  type_n        bigint NOT NULL,
  block_number  integer NOT NULL,
  log_index     integer NOT NULL,
  token_id      integer NOT NULL,
  token_n       integer NOT NULL,
  token_type_n  integer NOT NULL,
  wallet_id     integer NOT NULL,
  wallet_n      integer NOT NULL,
  wallet_type_n integer NOT NULL,
  pool_id       integer,
  counterparty_id integer,                 -- recipient of a transfer
  type          smallint NOT NULL,         -- 1 swap, 2 liquidity_add, 3 liquidity_remove, 4 transfer
  direction     smallint,                  -- 1 buy, 2 sell; swaps only
  quantity      double precision NOT NULL, -- whole tokens
  amount_usd    double precision NOT NULL, -- rounded to micro-dollars
  time          timestamptz NOT NULL,
  tx_hash       bytea NOT NULL
);
CREATE UNIQUE INDEX event_type ON event (type, type_n);
CREATE UNIQUE INDEX event_token ON event (token_id, token_n);
CREATE UNIQUE INDEX event_token_type ON event (token_id, type, token_type_n);
CREATE UNIQUE INDEX event_wallet ON event (wallet_id, wallet_n);
CREATE UNIQUE INDEX event_wallet_type ON event (wallet_id, type, wallet_type_n);

-- What one block did to one token: enters and leaves the trailing windows. Kept for the longest window plus the unfinalised blocks.
CREATE TABLE token_block (
  block_number     integer NOT NULL,
  token_id         integer NOT NULL,
  time             timestamptz NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  holder_delta     integer NOT NULL,
  PRIMARY KEY (block_number, token_id)
);
CREATE INDEX token_block_time ON token_block (time);

CREATE TABLE token_hour (
  token_id         integer NOT NULL,
  hour             integer NOT NULL,       -- hours since 1970
  open_usd         double precision NOT NULL,
  high_usd         double precision NOT NULL,
  low_usd          double precision NOT NULL,
  close_usd        double precision NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  buy_count        integer NOT NULL,
  sell_count       integer NOT NULL,
  liquidity_usd    double precision NOT NULL, -- at the close
  holder_count     integer NOT NULL,          -- at the close
  PRIMARY KEY (token_id, hour)
);

CREATE TABLE pool_day (
  pool_id          integer NOT NULL,
  day              integer NOT NULL,       -- days since 1970
  open_quote       double precision NOT NULL, -- whole quote tokens in the pool before the day's first change
  close_quote      double precision NOT NULL,
  kept_fraction    double precision NOT NULL, -- product of (1 - share taken) over the day's removals
  removal_count    integer NOT NULL,
  before_removal_quote double precision NOT NULL, -- reserve before the day's first removal; 0: none
  PRIMARY KEY (pool_id, day)
);

CREATE TABLE wallet_week (
  wallet_id    integer NOT NULL,
  week         integer NOT NULL,           -- weeks since 1970-01-01
  realised_usd double precision NOT NULL,
  PRIMARY KEY (wallet_id, week)
);

-- Two accounts that a transfer of tokens or native coin joined: an edge of the sybil graph.
CREATE TABLE link (
  from_id      integer NOT NULL,
  to_id        integer NOT NULL,
  kind         smallint NOT NULL,          -- 1 native coin, 2 token
  block_number integer NOT NULL,           -- of the first one
  PRIMARY KEY (from_id, to_id, kind)
);
CREATE INDEX link_to ON link (to_id);

CREATE TABLE token_score (
  token_id                   integer PRIMARY KEY,
  block_number               integer NOT NULL,
  updated_at                 timestamptz NOT NULL,
  risk_score                 double precision NOT NULL,
  confidence                 text NOT NULL,
  holder_concentration_score double precision NOT NULL,
  liquidity_stability_score  double precision NOT NULL,
  wash_trade_score           double precision NOT NULL,
  smart_money_flow_score     double precision NOT NULL,
  early_mover_count          integer NOT NULL,
  early_mover_net_activity   text NOT NULL,
  avg_reputation_top10       double precision NOT NULL,
  summary                    text NOT NULL,
  summary_source             text NOT NULL, -- facts | model
  explanation                jsonb NOT NULL
);

CREATE TABLE wallet_score (
  wallet_id            integer PRIMARY KEY,
  block_number         integer NOT NULL,
  updated_at           timestamptz NOT NULL,
  reputation_score     double precision NOT NULL,
  confidence           text NOT NULL,
  classification       text NOT NULL,
  win_rate             double precision NOT NULL,
  entry_timing_score   double precision NOT NULL,
  consistency_score    double precision NOT NULL,
  risk_drawdown_score  double precision NOT NULL,
  sector_preference    text NOT NULL,
  explanation          jsonb NOT NULL
);

-- Work for scoring: touched rows are due at once, time-driven changes when their time comes.
CREATE TABLE score_due (
  kind   smallint NOT NULL,                -- 1 token, 2 wallet
  id     integer NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX score_due_at ON score_due (due_at);

-- The past of a score: a point per change of level, at most one a day otherwise.
CREATE TABLE score_point (
  kind         smallint NOT NULL,          -- 1 token risk, 2 wallet reputation
  id           integer NOT NULL,
  block_number integer NOT NULL,
  time         timestamptz NOT NULL,
  score        double precision NOT NULL,
  level        text NOT NULL,
  PRIMARY KEY (kind, id, block_number)
);
CREATE INDEX score_point_block ON score_point (block_number);

-- Rows as they were before a block of the unfinalised window changed them; null: the row was new.
CREATE TABLE undo (
  block_number integer NOT NULL,
  entity       text NOT NULL,              -- table name
  key1         integer NOT NULL,
  key2         integer NOT NULL,           -- 0 where the key has one part
  key3         integer NOT NULL,
  before       jsonb,
  PRIMARY KEY (block_number, entity, key1, key2, key3)
);
