// Finds the tokens whose contracts are due for a check. A token is first checked when it has $1,000 of liquidity and
// ten buyers or holders. Later checks are hourly while it is traded, earlier after something unusual, and daily
// otherwise. Times are those of blocks, in seconds since 1970.
import { DAY_SECONDS, HOUR_SECONDS } from '../../base/time.ts'
import { DIRECTION_ID, EVENT_TYPE_ID } from '../../base/vocabulary.ts'
import type { CalledContract } from '../../chain/event.ts'
import type { pg } from '../../database/client.ts'
import type { HistoryReader } from '../../history/history.ts'
import { isWorthChecking } from '../first-check.ts'
import { attachHistoryOn } from '../segments.ts'

export const IDLE_CHECK_SECONDS = DAY_SECONDS

type Client = Pick<pg.ClientBase, 'query'>

/** Swaps in a row that are all buys cause a check, because a closed contract looks like this. */
const BUY_RUN = 10
/** The newest events of a token that are searched for those of its deployer. */
const LOOKED_THROUGH = 50
/** Between two checks of a token with something unusual. */
const ODD_CHECK_SECONDS = 60

const IS_TRADED = `EXISTS (SELECT FROM token_hour h WHERE h.token_id = t.id AND h.hour >= floor($2::float8 / ${HOUR_SECONDS}) - 1)`
/** The deployer acted on it since the block, or the newest swaps have no sale. */
const IS_ODD = `(EXISTS (
    SELECT FROM (SELECT wallet_id, block_number FROM event WHERE token_id = t.id ORDER BY token_n DESC LIMIT ${LOOKED_THROUGH}) e
    WHERE e.wallet_id = t.deployer_id AND e.block_number > $1)
  OR (SELECT count(*) FILTER (WHERE direction = 1) = ${BUY_RUN} FROM (
    SELECT direction FROM event WHERE token_id = t.id AND type = 1 ORDER BY token_type_n DESC LIMIT ${BUY_RUN}) e)
  OR t.id = ANY($5::int[]))`

const FIND = `INSERT INTO safety_due (token_id, due_at)
  SELECT t.id, greatest(to_timestamp($2::float8), coalesce(
    s.checked_at + make_interval(secs => CASE WHEN ${IS_ODD} THEN least($3::float8, ${ODD_CHECK_SECONDS}) ELSE $3::float8 END),
    to_timestamp($2::float8)))
  FROM token t LEFT JOIN token_safety s ON s.token_id = t.id
  WHERE t.updated_block > $1 AND t.indexed AND t.kind = 'erc20' AND NOT t.address = ANY($4::text[])
    AND ${isWorthChecking('t')}
    AND (s.token_id IS NULL OR ${IS_TRADED})
  ORDER BY t.id
  ON CONFLICT (token_id) DO UPDATE SET due_at = least(safety_due.due_at, excluded.due_at)`

/**
 * Marks the tokens that changed after a block: new ones at once, traded ones `everySeconds` after their last check.
 * `quotes`: trusted addresses of the preset. Rows are written in the order of their ids, like `store` does, so that the
 * two never deadlock.
 */
export async function markChanged(
  client: Client,
  after: number,
  now: number,
  {
    everySeconds,
    quotes,
    history,
  }: { everySeconds: number; quotes: readonly string[]; history?: HistoryReader | null | undefined },
): Promise<void> {
  const runs = history ? await findOldRuns(client, after, now, history) : []
  const values = [after, now, everySeconds, `{${quotes.join(',')}}`, `{${runs.join(',')}}`]
  await client.query({ name: 'mark safety', text: FIND, values })
}

/** Changed tokens whose newest swaps are buys, as far as the database has them: fewer than count. */
const SHORT_RUNS = `SELECT t.id, t.swap_count AS "swapCount", e.found FROM token t
    JOIN token_safety s ON s.token_id = t.id CROSS JOIN LATERAL (
      SELECT count(*) AS found, count(*) FILTER (WHERE direction = 1) AS buys FROM (
        SELECT direction FROM event WHERE token_id = t.id AND type = 1 ORDER BY token_type_n DESC LIMIT ${BUY_RUN}) n) e
  WHERE t.updated_block > $1 AND t.indexed AND t.kind = 'erc20' AND t.swap_count >= ${BUY_RUN} AND ${IS_TRADED}
    AND e.found < ${BUY_RUN} AND e.found = e.buys`

