-- Price of the most traded token by hour
SELECT start AS hour, close_usd, volume_usd
FROM candles
WHERE close_usd IS NOT NULL AND token_address = (
  SELECT token_address FROM candles GROUP BY ALL ORDER BY sum(volume_usd) DESC LIMIT 1
)
ORDER BY hour
