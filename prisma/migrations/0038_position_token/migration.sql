-- Positions in ranges that are tokens of a manager (Uniswap V3's and V4's and their like): whose a pool's liquidity is. Written by
-- the indexer, and undone with its blocks.
CREATE TABLE position_token (
  manager_id integer NOT NULL,             -- wallet of the contract that holds the position
  number     integer NOT NULL,             -- the token's number at its manager
  owner_id   integer NOT NULL,             -- wallet that holds the token; of a burned one, who held it last
  pool_id    integer,                      -- null until its first change of liquidity
  tick_lower integer,
  tick_upper integer,
  liquidity  numeric(78,0) NOT NULL,       -- as far as its changes were seen
  PRIMARY KEY (manager_id, number)
) WITH (fillfactor = 80);
