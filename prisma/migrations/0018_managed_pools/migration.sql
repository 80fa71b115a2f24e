-- Pools of more exchanges: a fee that changes has no number, stable pools keep to another curve, and a pool of a
-- manager (Uniswap V4) is known by 32 bytes in `address`, with the manager as its factory, and may have hooks.
ALTER TABLE pool ALTER COLUMN fee DROP NOT NULL;
ALTER TABLE pool ADD COLUMN stable boolean NOT NULL DEFAULT false;
ALTER TABLE pool ADD COLUMN hooks text;
ALTER TABLE pool ADD COLUMN hook_rights integer NOT NULL DEFAULT 0;
