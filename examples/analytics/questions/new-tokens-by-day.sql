-- New tokens by day, and how many were pulled
SELECT date_trunc('day', listed_at) AS day, count(*) AS tokens,
  count(*) FILTER (list_contains(risk_flags, 'liquidity_pulled')) AS pulled
FROM tokens
WHERE listed_at IS NOT NULL
GROUP BY ALL
ORDER BY day
