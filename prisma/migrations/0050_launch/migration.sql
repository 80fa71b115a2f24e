-- What launch venues say of the pools that they open: of which token, who asked for it, and who holds the liquidity that came with it.
CREATE TABLE launch (
  pool_id    integer NOT NULL PRIMARY KEY,
  token_id   integer NOT NULL,
  creator_id integer,
  holder_id  integer
);
CREATE INDEX launch_token ON launch (token_id, pool_id);
