// Lets a language model write summaries in the background. Scoring uses stored summaries and leaves a note for a
// missing one; a loop works through the notes slowly. If anything fails, the summary composed from facts stays.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import type { TokenScore } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { notifyHead } from '../ledger/head.ts'
import { readSummaries, saveSummary } from '../ledger/scores/summary.ts'
import { checkAnswer, stillHolds, toFingerprint, writeBrief } from '../scoring/summary-brief.ts'
import type { SummaryModel } from '../scoring/summary-model.ts'
import type { Log } from '../telemetry/log.ts'

/** Maximum number of waiting notes. The oldest is dropped; its token leaves another note when it is scored again. */
const MAX_NOTES = 500
/** Pause between two requests, doubled with each consecutive failure, up to ten minutes. */
const PAUSE_MS = 2_000
const MAX_PAUSE_MS = 600_000
/** Liquidity in USD below which a token keeps the summary composed from facts. */
const MIN_LIQUIDITY_USD = 1_000

interface Note {
  brief: string
  fingerprint: string
  block: number
}

/** Gets a score and the facts that it was computed from. */
type FillSummary = (score: TokenScore, facts: TokenFacts) => void

export interface Summaries {
  /** Reads stored summaries. The result puts one into a score before it is stored, or notes that one is missing. */
  recall(client: Parameters<typeof readSummaries>[0], tokenIds: readonly number[]): Promise<FillSummary>
  /** Asks for the summary of the oldest note; false when there was no note. Never rejects. */
  writeNext(signal?: AbortSignal): Promise<boolean>
  /** Works through the notes until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

interface SummariesDeps {
  database: Database
  model: SummaryModel
  clock: Clock
  log?: Pick<Log, 'debug' | 'warn'>
}

/** Creates the job for a model. */
export function createSummaries({ database, model, clock, log }: SummariesDeps): Summaries {
  const notes = new Map<number, Note>()
  let failures = 0

  async function writeNext(signal?: AbortSignal): Promise<boolean> {
    const [next] = notes
    if (!next) return false
    const [tokenId, note] = next
    notes.delete(tokenId)
    try {
      const summary = checkAnswer(await model.ask(note.brief, signal), note.brief)
      if (summary === null) log?.debug({ tokenId }, 'a summary broke a rule; the one from facts stays')
      else {
        await saveSummary(database.pool, { tokenId, fingerprint: note.fingerprint, summary }, note.block)
        await notifyHead(database.pool)
      }
      failures = 0
    } catch (error) {
      failures += 1
      if (!signal?.aborted)
        log?.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the model wrote no summary')
    }
    return true
  }

  return {
    recall: async (client, tokenIds) => {
      const kept = await readSummaries(client, tokenIds)
      return (score, token) => {
        const fingerprint = toFingerprint(token, score)
        const found = kept.get(score.tokenId)
        if (found && stillHolds(found.fingerprint, fingerprint)) {
          score.summary = found.summary
          score.summarySource = 'model'
          notes.delete(score.tokenId)
        } else if (token.liquidityUsd >= MIN_LIQUIDITY_USD) {
          notes.delete(score.tokenId)
          notes.set(score.tokenId, { brief: writeBrief(token, score), fingerprint, block: score.block })
          const [oldest] = notes.keys()
          if (notes.size > MAX_NOTES && oldest !== undefined) notes.delete(oldest)
        }
      }
    },
    writeNext,
    run: async (signal) => {
      while (!signal.aborted) {
        await writeNext(signal)
        await clock.sleep(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** failures), signal)
      }
    },
  }
}
