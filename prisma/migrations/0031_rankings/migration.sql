-- Lists of wallets and of a token's traders: each order is an index that ends in a unique key.
CREATE INDEX wallet_realised ON wallet (realised_usd DESC, id) WHERE indexed;
CREATE INDEX wallet_trades ON wallet (swap_count DESC, id) WHERE indexed;
CREATE INDEX wallet_score_reputation ON wallet_score (reputation_score DESC, wallet_id);
CREATE INDEX wallet_week_realised ON wallet_week (week, realised_usd DESC, wallet_id);
CREATE INDEX position_realised ON position (token_id, realised_usd DESC, wallet_id) WHERE swap_count > 0;
CREATE INDEX position_volume ON position (token_id, (bought_usd + sold_usd) DESC, wallet_id) WHERE swap_count > 0;
