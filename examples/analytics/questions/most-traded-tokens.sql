-- Tokens with the most volume of the newest week
SELECT token_symbol, token_address, count(*) AS swaps, count(DISTINCT wallet_address) AS traders,
  sum(amount_usd) AS volume_usd
FROM events
WHERE type = 'swap' AND timestamp > (SELECT max(timestamp) FROM events) - INTERVAL 7 DAY
GROUP BY ALL
ORDER BY volume_usd DESC
LIMIT 20
