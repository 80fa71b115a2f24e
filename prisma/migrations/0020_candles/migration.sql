-- Candles of five minutes, kept for 14 days; and prices in the quote beside those in dollars.
ALTER TABLE token ADD COLUMN quote_id integer, ADD COLUMN price_quote double precision;

ALTER TABLE token_hour
  ADD COLUMN quote_id    integer,
  ADD COLUMN open_quote  double precision,
  ADD COLUMN high_quote  double precision,
  ADD COLUMN low_quote   double precision,
  ADD COLUMN close_quote double precision;

CREATE TABLE token_five_minutes (
  token_id         integer NOT NULL,
  slot             integer NOT NULL,          -- five minutes since 1970
  open_usd         double precision NOT NULL,
  high_usd         double precision NOT NULL,
  low_usd          double precision NOT NULL,
  close_usd        double precision NOT NULL,
  volume_micro_usd numeric(40,0) NOT NULL,
  buy_count        integer NOT NULL,
  sell_count       integer NOT NULL,
  liquidity_usd    double precision NOT NULL, -- at the close
  holder_count     integer NOT NULL,          -- at the close
  quote_id         integer,
  open_quote       double precision,
  high_quote       double precision,
  low_quote        double precision,
  close_quote      double precision,
  PRIMARY KEY (token_id, slot)
);
-- What is too old is found by it, oldest first.
CREATE INDEX token_five_minutes_slot ON token_five_minutes (slot);
