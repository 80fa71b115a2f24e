-- A score is written anew, whole, and its neighbours with it: with room on the page the new row stays there and no index
-- is told. Half the pages are written, and a third less to the log.
ALTER TABLE token_score SET (fillfactor = 50);
ALTER TABLE wallet_score SET (fillfactor = 50);
