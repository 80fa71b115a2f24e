-- Volume by hour, bought and sold
SELECT date_trunc('hour', timestamp) AS hour,
  sum(amount_usd) FILTER (direction = 'buy') AS bought_usd,
  sum(amount_usd) FILTER (direction = 'sell') AS sold_usd
FROM events
WHERE type = 'swap' AND timestamp > (SELECT max(timestamp) FROM events) - INTERVAL 7 DAY
GROUP BY ALL
ORDER BY hour
