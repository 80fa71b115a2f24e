// Judges the clusters of an indexed market by the true owners. Input: a database and the people. Output: precision, recall
// and F1 of the owned wallets, and the recall by the way in which they were funded.

import type { Database } from '../../src/database/client.ts'
import { inSnapshot } from '../../src/database/snapshot.ts'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { createMemory } from '../../src/ledger/facts/memory.ts'
import { loadTokenFacts } from '../../src/ledger/facts/token.ts'
import { readNewestBlock } from '../../src/ledger/scores/score-block.ts'
import { joinEvidence, readEvidence, weighClusters } from '../../src/scoring/sybil.ts'
import { FACT_RULES } from '../../src/scoring/weights.ts'
import { divide, judgeFlag } from '../statistics/metrics.ts'
import type { Holder, Way } from './people.ts'

export interface Judged {
  precision: number | null
  recall: number | null
  f1: number | null
  recallBy: Record<Way, number | null>
  clusters: number
  /** Clusters whose flagged wallets have one owner. */
  pure: number
}

/** A cluster counts once it is large enough for the flag of a token. */
export async function judge(database: Database, holders: readonly Holder[]): Promise<Judged> {
  const { rows: names } = await database.pool.query<{ id: number; address: string }>('SELECT id, address FROM wallet')
  const addressOf = new Map(names.map(({ id, address }) => [id, address]))
  const known = new Map(holders.map((holder) => [holder.address as string, holder]))
  const groups = await readGroups(database)
  const clusters = groups.map((ids) => ids.flatMap((id) => known.get(addressOf.get(id) ?? '') ?? []))
  const flagged = new Set<Holder>(clusters.flat())
  const cases = holders.map((holder) => ({ holder, positive: holder.owner !== null, flagged: flagged.has(holder) }))
  const { precision, recall } = judgeFlag(cases)
  const recallOf = (way: Way) => judgeFlag(cases.filter(({ holder }) => holder.way === way)).recall
  return {
    precision,
    recall,
    f1: precision !== null && recall !== null ? divide(2 * precision * recall, precision + recall) : null,
    recallBy: {
      direct: recallOf('direct'),
      disperser: recallOf('disperser'),
      chain: recallOf('chain'),
      tree: recallOf('tree'),
      exchange: recallOf('exchange'),
    },
    clusters: clusters.length,
    pure: clusters.filter((members) => new Set(members.map(({ owner, address }) => owner ?? address)).size === 1)
      .length,
  }
}

/** The ids of the wallets in each large cluster of each token. */
const readGroups = ({ writePool }: Database): Promise<number[][]> =>
  inSnapshot(writePool, async (client) => {
    const block = await readNewestBlock(client)
    const { rows } = await client.query<{ id: number }>('SELECT id FROM token WHERE indexed ORDER BY id')
    if (!block) return []
    const ids = rows.map(({ id }) => id)
    const loaded = await loadTokenFacts(client, ids, toFactsBlock(block.number, block.time), createMemory(FACT_RULES))
    return [...loaded].flatMap((facts) => {
      const evidence = readEvidence(facts)
      const weighed = weighClusters(facts, evidence && joinEvidence(evidence)) ?? []
      return weighed.filter(({ strength }) => strength === 1).map(({ members }) => members)
    })
  })
