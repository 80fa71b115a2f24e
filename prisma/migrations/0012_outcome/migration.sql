-- What became of a wallet's buys, once three days have passed: it changes no more, and to look it up for every buy at every
-- score was most of what a wallet's score cost to read. Written by scoring.
CREATE TABLE wallet_outcome (
  wallet_id integer PRIMARY KEY,
  known_n   integer NOT NULL,              -- running number, among the wallet's swaps, of the newest buy with an outcome here
  shares    double precision[] NOT NULL    -- of the buys up to it, the oldest first: as `aboveShare3d`; NaN: no trade
) WITH (fillfactor = 80);
