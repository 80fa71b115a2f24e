// Lets a language model write summaries, behind everything else: scoring puts kept ones in and asks for others by leaving
// a note; one loop works the notes off, slowly. Whatever fails, the summary from facts stands.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import type { TokenScore } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { notifyHead } from '../ledger/head.ts'
import { readSummaries, saveSummary } from '../ledger/scores/summary.ts'
import { checkAnswer, stillHolds, toFingerprint, writeBrief } from '../scoring/summary-brief.ts'
import type { SummaryModel } from '../scoring/summary-model.ts'
import type { Log } from '../telemetry/log.ts'

/** Notes that wait at most; the oldest is dropped, since its token will leave another. */
const MAX_NOTES = 500
/** Between two questions, and after failures in a row: doubled each time, up to ten minutes. */
const PAUSE_MS = 2_000
const MAX_PAUSE_MS = 600_000
/** Liquidity in dollars below which the summary from facts is enough. */
const MIN_LIQUIDITY_USD = 1_000

interface Note {
  brief: string
  fingerprint: string
  block: number
}

/** Given a score and the facts that it was made of. */
type FillSummary = (score: TokenScore, facts: TokenFacts) => void

export interface Summaries {
  /** Reads what is kept of the tokens; what it gives puts it into a score that is about to be stored, or notes that one is wanted. */
  recall(client: Parameters<typeof readSummaries>[0], tokenIds: readonly number[]): Promise<FillSummary>
  /** Asks for the oldest wanted one; false when there was none. Never rejects. */
  writeNext(signal?: AbortSignal): Promise<boolean>
  /** Works notes off until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
}

/** The job around a model. */
export function createSummaries({
  database,
  model,
  clock,
  log,
}: {
  database: Database
  model: SummaryModel
  clock: Clock
  log?: Pick<Log, 'debug' | 'warn'>
}): Summaries {
  const notes = new Map<number, Note>()
  let failures = 0

  async function writeNext(signal?: AbortSignal): Promise<boolean> {
    const [next] = notes
    if (!next) return false
    const [tokenId, note] = next
    notes.delete(tokenId)
    try {
      const summary = checkAnswer(await model.ask(note.brief, signal), note.brief)
      if (summary === null) log?.debug({ tokenId }, 'a summary broke a rule; the one from facts stands')
      else {
        await saveSummary(database.pool, { tokenId, fingerprint: note.fingerprint, summary }, note.block)
        await notifyHead(database.pool)
      }
      failures = 0
    } catch (error) {
      failures += 1
      if (!signal?.aborted)
        log?.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'no summary was written')
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
