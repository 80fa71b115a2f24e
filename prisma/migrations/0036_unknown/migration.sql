-- A dimension of which nothing is known is null: answers said 0 or 50, which look like measurements. Rows change when they are
-- scored again.
ALTER TABLE token_score ALTER COLUMN holder_concentration_score DROP NOT NULL, ALTER COLUMN wash_trade_score DROP NOT NULL,
  ALTER COLUMN smart_money_flow_score DROP NOT NULL;
ALTER TABLE wallet_score ALTER COLUMN win_rate DROP NOT NULL, ALTER COLUMN entry_timing_score DROP NOT NULL,
  ALTER COLUMN consistency_score DROP NOT NULL, ALTER COLUMN risk_drawdown_score DROP NOT NULL;
