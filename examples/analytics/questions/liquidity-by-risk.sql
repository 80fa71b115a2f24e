-- Tokens and liquidity by level of risk
SELECT risk_level, count(*) AS tokens, sum(liquidity_usd) AS liquidity_usd
FROM tokens
GROUP BY ALL
ORDER BY min(risk_score)
