-- Computed risk of tokens by day
SELECT date_trunc('day', timestamp) AS day, avg(score) AS mean_risk,
  count(*) FILTER (level = 'critical') AS critical
FROM scores
WHERE subject = 'token'
GROUP BY ALL
ORDER BY day
