// The outcome of the earlier tokens of a token's deployer, in one definition for scores and answers: the statement that
// reads it.

/** The earlier tokens of a token's deployer; the newest count. */
export interface DeployerRecord {
  tokens: number
  /** How many of them lost their liquidity for good: the deployer, or the opener of a pool, pulled it. */
  pulled: number
}

/** The most of them that count. */
const MOST_DEPLOYED = 50

/** Pools of an earlier token whose openers are read. */
const POOLS = 4

/**
 * The statement's FROM and WHERE: `t` is the token, `r` the record. A token was pulled if its deployer, or the opener
 * of one of its first pools, pulled its liquidity and did not bring it back.
 */
export const DEPLOYER_RECORDS = `FROM token t CROSS JOIN LATERAL (
    SELECT count(*)::int AS tokens, (count(*) FILTER (WHERE EXISTS (
      SELECT FROM (
        SELECT t.deployer_id AS id UNION ALL
        SELECT o.opener_id FROM (SELECT opener_id FROM pool WHERE base_id = e.id ORDER BY id LIMIT ${POOLS}) o) w
      JOIN position b ON b.token_id = e.id AND b.wallet_id = w.id WHERE b.pulled_usd > 0)))::int AS pulled
    FROM (
      SELECT id FROM token WHERE deployer_id = t.deployer_id AND id < t.id AND kind = 'erc20' AND indexed
      ORDER BY id DESC LIMIT ${MOST_DEPLOYED}) e) r
  WHERE t.id = ANY($1::int[]) AND t.deployer_id IS NOT NULL`
