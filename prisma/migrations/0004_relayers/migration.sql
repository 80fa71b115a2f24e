-- For how many acts of other accounts a wallet paid; null: none.
ALTER TABLE wallet ADD COLUMN relayed_count integer;
