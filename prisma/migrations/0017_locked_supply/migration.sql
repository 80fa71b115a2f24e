-- What lies with known lockers, which the market cap leaves out. Images in `undo` get the number of now: who moves tokens
-- into or out of a locker within the few blocks that may still be rolled back is off by that much after a rollback.
ALTER TABLE token ADD COLUMN locked numeric(78, 0) NOT NULL DEFAULT 0;
UPDATE token t SET locked = l.locked,
  market_cap_usd = CASE WHEN t.price_usd > 0 AND t.decimals IS NOT NULL
    THEN t.price_usd * greatest(t.supply - t.burned - l.locked, 0)::float8 / 10::float8 ^ t.decimals ELSE 0 END
FROM (SELECT p.token_id, sum(p.balance) AS locked FROM position p JOIN wallet w ON w.id = p.wallet_id
  WHERE w.kind = 'locker' AND p.balance > 0 GROUP BY p.token_id) l
WHERE l.token_id = t.id;
UPDATE undo u SET before = u.before || jsonb_build_object('locked', t.locked)
FROM token t WHERE u.entity = 'token' AND u.before IS NOT NULL AND t.id = u.key1;
