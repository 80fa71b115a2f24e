-- A transfer is an event of both its sides: the recipient gets numbers of its own, so that totals and pages stay exact.
-- `part` tells events of one log apart; null: the first, which is mostly the only one.

-- The images in `undo` have the old counters. The index goes back to its newest final block, and the blocks after it are read
-- again when the program runs: so every counter is of one kind.
DO $$
DECLARE
  goal integer := coalesce((SELECT max(number) FROM block WHERE number <= (SELECT finalized FROM chain)),
    (SELECT min(number) FROM block));
  oldest text := '(SELECT DISTINCT ON (key1, key2, key3) key1, key2, key3, before FROM undo
    WHERE entity = %L AND block_number > %s ORDER BY key1, key2, key3, block_number) u';
  kept record;
  images text;
BEGIN
  IF goal IS NULL THEN RETURN; END IF;
  FOR kept IN SELECT * FROM (VALUES
    ('token', 't.id = u.key1'), ('pool', 't.id = u.key1'), ('wallet', 't.id = u.key1'),
    ('position', 't.token_id = u.key1 AND t.wallet_id = u.key2'), ('token_hour', 't.token_id = u.key1 AND t.hour = u.key2'),
    ('pool_day', 't.pool_id = u.key1 AND t.day = u.key2'), ('wallet_week', 't.wallet_id = u.key1 AND t.week = u.key2'),
    ('link', 't.from_id = u.key1 AND t.to_id = u.key2 AND t.kind = u.key3'),
    ('token_lock', 't.locker_id = u.key1 AND t.number = u.key2 AND t.token_id = u.key3'),
    ('token_score', 't.token_id = u.key1'), ('wallet_score', 't.wallet_id = u.key1'),
    ('wallet_outcome', 't.wallet_id = u.key1'),
    ('score_point', 't.kind = u.key1 AND t.id = u.key2 AND t.block_number = u.key3')) AS v (entity, match)
  LOOP
    images := format(oldest, kept.entity, goal);
    EXECUTE format('DELETE FROM %I t USING %s WHERE %s', kept.entity, images, kept.match);
    EXECUTE format('INSERT INTO %I SELECT r.* FROM %s, jsonb_populate_record(NULL::%I, u.before) r
      WHERE u.before IS NOT NULL', kept.entity, images, kept.entity);
  END LOOP;
  DELETE FROM event WHERE n > (SELECT event_count FROM block WHERE number = goal);
  DELETE FROM token_block WHERE block_number > goal;
  DELETE FROM score_due d WHERE (d.kind = 1 AND NOT EXISTS (SELECT FROM token t WHERE t.id = d.id AND t.indexed))
    OR (d.kind = 2 AND NOT EXISTS (SELECT FROM wallet w WHERE w.id = d.id AND w.indexed));
  INSERT INTO score_due (kind, id, due_at)
    SELECT DISTINCT CASE WHEN entity LIKE 'token%' THEN 1 ELSE 2 END, key1, (SELECT time FROM block WHERE number = goal)
    FROM undo u WHERE block_number > goal AND (
      (entity IN ('token', 'token_score') AND EXISTS (SELECT FROM token t WHERE t.id = u.key1 AND t.indexed)) OR
      (entity IN ('wallet', 'wallet_score') AND EXISTS (SELECT FROM wallet w WHERE w.id = u.key1 AND w.indexed)))
    ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at);
  DELETE FROM undo;
  DELETE FROM block WHERE number <> goal;
END $$;

ALTER TABLE event ADD COLUMN counterparty_n integer;      -- of a transfer to somebody else: its number among the recipient's events
ALTER TABLE event ADD COLUMN counterparty_type_n integer; -- and among the recipient's transfers
ALTER TABLE event ADD COLUMN part smallint;
DROP INDEX IF EXISTS event_wallet, event_wallet_type;
UPDATE event e SET wallet_n = s.wallet_n, wallet_type_n = s.wallet_type_n, counterparty_n = s.counterparty_n,
  counterparty_type_n = s.counterparty_type_n
FROM (
  SELECT n, max(own_n) FILTER (WHERE NOT received) AS wallet_n, max(own_type_n) FILTER (WHERE NOT received) AS wallet_type_n,
    max(own_n) FILTER (WHERE received) AS counterparty_n, max(own_type_n) FILTER (WHERE received) AS counterparty_type_n
  FROM (
    SELECT n, received, row_number() OVER (PARTITION BY id ORDER BY n) AS own_n,
      row_number() OVER (PARTITION BY id, type ORDER BY n) AS own_type_n
    FROM (
      SELECT n, type, wallet_id AS id, false AS received FROM event
      UNION ALL
      SELECT n, type, counterparty_id, true FROM event WHERE counterparty_id <> wallet_id
    ) sides
  ) numbered GROUP BY n
) s WHERE e.n = s.n;
UPDATE event e SET part = 1 FROM event before
  WHERE before.n = e.n - 1 AND before.block_number = e.block_number AND before.log_index = e.log_index;
UPDATE wallet w SET event_count = w.event_count + r.count, transfer_count = w.transfer_count + r.count
FROM (SELECT counterparty_id AS id, count(*) FROM event WHERE counterparty_id <> wallet_id GROUP BY 1) r WHERE w.id = r.id;
UPDATE position p SET event_count = p.event_count + r.count, transfer_count = p.transfer_count + r.count
FROM (SELECT token_id, counterparty_id AS id, count(*) FROM event WHERE counterparty_id <> wallet_id GROUP BY 1, 2) r
WHERE p.token_id = r.token_id AND p.wallet_id = r.id;
CREATE UNIQUE INDEX event_wallet ON event (wallet_id, wallet_n);
CREATE UNIQUE INDEX event_wallet_type ON event (wallet_id, type, wallet_type_n);
CREATE UNIQUE INDEX event_counterparty ON event (counterparty_id, counterparty_n) WHERE counterparty_id IS NOT NULL;
CREATE UNIQUE INDEX event_counterparty_type ON event (counterparty_id, counterparty_type_n) WHERE counterparty_id IS NOT NULL;
