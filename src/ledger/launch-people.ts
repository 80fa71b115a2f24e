// Scores and answers share this SQL of the wallets around the launches of tokens. Its parameters are the tokens, the most
// events of each, and the seconds of a launch.
import { DIRECTION_ID, EVENT_TYPE_ID, LINK_KIND_ID } from '../base/vocabulary.ts'
import { withKin } from './deployer-record.ts'
import { IS_SERVICE } from './labels.ts'
import type { LaunchReadRules } from './launch-groups.ts'
import { whereCrowded, wherePaid, whereService } from './roles.ts'

/**
 * SQL: the first events of a token. The limit keeps the planner from the events of each wallet, which have no bound: a bot
 * has millions.
 */
export const firstEvents = (tokenId: string, columns: string): string =>
  `(SELECT ${columns} FROM event WHERE token_id = ${tokenId} AND token_n <= $2 ORDER BY token_n LIMIT $2)`

/** The buys among the first events of `o`, by wallet. */
const BOUGHT = `SELECT o.id AS token_id, e.wallet_id, min(e.time) AS at
  FROM opened o CROSS JOIN LATERAL ${firstEvents('o.id', 'wallet_id, time, type, direction')} e
  WHERE e.type = ${EVENT_TYPE_ID.swap} AND e.direction = ${DIRECTION_ID.buy} AND NOT o.money AND o.opened IS NOT NULL
  GROUP BY 1, 2`

/** What answers and scores read of a wallet `w` and its position `p`. */
const OF_WALLET = `w.address, w.first_seen_at, w.first_funder_id, p.first_buy_at, p.balance, p.first_at, p.event_count, p.bought_usd,
    p.sold_usd, p.sold_known_usd, p.realised_usd`

/** The wallets whose first buy belongs to the launch of `o`. */
const BUYERS = `SELECT b.token_id, b.wallet_id, b.at, ${OF_WALLET}
  FROM bought b JOIN opened o ON o.id = b.token_id
  JOIN position p ON p.token_id = b.token_id AND p.wallet_id = b.wallet_id
  JOIN wallet w ON w.id = b.wallet_id
  WHERE p.first_buy_at BETWEEN o.opened AND o.opened + make_interval(secs => $3)
    AND w.kind IN ('account', 'contract') AND NOT ${IS_SERVICE}`

/** Funders of at least two of these buyers, or that bought themselves; null for one that connects nobody. */
const fundersOf = (rules: LaunchReadRules): string => `SELECT w.id, ${whereCrowded(rules.crowdLinks)} AS crowded
  FROM wallet w WHERE w.id IN (
      SELECT b.first_funder_id FROM buyers b WHERE b.first_funder_id IS NOT NULL
      GROUP BY b.token_id, b.at, b.first_funder_id
      HAVING count(*) > 1 OR EXISTS (SELECT FROM buyers s WHERE s.token_id = b.token_id AND s.wallet_id = b.first_funder_id))
    AND NOT ${whereService(rules.hubLinks)}`

/** The makers of `o`: its deployer, and the opener of its first pool. */
const makersOf = (
  rules: LaunchReadRules,
): string => `SELECT m.token_id, w.id, ${whereService(rules.hubLinks)} AS service,
    ${whereCrowded(rules.crowdLinks)} AS crowded
  FROM (SELECT id AS token_id, deployer_id AS author_id FROM opened WHERE deployer_id IS NOT NULL AND NOT money UNION
    SELECT o.id, p.opener_id FROM opened o CROSS JOIN LATERAL (
      SELECT opener_id FROM pool WHERE base_id = o.id ORDER BY id LIMIT 1) p
    WHERE p.opener_id IS NOT NULL AND NOT o.money) m
  JOIN wallet w ON w.id = m.author_id`

/** The accounts that a maker funded first or sent to, and those behind its own first funder. */
const linkedOf = ({ hubLinks }: LaunchReadRules): string => `SELECT m.token_id, x.id
    FROM makers m CROSS JOIN LATERAL (SELECT id FROM wallet WHERE first_funder_id = m.id LIMIT ${hubLinks}) x
    WHERE NOT m.service AND (NOT m.crowded OR ${wherePaid('m.id', 'x.id')})
  UNION SELECT m.token_id, x.to_id
    FROM makers m CROSS JOIN LATERAL (SELECT to_id, kind FROM link WHERE from_id = m.id LIMIT ${hubLinks}) x
    WHERE NOT m.service AND (x.kind = ${LINK_KIND_ID.native} OR NOT m.crowded)
  UNION SELECT m.token_id, x.id
    FROM makers m CROSS JOIN LATERAL ${withKin('m.id', (kin) => kin)} x WHERE NOT m.service
  UNION SELECT token_id, id FROM makers WHERE NOT service`

