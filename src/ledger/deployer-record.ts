// The outcome of the earlier tokens of a token's deployer, and of wallets with the same first funder. Scores
// and answers read it by the same statements.
import { IS_SERVICE } from './labels.ts'

/** The earlier tokens of a token's deployer; the newest count. */
export interface DeployerRecord {
  tokens: number
  /** How many of them lost their liquidity for good: the deployer, or the opener of a pool, pulled it. */
  pulled: number
  /** The earlier tokens of the deployer's first funder and of other wallets that it funded first; the newest count. */
  funderTokens: number
  funderPulled: number
}

/** The most of either that count. */
export const MOST_DEPLOYED = 50

/** Pools of an earlier token whose openers are read. */
const POOLS = 4

/** Whoever was the first to fund more wallets than this is a service, and no person [G]. */
const MOST_FUNDED = 20

/** The maker's first funder. None for a service. */
const funderOf = (authorId: string): string => `SELECT w.id FROM wallet d JOIN wallet w ON w.id = d.first_funder_id
  WHERE d.id = ${authorId} AND w.kind = 'account' AND NOT ${IS_SERVICE}
    AND (SELECT count(*) FROM (SELECT FROM wallet WHERE first_funder_id = w.id LIMIT ${MOST_FUNDED + 1}) x) <= ${MOST_FUNDED}`

/**
 * SQL: `query` over the wallets (ids) behind a maker's first funder, which are the funder itself and the wallets that it
 * funded first, without the maker.
 */
export const withKin = (authorId: string, query: (kin: string) => string): string => `(
  WITH funder AS MATERIALIZED (${funderOf(authorId)}) ${query(`SELECT f.id FROM funder f UNION ALL
  SELECT k.id FROM funder f JOIN LATERAL (
    SELECT id FROM wallet WHERE first_funder_id = f.id AND id <> ${authorId} LIMIT ${MOST_FUNDED}) k ON true`)})`

/** The newest earlier tokens of a wallet `m`. */
const EARLIER = `SELECT e.id, e.deployer_id FROM token e
  WHERE e.deployer_id = m.id AND e.id < t.id AND e.kind = 'erc20' AND e.indexed ORDER BY e.id DESC LIMIT ${MOST_DEPLOYED}`

/**
 * A token was pulled if its deployer, or the opener of one of its first pools, pulled its liquidity and did not bring it
 * back.
 */
const IS_PULLED = `EXISTS (SELECT FROM (
    SELECT e.deployer_id AS id UNION ALL
    SELECT o.opener_id FROM (SELECT opener_id FROM pool WHERE base_id = e.id ORDER BY id LIMIT ${POOLS}) o) w
  JOIN position b ON b.token_id = e.id AND b.wallet_id = w.id WHERE b.pulled_usd > 0)`

const recordOf = (
  wallets: string,
): string => `(SELECT count(*)::int AS tokens, (count(*) FILTER (WHERE ${IS_PULLED}))::int AS pulled
  FROM (SELECT x.id, x.deployer_id FROM (${wallets}) m CROSS JOIN LATERAL (${EARLIER}) x
    ORDER BY x.id DESC LIMIT ${MOST_DEPLOYED}) e)`

/** The statement's FROM and WHERE: `t` is the token, `r` the deployer's own record, `k` that behind its funder. */
export const DEPLOYER_RECORDS = `FROM token t
  CROSS JOIN LATERAL ${recordOf('SELECT t.deployer_id AS id')} r
  CROSS JOIN LATERAL ${withKin('t.deployer_id', (kin) => `SELECT * FROM ${recordOf(kin)} y`)} k
  WHERE t.id = ANY($1::int[]) AND t.deployer_id IS NOT NULL`

/** The columns of the statement. */
export const RECORD_COLUMNS = 'r.tokens, r.pulled, k.tokens AS "funderTokens", k.pulled AS "funderPulled"'

/** FROM of the statement that lists the deployer's earlier tokens: `e` is one. $1 are ids of tokens, $2 the most of each. */
export const EARLIER_TOKENS = `FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (id, take, key)
  JOIN token t ON t.id = k.id
  CROSS JOIN LATERAL (
    SELECT e.id, ${IS_PULLED} AS pulled FROM (SELECT t.deployer_id AS id) m CROSS JOIN LATERAL (${EARLIER}) e
    ORDER BY pulled DESC, e.id DESC LIMIT k.take) e`
