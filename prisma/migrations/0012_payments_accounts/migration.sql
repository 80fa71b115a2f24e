-- Payments of single requests, by x402. One row is one authorization of a payer.
CREATE TABLE payment (
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  nonce text NOT NULL,
  payload_hash bytea NOT NULL,
  value numeric(78, 0) NOT NULL,
  spent numeric(78, 0) NOT NULL DEFAULT 0,
  valid_before timestamptz NOT NULL,
  held_block bigint NOT NULL,
  transaction_hash text,
  block_number bigint,
  block_hash text,
  lease uuid,
  leased_until timestamptz,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  CONSTRAINT payment_spent CHECK (spent <= value)
);
ALTER TABLE payment ADD CONSTRAINT payment_pkey PRIMARY KEY (network, asset, payer, nonce);
CREATE INDEX payment_settled ON payment (settled_at);
