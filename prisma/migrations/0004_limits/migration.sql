-- How much of a limit is used: one row per (account, window). The row says itself whether the last request for it fitted,
-- so that one statement checks, counts and answers, and parallel requests queue on the row's lock.
CREATE TABLE rate_limit (
  key     text PRIMARY KEY,                -- minute:ACCOUNT, or day:ACCOUNT:DAY (days since 1970)
  used    integer NOT NULL,
  granted boolean NOT NULL,                -- did the last one that asked fit
  ends_at bigint NOT NULL                  -- milliseconds since 1970; from then on the row counts as absent
) WITH (fillfactor = 50);
CREATE INDEX rate_limit_ends ON rate_limit (ends_at);