/** The tokens among them whose older swaps, in the history, are buys too. */
async function findOldRuns(client: Client, after: number, now: number, store: HistoryReader): Promise<number[]> {
  const { rows } = await client.query<{ id: number; swapCount: number; found: number }>({
    name: 'short safety runs',
    text: SHORT_RUNS,
    values: [after, now],
  })
  const history = rows.length > 0 ? await attachHistoryOn(client, store) : null
  if (!history) return []
  const ranges = rows.map(({ id, swapCount, found }) => ({
    ...{ of: 'token' as const, id, type: EVENT_TYPE_ID.swap },
    ...{ above: swapCount - BUY_RUN, below: swapCount - found },
  }))
  const lists = await history.store.readRanges(history.segments, ranges)
  return rows.flatMap(({ id, found }, at) => {
    const swaps = lists[at] ?? []
    return swaps.length === BUY_RUN - found && swaps.every(({ direction }) => direction === DIRECTION_ID.buy)
      ? [id]
      : []
  })
}

const CALLED = `INSERT INTO safety_due (token_id, due_at)
  SELECT s.token_id, greatest(to_timestamp($1::float8), s.checked_at + make_interval(secs => ${ODD_CHECK_SECONDS}))
  FROM token_safety s JOIN token t ON t.id = s.token_id LEFT JOIN wallet d ON d.id = t.deployer_id
  WHERE s.contracts && $3::text[] AND EXISTS (
    SELECT FROM unnest($2::text[], $3::text[]) c(caller, called)
    WHERE c.called = ANY(s.contracts) AND (c.caller = d.address OR c.caller = ANY(s.insiders)))
  ORDER BY s.token_id
  ON CONFLICT (token_id) DO UPDATE SET due_at = least(safety_due.due_at, excluded.due_at)`

/** Marks the tokens whose contracts an insider called: many such calls log nothing. */
export async function markCalled(client: Client, now: number, calls: readonly CalledContract[]): Promise<void> {
  if (calls.length === 0) return
  const [callers, called] = [calls.map(({ from }) => from), calls.map(({ to }) => to)]
  await client.query({
    name: 'mark called safety',
    text: CALLED,
    values: [now, `{${callers.join(',')}}`, `{${called.join(',')}}`],
  })
}

const DUE = `SELECT token_id AS id, asked FROM (
    (SELECT token_id, true AS asked, asked_at AS at FROM safety_due WHERE asked_at IS NOT NULL ORDER BY asked_at, token_id LIMIT $2)
    UNION ALL
    (SELECT token_id, false, due_at FROM safety_due WHERE asked_at IS NULL AND due_at <= to_timestamp($1::float8) ORDER BY due_at, token_id LIMIT $2)
  ) d ORDER BY asked DESC, at, token_id LIMIT $2`

export interface DueCheck {
  id: number
  /** Whether somebody waits for it. */
  asked: boolean
}

/** The tokens for which somebody asked, then those that have been due longest, at most `limit`. */
export async function readDueChecks(client: Client, now: number, limit: number): Promise<DueCheck[]> {
  return (await client.query<DueCheck>({ name: 'due safety', text: DUE, values: [now, limit] })).rows
}

/** Counting stops here. */
const COUNTED = 100_000

/** How many tokens are due, and for how many seconds the oldest has been. */
export async function readDueBacklog(client: Client, now: number): Promise<{ tokens: number; lagSeconds: number }> {
  const { rows } = await client.query<{ tokens: number; lagSeconds: number }>({
    name: 'safety backlog',
    text: `SELECT (SELECT count(*)::int FROM (SELECT FROM safety_due WHERE due_at <= to_timestamp($1::float8) LIMIT ${COUNTED}) d) AS tokens,
      coalesce(greatest($1::float8 - date_part('epoch', (SELECT min(due_at) FROM safety_due)), 0), 0) AS "lagSeconds"`,
    values: [now],
  })
  return rows[0] ?? { tokens: 0, lagSeconds: 0 }
}

/** Puts a token's next check off until then; with null it leaves the list. Nobody waits for it any more. */
export async function putOff(client: Client, tokenId: number, dueAt: number | null): Promise<void> {
  await client.query(
    dueAt === null
      ? { name: 'drop safety', text: 'DELETE FROM safety_due WHERE token_id = $1', values: [tokenId] }
      : {
          name: 'put off safety',
          text: `INSERT INTO safety_due (token_id, due_at) VALUES ($1, to_timestamp($2::float8))
            ON CONFLICT (token_id) DO UPDATE SET due_at = excluded.due_at, asked_at = NULL, step = NULL`,
          values: [tokenId, dueAt],
        },
  )
}
