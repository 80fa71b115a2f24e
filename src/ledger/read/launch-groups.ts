// Reads the wallets around the launches of tokens, and the events that moved their holdings. Two statements, whatever the
// number of tokens; both read the same bounded number of events of each.
import { DIRECTION_ID, EVENT_TYPE_ID, LINK_KIND_ID } from '../../base/vocabulary.ts'
import { withKin } from '../deployer-record.ts'
import { IS_SERVICE } from '../labels.ts'
import type { LaunchFacts, LaunchMove, LaunchReadRules, LaunchWalletFacts } from '../launch-groups.ts'
import { whereCrowded, wherePaid, whereService } from '../roles.ts'
import type { Reading, SelectText } from './consistent-read.ts'

const { swap, liquidity_add, transfer } = EVENT_TYPE_ID

/** A wallet of a token, or with nulls in place of the wallet a token without any. */
type WalletRow = Omit<LaunchFacts, 'wallets' | 'moves'> &
  ({ walletId: null } | LaunchWalletFacts) & { firstBuyAt: number | null }

/**
 * SQL: the first events of a token. The limit keeps the planner from the events of each wallet, which have no bound: a bot
 * has millions.
 */
const firstEvents = (tokenId: string, columns: string): string =>
  `(SELECT ${columns} FROM event WHERE token_id = ${tokenId} AND token_n <= $2 ORDER BY token_n LIMIT $2)`

/** The buys among the first events of `o`, by wallet. */
const BOUGHT = `SELECT o.id AS token_id, e.wallet_id, min(e.time) AS at
  FROM opened o CROSS JOIN LATERAL ${firstEvents('o.id', 'wallet_id, time, type, direction')} e
  WHERE e.type = ${swap} AND e.direction = ${DIRECTION_ID.buy} AND NOT o.money GROUP BY 1, 2`

/** The wallets whose first buy belongs to the launch of `o`. */
const BUYERS = `SELECT b.token_id, b.wallet_id, b.at, w.first_funder_id
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

const PEOPLE = `SELECT token_id, wallet_id, max(at) AS at, bool_or(insider) AS insider FROM (
    SELECT token_id, wallet_id, at, false AS insider FROM buyers UNION ALL
    SELECT token_id, wallet_id, NULL, true FROM insiders UNION ALL
    SELECT id, deployer_id, NULL, false FROM opened WHERE deployer_id IS NOT NULL AND NOT money) p
  GROUP BY 1, 2`

const epoch = (column: string): string => `date_part('epoch', ${column})`

/** Raw units as whole tokens; raw ones without decimals. */
const whole = (raw: string): string => `(${raw})::float8 / 10::float8 ^ coalesce(o.decimals, 0)`

/** $1 are tokens, $2 the most events of each, $3 the seconds of a launch. */
const peopleText = (rules: LaunchReadRules): SelectText => `SELECT x.* FROM (
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
    w.id AS "walletId", w.address, ${epoch('w.first_seen_at')} AS "firstSeenAt",
    CASE WHEN w.first_funder_id = ANY (ARRAY(SELECT id FROM funders WHERE NOT crowded))
        OR w.first_funder_id = ANY (ARRAY(SELECT id FROM funders WHERE crowded)) AND ${wherePaid('w.first_funder_id', 'w.id')}
      THEN w.first_funder_id END AS "funderId",
    w.id = o.deployer_id AS "isDeveloper", n.insider AS "isInsider",
    CASE WHEN n.at IS NOT NULL THEN ${epoch('p.first_buy_at')} END AS "firstBuyAt",
    ${whole('coalesce(p.balance, 0)')} AS balance, ${epoch('p.first_at')} AS "firstAt",
    coalesce(p.event_count, 0) AS "eventCount", coalesce(p.bought_usd, 0) AS "boughtUsd", coalesce(p.sold_usd, 0) AS "soldUsd",
    coalesce(p.sold_known_usd, 0) AS "soldKnownUsd", coalesce(p.realised_usd, 0) AS "realisedUsd"
  FROM opened o
  LEFT JOIN people n ON n.token_id = o.id
  LEFT JOIN wallet w ON w.id = n.wallet_id
  LEFT JOIN position p ON p.token_id = o.id AND p.wallet_id = w.id) x`

interface EventRow {
  tokenId: number
  block: number
  time: number
  walletId: number
  counterpartyId: number | null
  type: number
  isBuy: boolean
  quantity: number
}

const MOVES: SelectText = `SELECT k.id AS "tokenId", e.block_number AS block, ${epoch('e.time')} AS time, e.wallet_id AS "walletId",
    e.counterparty_id AS "counterpartyId", e.type, coalesce(e.direction = ${DIRECTION_ID.buy}, false) AS "isBuy", e.quantity
  FROM unnest($1::int[]) AS k (id)
  CROSS JOIN LATERAL ${firstEvents('k.id', '*')} e
  WHERE e.wallet_id = ANY ($3::int[]) OR e.counterparty_id = ANY ($3::int[])
  ORDER BY k.id, e.token_n`

/** The facts of the launches, in any order. */
export async function readLaunchFacts(
  reading: Reading,
  tokenIds: readonly number[],
  rules: LaunchReadRules,
): Promise<LaunchFacts[]> {
  const rows = await reading.query<WalletRow>({
    name: 'launch people',
    text: peopleText(rules),
    values: [tokenIds, rules.events, rules.seconds],
  })
  const launches = new Map<number, LaunchFacts>()
  const walletIds = new Set<number>()
  for (const row of rows) {
    const { tokenId, openedAt, openedBlock, isMoney, hasFirstEvents, hasDeployer, seenSince, circulating, ...wallet } =
      row
    const launch = launches.get(tokenId) ?? {
      ...{ tokenId, openedAt, openedBlock, isMoney, hasFirstEvents, hasDeployer, seenSince, circulating },
      ...{ wallets: [], moves: [] },
    }
    launches.set(tokenId, launch)
    if (wallet.walletId === null) continue
    launch.wallets.push(wallet)
    walletIds.add(wallet.walletId)
  }
  if (walletIds.size > 0) await addMoves(reading, launches, [...walletIds], rules)
  return [...launches.values()]
}

async function addMoves(
  reading: Reading,
  launches: ReadonlyMap<number, LaunchFacts>,
  walletIds: readonly number[],
  { events }: LaunchReadRules,
): Promise<void> {
  const peopled = [...launches.values()].filter(({ wallets }) => wallets.length > 0)
  const rows = await reading.query<EventRow>({
    name: 'launch moves',
    text: MOVES,
    values: [peopled.map(({ tokenId }) => tokenId), events, walletIds],
  })
  const members = new Map(peopled.map((launch) => [launch.tokenId, new Set(launch.wallets.map((it) => it.walletId))]))
  for (const row of rows) {
    const known = members.get(row.tokenId)
    launches.get(row.tokenId)?.moves.push(...toMoves(row).filter(({ walletId }) => known?.has(walletId)))
  }
}

/** What an event did to the holdings of its wallet and its counterparty. */
function toMoves({ block, time, walletId, counterpartyId, type, isBuy, quantity }: EventRow): LaunchMove[] {
  const move = (id: number, change: number, isSale = false) => ({ walletId: id, block, time, change, isSale })
  if (type === swap) return [move(walletId, isBuy ? quantity : -quantity, !isBuy)]
  if (type === transfer)
    return counterpartyId === walletId || counterpartyId === null
      ? [move(walletId, counterpartyId === null ? -quantity : 0)]
      : [move(walletId, -quantity), move(counterpartyId, quantity)]
  return [move(walletId, type === liquidity_add ? -quantity : quantity)]
}
