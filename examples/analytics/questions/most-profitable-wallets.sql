-- Wallets with the most realised profit
SELECT address, classification, reputation_score, win_rate, trade_count, realised_usd
FROM wallets
WHERE kind = 'account'
ORDER BY realised_usd DESC
LIMIT 20
