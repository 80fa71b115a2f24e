// The job that keeps scores up with the chain: what is due is read, scored and stored in chunks, each in one transaction.
// Wallets go first, since a token's smart money reads their reputations. Runs between two batches of the writer.
import { type Clock, systemClock } from '../base/clock.ts'
import type { Preset } from '../chain/preset.ts'
import type { Database } from '../ledger/client.ts'
import { createMemory } from '../ledger/facts/memory.ts'
import { saveOutcomes } from '../ledger/facts/outcomes.ts'
import { loadTokenFacts } from '../ledger/facts/token.ts'
import { rememberTraders } from '../ledger/facts/traders.ts'
import { loadWalletFacts } from '../ledger/facts/wallet.ts'
import type { FactsBlock } from '../ledger/facts.ts'
import {
  beginScores,
  type Due,
  type NextDue,
  readDue,
  readNewestBlock,
  type ScoreKind,
  saveDue,
  saveTokenScores,
  saveWalletScores,
} from '../ledger/score.ts'
import { inSnapshot, notifyHead } from '../ledger/snapshot.ts'
import type { Log } from '../telemetry/log.ts'
import type { Summaries } from './summaries.ts'
import { nextTokenChange, toTokenScore } from './token-score.ts'
import { nextWalletChange, toWalletScore } from './wallet-score.ts'

/** Rows that are loaded at once: enough to make a round trip cheap, few enough to bound the memory. */
const CHUNK_ROWS = { token: 8_000, wallet: 20_000 } as const
/** Chunks under way: one is computed while the database works on the others: with two, 1.6 of two processors were at work. */
const LANES = 3
/** Identifiers that are taken from the list of due work at once. */
const TAKE = 50_000

/** Puts what a model wrote before into scores that are about to be stored; never waits for the model. */
export type Summarise = Summaries['fill']

export interface Rescored {
  tokens: number
  wallets: number
}

export interface Rescore {
  /** Scores what is due as of the newest block; `budget`: so many tokens and wallets at most. */
  run(options?: { budget?: number; signal?: AbortSignal }): Promise<Rescored>
}

/** `sectors` of the preset outrank launch venues as a wallet's sector. */
export function createRescore({
  database,
  preset,
  clock = systemClock,
  log,
  summarise,
}: {
  database: Database
  preset: Pick<Preset, 'sectors'>
  clock?: Clock
  log?: Pick<Log, 'debug'>
  summarise?: Summarise
}): Rescore {
  // What was read and scored of wallets and tokens, for as long as a run and the block last.
  let known = { block: -1, memory: createMemory() }
  const recallAt = (block: number) => {
    if (known.block !== block) known = { block, memory: createMemory() }
    return known.memory
  }
  const scoreChunk = async (kind: ScoreKind, ids: readonly number[]): Promise<void> => {
    const scored = await inSnapshot(database.writePool, async (client) => {
      const block = await beginScores(client)
      if (!block) return null
      const facts: FactsBlock = { number: block.number, hourTime: Math.floor(block.time / 3_600) * 3_600 }
      const memory = recallAt(block.number)
      if (kind === 'token') {
        const loaded = await loadTokenFacts(client, ids, facts, memory)
        const scores = loaded.map(toTokenScore)
        await summarise?.(client, scores, loaded)
        const due = toDue(ids, loaded, nextTokenChange)
        await Promise.all([saveTokenScores(client, block, scores), saveDue(client, kind, due)])
        return null
      }
      const loaded = await loadWalletFacts(client, ids, facts, preset.sectors, memory)
      const scores = loaded.map(toWalletScore)
      const due = toDue(ids, loaded, nextWalletChange)
      await Promise.all([
        saveWalletScores(client, block, scores),
        saveOutcomes(client, block, loaded),
        saveDue(client, kind, due),
      ])
      return { memory, loaded, scores }
    })
    // Only what was committed is known.
    if (scored) rememberTraders(scored.memory, scored.loaded, scored.scores)
  }
  const scoreDue = async (kind: ScoreKind, budget: number, signal?: AbortSignal): Promise<number> => {
    let count = 0
    while (count < budget && !signal?.aborted) {
      const block = await readNewestBlock(database.pool)
      const due = block ? await readDue(database.pool, kind, block.time, Math.min(TAKE, budget - count)) : []
      if (due.length === 0) break
      await drain(split(due, CHUNK_ROWS[kind]), (ids) => (signal?.aborted ? Promise.resolve() : scoreChunk(kind, ids)))
      count += due.length
    }
    return count
  }
  return {
    run: async ({ budget = Number.MAX_SAFE_INTEGER, signal } = {}) => {
      const started = clock.monotonicMs()
      known = { block: -1, memory: createMemory() }
      const wallets = await scoreDue('wallet', budget, signal)
      const walletMs = Math.round(clock.monotonicMs() - started)
      const tokens = await scoreDue('token', budget - wallets, signal)
      known = { block: -1, memory: createMemory() }
      if (tokens + wallets > 0) {
        await notifyHead(database.pool)
        log?.debug({ tokens, wallets, walletMs, ms: Math.round(clock.monotonicMs() - started) }, 'rescored')
      }
      return { tokens, wallets }
    },
  }
}

/** What is no longer there, or never changes by time alone, is off the list. */
function toDue<Facts extends { id: number }>(
  ids: readonly number[],
  facts: readonly Facts[],
  next: (facts: Facts) => number | null,
): NextDue[] {
  const times = new Map(facts.map((it) => [it.id, next(it)]))
  return ids.map((id) => ({ id, dueAt: times.get(id) ?? null }))
}

/** Identifiers in lists of about so many rows each. */
function split(due: readonly Due[], most: number): number[][] {
  const chunks: number[][] = []
  let left = 0
  for (const { id, rows } of due) {
    if (left < rows) {
      chunks.push([])
      left = most
    }
    chunks.at(-1)?.push(id)
    left -= rows
  }
  return chunks
}

/** Works the chunks off in a few lanes; the first failure stops all. */
async function drain(chunks: number[][], work: (chunk: number[]) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: LANES }, async () => {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) await work(chunk)
  })
  try {
    await Promise.all(lanes)
  } finally {
    chunks.length = 0
  }
}
