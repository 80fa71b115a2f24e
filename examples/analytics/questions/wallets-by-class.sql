-- Wallets and profit by class
SELECT classification, count(*) AS wallets, avg(reputation_score) AS reputation, sum(realised_usd) AS realised_usd
FROM wallets
GROUP BY ALL
ORDER BY wallets DESC
