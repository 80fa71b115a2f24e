-- A win is a closed position, or an exit (a run of sales between two buys), and no longer a sale.
ALTER TABLE position ADD COLUMN open_quantity double precision;   -- the most with a known cost since it was opened; null: none is open
ALTER TABLE position ADD COLUMN open_result_usd double precision; -- realised since then; null: nothing yet
ALTER TABLE position ADD COLUMN closed_positions integer;
ALTER TABLE position ADD COLUMN exit_result_usd double precision; -- of the sales since the last buy; null: none since
ALTER TABLE wallet ADD COLUMN exit_count integer NOT NULL DEFAULT 0;
ALTER TABLE wallet ADD COLUMN exit_win_count integer NOT NULL DEFAULT 0;

-- What was counted per sale is counted from the sums: one exit, and at most one closed position, a token. `reindex` counts exactly.
UPDATE position SET
  open_quantity = nullif(cost_quantity, 0),
  open_result_usd = CASE WHEN cost_quantity > 0 AND (sold_known_usd > 0 OR realised_usd <> 0) THEN realised_usd END,
  closed_positions = CASE WHEN cost_quantity = 0 AND (sold_known_usd > 0 OR realised_usd <> 0) THEN 1 END,
  exit_result_usd = CASE WHEN sold_known_usd > 0 OR realised_usd <> 0 THEN realised_usd END
WHERE bought_usd > 0 OR cost_quantity > 0;
UPDATE wallet w SET closed_count = p.closed, closed_token_count = p.closed, win_count = p.won, exit_count = p.exits,
  exit_win_count = p.exits_won
FROM (
  SELECT wallet_id, count(closed_positions)::int AS closed, count(closed_positions) FILTER (WHERE realised_usd > 0)::int AS won,
    count(exit_result_usd)::int AS exits, count(exit_result_usd) FILTER (WHERE exit_result_usd > 0)::int AS exits_won
  FROM position WHERE bought_usd > 0 GROUP BY wallet_id
) p WHERE w.id = p.wallet_id;

-- The images say it as the rows now do: what the last blocks changed of it is lost with a rollback of these blocks.
UPDATE undo u SET before = u.before || jsonb_build_object('exit_count', w.exit_count, 'exit_win_count', w.exit_win_count,
    'closed_count', w.closed_count, 'win_count', w.win_count, 'closed_token_count', w.closed_token_count)
  FROM wallet w WHERE u.entity = 'wallet' AND u.before IS NOT NULL AND w.id = u.key1;
UPDATE undo u SET before = u.before || jsonb_build_object('open_quantity', p.open_quantity, 'open_result_usd', p.open_result_usd,
    'closed_positions', p.closed_positions, 'exit_result_usd', p.exit_result_usd)
  FROM position p WHERE u.entity = 'position' AND u.before IS NOT NULL AND p.token_id = u.key1 AND p.wallet_id = u.key2;

INSERT INTO score_due (kind, id, due_at)
  SELECT 2, wallet_id, (SELECT max(time) FROM block) FROM wallet_score
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at;
