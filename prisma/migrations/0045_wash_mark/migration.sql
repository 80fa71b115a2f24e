-- Which wallets were found to wash which tokens: written by scoring, and undone with its blocks.
CREATE TABLE wash_mark (
  wallet_id integer NOT NULL,
  token_id  integer NOT NULL,
  PRIMARY KEY (wallet_id, token_id)
);
