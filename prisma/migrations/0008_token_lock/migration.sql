-- Locks that the logs of known lockers tell of, of any token: a pair may become known as a pool after its shares were
-- locked. Written by the indexer.
CREATE TABLE token_lock (
  locker_id integer NOT NULL,              -- wallet of kind locker
  number    integer NOT NULL,              -- the locker's own; where it gives none, the day of the end, in days since 1970
  token_id  integer NOT NULL,              -- what is locked
  owner_id  integer,                       -- wallet that the locker names; null: several, on one day
  amount    numeric(78,0) NOT NULL,        -- what is left in it
  ends_at   timestamptz NOT NULL,          -- of several on one day the earliest
  PRIMARY KEY (locker_id, number, token_id)
) WITH (fillfactor = 80);

-- A score and a list read the largest locks of a token.
CREATE INDEX token_lock_token ON token_lock (token_id, amount DESC, locker_id, number);
