-- Whether the address has signed a transaction, so that it is an account for good; null: not seen.
ALTER TABLE wallet ADD COLUMN signed boolean;
