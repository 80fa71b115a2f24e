-- Who pulled liquidity, when a wallet last changed, and all classes of a wallet.
ALTER TABLE position ADD COLUMN pulled_usd double precision; -- liquidity that the wallet pulled and did not bring back; null: none
ALTER TABLE wallet ADD COLUMN pulled_count integer NOT NULL DEFAULT 0;
ALTER TABLE wallet ADD COLUMN updated_at timestamptz; -- of updated_block; null: written before it was kept
ALTER TABLE wallet_score ADD COLUMN classifications text NOT NULL DEFAULT '';
UPDATE undo SET before = before || '{"pulled_count": 0}' WHERE entity = 'wallet' AND before IS NOT NULL;
UPDATE undo SET before = before || '{"classifications": ""}' WHERE entity = 'wallet_score' AND before IS NOT NULL;

INSERT INTO score_due (kind, id, due_at)
  SELECT 2, wallet_id, (SELECT max(time) FROM block) FROM wallet_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
