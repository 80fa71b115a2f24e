-- Shares that gauges hold for their owners, who can take them back at any time: a gauge is no lock. Written by the indexer, and undone
-- with its blocks.
CREATE TABLE stake (
  gauge_id integer NOT NULL,               -- wallet of the gauge
  owner_id integer NOT NULL,
  token_id integer NOT NULL,               -- the share token
  amount   numeric(78,0) NOT NULL,         -- what is left in it
  PRIMARY KEY (gauge_id, owner_id, token_id)
) WITH (fillfactor = 80);

-- A score reads the largest stakes of a pool's shares.
CREATE INDEX stake_token ON stake (token_id, amount DESC, gauge_id, owner_id);
