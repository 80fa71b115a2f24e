-- Events of the newest week by type
SELECT type, count(*) AS events, sum(amount_usd) AS amount_usd
FROM events
WHERE timestamp > (SELECT max(timestamp) FROM events) - INTERVAL 7 DAY
GROUP BY ALL
ORDER BY events DESC
