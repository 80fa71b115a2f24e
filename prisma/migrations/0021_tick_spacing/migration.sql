-- How far apart the ticks of a manager's pool are that positions may begin and end at: what a swap proves of its reserves
-- reaches that far. Null: the fee tells it, or it is not known.
ALTER TABLE pool ADD COLUMN tick_spacing integer;
