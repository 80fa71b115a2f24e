-- What the newest check of a token's contract found, and when the next one is due.
CREATE TABLE token_safety (
  token_id          integer          NOT NULL PRIMARY KEY,
  checked_block     integer          NOT NULL,
  checked_at        timestamptz   NOT NULL,
  status            text             NOT NULL,
  sellable          boolean,
  buy_tax_pct       double precision,
  sell_tax_pct      double precision,
  power_kinds       text[]           NOT NULL,
  floor             double precision NOT NULL,
  complete          boolean          NOT NULL,
  code_hash         text,
  owner             text,
  report            text             NOT NULL
);
CREATE INDEX token_safety_code ON token_safety (code_hash);
CREATE TABLE safety_due (
  token_id integer        NOT NULL PRIMARY KEY,
  due_at   timestamptz NOT NULL
);
CREATE INDEX safety_due_at ON safety_due (due_at, token_id);
