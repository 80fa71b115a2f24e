-- A stream ends with the secret that opened it, though its key goes on with another one. Null: it was opened without one.
ALTER TABLE stream ADD COLUMN secret_hash bytea;
