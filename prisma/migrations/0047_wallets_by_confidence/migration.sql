-- The order of wallets by the confidence of their reputation, and by the reputation where that is the same: high is 2000 to 2100.
CREATE INDEX wallet_score_confidence ON wallet_score ((strpos('mh', left(confidence, 1)) * 1000 + reputation_score) DESC, wallet_id);
