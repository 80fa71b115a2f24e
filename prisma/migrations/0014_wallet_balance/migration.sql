-- What a wallet holds is read from the index alone: its positions lie all over the table, and a score needs their balances
-- only. Every change of a balance is told to the indexes already, since `position_holder` is ordered by it.
DROP INDEX position_wallet;
CREATE INDEX position_wallet ON position (wallet_id, token_id) INCLUDE (balance);
