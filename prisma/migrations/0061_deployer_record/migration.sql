-- Nobody knows of every pool who can withdraw from it: then there is no stability to tell.
ALTER TABLE token_score ALTER COLUMN liquidity_stability_score DROP NOT NULL;
-- A score asks for the earlier tokens of a deployer.
CREATE INDEX token_deployer ON token (deployer_id, id) WHERE deployer_id IS NOT NULL;
