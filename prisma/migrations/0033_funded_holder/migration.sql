-- Holders with a dollar, without contracts: whom growth and trending count. Decided whenever a balance changes; for what is there
-- already, here, at the prices of now. Nobody is new in the hour before.
ALTER TABLE token ADD COLUMN funded_holder_count integer NOT NULL DEFAULT 0;
ALTER TABLE token RENAME COLUMN holder_count_1h_ago TO funded_holder_count_1h_ago;
ALTER TABLE position ADD COLUMN funded boolean; -- null for all others: it takes no room

UPDATE position p SET funded = true FROM token t, wallet w
  WHERE t.id = p.token_id AND w.id = p.wallet_id AND t.price_usd > 0 AND t.decimals IS NOT NULL AND p.balance > 0 AND w.kind = 'account'
    AND p.balance::float8 / 10::float8 ^ t.decimals * t.price_usd >= 1;
UPDATE token SET funded_holder_count_1h_ago = 0 WHERE funded_holder_count_1h_ago <> 0;
UPDATE token t SET funded_holder_count = n.count, funded_holder_count_1h_ago = n.count
  FROM (SELECT token_id, count(*) FROM position WHERE funded GROUP BY token_id) n WHERE n.token_id = t.id;
UPDATE token_block SET holder_delta = 0 WHERE holder_delta <> 0;

UPDATE undo u SET before = (u.before - 'holder_count_1h_ago') || jsonb_build_object('funded_holder_count', t.funded_holder_count,
  'funded_holder_count_1h_ago', t.funded_holder_count_1h_ago)
FROM token t WHERE u.entity = 'token' AND u.before IS NOT NULL AND t.id = u.key1;
UPDATE undo u SET before = u.before || jsonb_build_object('funded', p.funded)
FROM position p WHERE u.entity = 'position' AND u.before IS NOT NULL AND p.token_id = u.key1 AND p.wallet_id = u.key2;
