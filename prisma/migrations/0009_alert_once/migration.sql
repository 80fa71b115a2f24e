-- The alert that a claim makes has its identifier before it is made: who takes the claim over makes no second one.
ALTER TABLE idempotency ADD COLUMN alert_id text NOT NULL DEFAULT gen_random_uuid()::text;