const insidersOf = (rules: LaunchReadRules): string => `SELECT l.token_id, l.id AS wallet_id
  FROM (${linkedOf(rules)}) l JOIN opened o ON o.id = l.token_id JOIN wallet w ON w.id = l.id
  WHERE l.id IS DISTINCT FROM o.deployer_id AND NOT ${whereService(rules.hubLinks)}
    AND EXISTS (SELECT FROM position p WHERE p.token_id = l.token_id AND p.wallet_id = l.id)`

/** The buyers, and those around the makers who are none. The limit keeps the planner from all positions of a wallet. */
const PEOPLE = `SELECT * FROM buyers UNION ALL
  SELECT x.token_id, x.wallet_id, NULL::timestamptz, ${OF_WALLET} FROM (
    (SELECT token_id, wallet_id FROM insiders UNION
      SELECT id, deployer_id FROM opened WHERE deployer_id IS NOT NULL AND NOT money)
    EXCEPT SELECT token_id, wallet_id FROM buyers) x
  JOIN wallet w ON w.id = x.wallet_id
  LEFT JOIN LATERAL (SELECT * FROM position WHERE token_id = x.token_id AND wallet_id = x.wallet_id LIMIT 1) p ON true`

export const epoch = (column: string): string => `date_part('epoch', ${column})`

/** Raw units as whole tokens; raw ones without decimals. */
const whole = (raw: string): string => `(${raw})::float8 / 10::float8 ^ coalesce(o.decimals, 0)`

/** FROM of the statement: `x` is a wallet of a token, or with nulls in its place a token without any. */
export const launchPeople = (rules: LaunchReadRules): string => `FROM (
  WITH opened AS MATERIALIZED (
      SELECT t.id, t.decimals, t.supply, t.burned, t.deployer_id, t.first_liquidity_at AS opened, t.first_liquidity_block,
        t.price_usd > 0 AND t.price_hops = 0 AS money,
        t.event_count = 0 OR EXISTS (SELECT FROM event WHERE token_id = t.id AND token_n = 1) AS kept
      FROM token t WHERE t.id = ANY ($1::int[])),
    bought AS MATERIALIZED (${BOUGHT}),
    buyers AS MATERIALIZED (${BUYERS}),
    funders AS MATERIALIZED (${fundersOf(rules)}),
    makers AS MATERIALIZED (${makersOf(rules)}),
    insiders AS MATERIALIZED (${insidersOf(rules)}),
    people AS MATERIALIZED (${PEOPLE})
  SELECT o.id AS "tokenId", ${epoch('o.opened')} AS "openedAt", o.first_liquidity_block AS "openedBlock", o.money AS "isMoney",
    o.kept AS "hasFirstEvents", o.deployer_id IS NOT NULL AS "hasDeployer",
    CASE WHEN (SELECT start_block FROM chain) > 0
      THEN (SELECT ${epoch('first_seen_at')} FROM wallet ORDER BY id LIMIT 1) END AS "seenSince",
    CASE WHEN o.supply > o.burned THEN ${whole('o.supply - o.burned')} END AS circulating,
    n.wallet_id AS "walletId", n.address, ${epoch('n.first_seen_at')} AS "firstSeenAt",
    CASE WHEN n.first_funder_id = ANY (ARRAY(SELECT id FROM funders WHERE NOT crowded))
        OR n.first_funder_id = ANY (ARRAY(SELECT id FROM funders WHERE crowded)) AND ${wherePaid('n.first_funder_id', 'n.wallet_id')}
      THEN n.first_funder_id END AS "funderId",
    n.wallet_id = o.deployer_id AS "isDeveloper",
    (n.token_id, n.wallet_id) IN (SELECT token_id, wallet_id FROM insiders) AS "isInsider",
    CASE WHEN n.at IS NOT NULL THEN ${epoch('n.first_buy_at')} END AS "firstBuyAt",
    ${whole('coalesce(n.balance, 0)')} AS balance, ${epoch('n.first_at')} AS "firstAt",
    coalesce(n.event_count, 0) AS "eventCount", coalesce(n.bought_usd, 0) AS "boughtUsd", coalesce(n.sold_usd, 0) AS "soldUsd",
    coalesce(n.sold_known_usd, 0) AS "soldKnownUsd", coalesce(n.realised_usd, 0) AS "realisedUsd"
  FROM opened o LEFT JOIN people n ON n.token_id = o.id) x`
