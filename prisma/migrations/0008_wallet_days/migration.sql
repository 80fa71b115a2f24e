-- What a wallet's sales of a UTC day earned, and the positions that it closed in it. An earlier version kept no days, so
-- an index of it has them from its newest block on.
CREATE TABLE wallet_day (
  wallet_id integer NOT NULL,
  day integer NOT NULL,
  realised_usd double precision NOT NULL,
  closed_count integer NOT NULL,
  win_count integer NOT NULL
);
ALTER TABLE wallet_day ADD CONSTRAINT wallet_day_pkey PRIMARY KEY (wallet_id, day);
ALTER TABLE chain ADD COLUMN wallet_days_since timestamptz;
UPDATE chain SET wallet_days_since = (SELECT time FROM block ORDER BY number DESC LIMIT 1);
