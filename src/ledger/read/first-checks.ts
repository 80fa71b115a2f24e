// Whether the recorded demo is settled: its contracts are checked, and its scores know the result. Whoever tries it
// compares answers, which would change meanwhile.
import type { pg } from '../../database/client.ts'
import { whyUnchecked } from '../first-check.ts'
import { SCORE_KINDS } from '../score-kinds.ts'
import { findChain } from './chain.ts'

/** A token waits for its first check, which did not fail a moment ago, or for its score. */
const IS_UNSETTLED = `SELECT EXISTS (SELECT FROM chain c, block b, token t
    WHERE b.number = (SELECT max(number) FROM block) AND t.indexed AND t.kind = 'erc20'
      AND ${whyUnchecked('t', 'c')} = 'waits_for_check' AND NOT EXISTS (SELECT FROM token_safety s WHERE s.token_id = t.id)
      AND NOT EXISTS (SELECT FROM safety_due d WHERE d.token_id = t.id AND d.due_at > b.time))
  OR EXISTS (SELECT FROM score_due d WHERE d.kind = ${SCORE_KINDS.token}
    AND d.due_at <= (SELECT time FROM block ORDER BY number DESC LIMIT 1)) AS unsettled`

/**
 * True for good after the first time, because later tokens of the demo come one by one. Always true for a network, whose
 * tokens are too many to wait for.
 */
export function createFirstChecks(pool: pg.Pool, demoChainId: number): () => Promise<boolean> {
  let done = false
  return async () => {
    if (done) return true
    const chain = await findChain(pool)
    if (!chain) return false
    done = chain.chainId !== demoChainId || !(await isUnsettled(pool))
    return done
  }
}

async function isUnsettled(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ unsettled: boolean }>(IS_UNSETTLED)
  return rows[0]?.unsettled ?? true
}
