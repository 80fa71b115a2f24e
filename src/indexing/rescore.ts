// The job that keeps scores up to date: reads, scores and stores due rows in chunks, one transaction each. Wallets go
// first, because a token's smart money depends on their reputations. It runs between two batches of the writer.

import type { Address } from '../base/address.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { int32At } from '../base/item-at.ts'
import type { Preset } from '../chain/presets/preset.ts'
import type { Database } from '../database/client.ts'
import { inSnapshot } from '../database/snapshot.ts'
import { type OutcomeRow, saveOutcomes } from '../ledger/facts/buy-outcomes.ts'
import { type FactsBlock, type TraderFacts, toFactsBlock } from '../ledger/facts/facts.ts'
import {
  type ChangedWallets,
  createKnownWallets,
  createLasting,
  createMemory,
  forgetChanged,
  type KnownWallets,
  type Lasting,
  type Memory,
} from '../ledger/facts/memory.ts'
import { createRecentSwaps, type RecentSwaps } from '../ledger/facts/recent-swaps.ts'
import { loadTokenFacts } from '../ledger/facts/token.ts'
import { rememberTraders, toTrader } from '../ledger/facts/traders.ts'
import { loadWalletFacts } from '../ledger/facts/wallet.ts'
import { notifyHead } from '../ledger/head.ts'
import type { ScoreKind } from '../ledger/score-kinds.ts'
import { type Due, type NextDue, readDue, saveDue } from '../ledger/scores/due.ts'
import { createTokenSheet, createWalletSheet } from '../ledger/scores/score.ts'
import { beginScores, readNewestBlock, type ScoreBlock, type Session } from '../ledger/scores/score-block.ts'
import { saveWashMarks, type WashMark } from '../ledger/scores/wash-marks.ts'
import { nextTokenChange, toTokenScore } from '../scoring/token-score.ts'
import { nextWalletChange, toWalletScore } from '../scoring/wallet-score.ts'
import { FACT_RULES } from '../scoring/weights.ts'
import type { Log } from '../telemetry/log.ts'
import type { Summaries } from './summaries.ts'

/** Rows loaded per chunk: enough to make a round trip cheap, few enough to bound memory. */
const CHUNK_ROWS = { token: 16_000, wallet: 20_000 } as const
/**
 * Chunks in progress: while one is computed, the database works on the others. Two lanes used only 1.6 of 2 processors.
 */
const LANES = 3
/** Ids read from the list of due work at once. Between two reads the lanes are idle. */
const TAKE = 400_000

/** Ids read at once where a run has to end in time: the longest due go first. */
const TAKE_IN_TIME = { token: 32, wallet: 128 } as const
/** The part of a bounded run's time after which no chunk of wallets begins: tokens follow. */
const WALLETS_PART = 0.4

/** Looks up stored summaries of a model; never waits for the model. */
type RecallSummaries = Summaries['recall']

/** The block that all scores of a chunk refer to. */
interface Moment {
  block: ScoreBlock
  facts: FactsBlock
  memory: Memory
}

interface Rescored {
  tokens: number
  wallets: number
  /** Whether the time was over before everything due was scored. */
  isLeft: boolean
}

interface RunOptions {
  budget?: number
  /** The time after which no chunk begins, in milliseconds. The rest stays due. */
  mostMs?: number
  signal?: AbortSignal
}

export interface Rescore {
  /** Scores the due rows at the newest block: at most `budget` tokens and wallets, and for about `mostMs`. */
  run(options?: RunOptions): Promise<Rescored>
  /** Call it after a rollback, and before the first run under a new lock: the memory may be wrong. */
  forget(): void
  /** The caller gives all changed rows to the result. Wallets are then remembered from one block to the next. */
  follow(): (changed: ChangedWallets) => void
}

interface RescoreOptions {
  database: Database
  preset: Pick<Preset, 'sectors'> & Partial<Pick<Preset, 'chainId' | 'stablecoins' | 'wrappedNative'>>
  clock?: Clock
  log?: Pick<Log, 'debug'>
  recallSummaries?: RecallSummaries
}

type Rules = typeof FACT_RULES & { chainId: number; quotes: Address[] }

interface RescoreState extends RescoreOptions {
  clock: Clock
  lasting: Lasting
  rules: Rules
  /** Facts and scores of wallets and tokens, reused within one run at the same block. */
  known: { block: number; labelEdition: number; memory: Memory } | null
  recentSwaps: RecentSwaps
  /** Wallets as of the last change that was told, and the labels; null: changes are not told. */
  wallets: { labelEdition: number; known: KnownWallets } | null
  /** Whether the run uses both: at the head, where the same tokens come again. */
  isAtHead: boolean
  /** Wallets found to wash a token since the run began. */
  marked: number
}

/** Wallets remembered at the head, some hundred bytes each. */
const MOST_WALLETS = 100_000

/** The memory of a block; at the head, it has wallets and swaps of earlier blocks too. */
function recallAt(rescore: RescoreState, { number, labelEdition }: ScoreBlock): Memory {
  const { rules, lasting, recentSwaps, isAtHead, known, wallets } = rescore
  if (known?.block === number && known.labelEdition === labelEdition) return known.memory
  if (wallets && wallets.labelEdition !== labelEdition) rescore.wallets = rememberWallets(rules, labelEdition)
  const kept = isAtHead ? { ...lasting, recentSwaps, ...rescore.wallets?.known } : lasting
  const memory = createMemory(rules, kept)
  rescore.known = { block: number, labelEdition, memory }
  return memory
}

const rememberWallets = (rules: Rules, labelEdition = -1) => ({
  labelEdition,
  known: createKnownWallets(rules, MOST_WALLETS),
})

async function scoreTokens(
  rescore: RescoreState,
  client: Session,
  ids: readonly number[],
  at: Moment,
): Promise<number> {
  const loaded = await loadTokenFacts(client, ids, at.facts, at.memory)
  const fillSummary = await rescore.recallSummaries?.(client, ids)
  const [sheet, times] = [createTokenSheet(), new Map<number, number | null>()]
  const washed: WashMark[] = []
  for (const facts of loaded) {
    const score = toTokenScore(facts)
    fillSummary?.(score, facts)
    sheet.add(score)
    times.set(facts.id, nextTokenChange(facts, score))
    for (const walletId of score.washerIds) washed.push({ walletId, tokenId: facts.id })
  }
  const saved = [sheet.save(client, at.block), saveDue(client, 'token', toDue(ids, times))]
  const [marked] = await Promise.all([saveWashMarks(client, at.block, washed), ...saved])
  return marked
}

async function scoreWallets(
  rescore: RescoreState,
  client: Session,
  ids: readonly number[],
  at: Moment,
): Promise<TraderFacts[]> {
  const loaded = await loadWalletFacts(
    client,
    ids,
    { block: at.facts, sectors: rescore.preset.sectors ?? {}, history: rescore.database.history },
    at.memory,
  )
  const [sheet, times] = [createWalletSheet(), new Map<number, number | null>()]
  const outcomes: OutcomeRow[] = []
  const traders: TraderFacts[] = []
  for (const facts of loaded) {
    const score = toWalletScore(facts)
    sheet.add(score)
    times.set(facts.id, nextWalletChange(facts))
    if (facts.ripe) outcomes.push({ walletId: facts.id, ...facts.ripe })
    traders.push(toTrader(facts, score))
  }
  await Promise.all([
    sheet.save(client, at.block),
    saveOutcomes(client, at.block, outcomes),
    saveDue(client, 'wallet', toDue(ids, times)),
  ])
  return traders
}

async function scoreChunk(rescore: RescoreState, kind: ScoreKind, ids: readonly number[]): Promise<void> {
  const scored = await inSnapshot(rescore.database.writePool, async (client) => {
    const block = await beginScores(client)
    if (!block) return null
    const facts = toFactsBlock(block.number, block.time)
    const at: Moment = { block, facts, memory: recallAt(rescore, block) }
    if (kind === 'wallet') return { memory: at.memory, traders: await scoreWallets(rescore, client, ids, at) }
    // Chunks run side by side, so the sum is read after the wait.
    const fresh = await scoreTokens(rescore, client, ids, at)
    rescore.marked += fresh
    return null
  })
  if (!scored) return
  // Remember only committed results. A run that is not at the head has a memory of its own.
  for (const { id } of scored.traders) rescore.wallets?.known.wallets.store.delete(id)
  rememberTraders(scored.memory, scored.traders)
}

/** What bounds the work on one kind of score. `until`: a reading of the monotonic clock. */
interface Bounds {
  budget: number
  until?: number | undefined
  signal?: AbortSignal | undefined
}

/** Scores due rows, at least a first chunk of each lane. Adds what it scored to `sum`. */
async function scoreDue(rescore: RescoreState, kind: ScoreKind, bounds: Bounds, sum: Rescored): Promise<void> {
  const { budget, until, signal } = bounds
  const part = kind === 'wallet' ? 'wallets' : 'tokens'
  const take = until === undefined ? TAKE : TAKE_IN_TIME[kind]
  for (let count = 0; count < budget && !signal?.aborted; ) {
    const block = await readNewestBlock(rescore.database.pool)
    const due = block && (await readDue(rescore.database.pool, kind, block.time, Math.min(take, budget - count)))
    if (!due || due.ids.length === 0) return
    if (count > 0 && until !== undefined && rescore.clock.monotonicMs() >= until) {
      sum.isLeft = true
      return
    }
    await drain(split(due, CHUNK_ROWS[kind]), (ids) =>
      signal?.aborted ? Promise.resolve() : scoreChunk(rescore, kind, ids),
    )
    count += due.ids.length
    sum[part] += due.ids.length
  }
}

async function run(
  rescore: RescoreState,
  { budget = Number.MAX_SAFE_INTEGER, mostMs, signal }: RunOptions = {},
): Promise<Rescored> {
  const started = rescore.clock.monotonicMs()
  const sum: Rescored = { tokens: 0, wallets: 0, isLeft: false }
  const bounds = (part: number): Bounds => ({
    budget: budget - sum.tokens - sum.wallets,
    until: mostMs && started + mostMs * part,
    signal,
  })
  rescore.isAtHead = mostMs !== undefined
  rescore.known = null
  rescore.marked = 0
  await scoreDue(rescore, 'wallet', bounds(WALLETS_PART), sum)
  const walletMs = Math.round(rescore.clock.monotonicMs() - started)
  await scoreDue(rescore, 'token', bounds(1), sum)
  // Wallets found to wash a token must not keep their reputation until they trade again.
  if (rescore.marked > 0 && !sum.isLeft) await scoreDue(rescore, 'wallet', bounds(1), sum)
  rescore.known = null
  const { tokens, wallets, isLeft } = sum
  if (tokens + wallets > 0) {
    await notifyHead(rescore.database.pool)
    const ms = Math.round(rescore.clock.monotonicMs() - started)
    rescore.log?.debug({ tokens, wallets, isLeft, walletMs, ms }, 'rescored')
  }
  return sum
}

/**
 * `sectors` of the preset outrank launch venues as a wallet's sector. Its quotes are not judged as launches. Its chain
 * selects the model.
 */
export function createRescore(options: RescoreOptions): Rescore {
  const { preset, clock = systemClock } = options
  const lasting = createLasting()
  const { chainId = FACT_RULES.chainId, stablecoins = [], wrappedNative } = preset
  const rules = { ...FACT_RULES, chainId, quotes: wrappedNative ? [...stablecoins, wrappedNative] : stablecoins }
  const recentSwaps = createRecentSwaps()
  const begun = { known: null, wallets: null, isAtHead: false, marked: 0 }
  const rescore: RescoreState = { ...options, ...begun, clock, lasting, rules, recentSwaps }
  return {
    run: (asked) => run(rescore, asked),
    forget: () => {
      recentSwaps.forget()
      if (rescore.wallets) rescore.wallets = rememberWallets(rules)
    },
    follow: () => {
      rescore.wallets = rememberWallets(rules)
      return (changed) => {
        if (rescore.wallets) forgetChanged(rescore.wallets.known, changed)
      }
    },
  }
}

/** The time of each score's next change; null for an id that no longer exists or that never changes by time alone. */
const toDue = (ids: readonly number[], times: ReadonlyMap<number, number | null>): NextDue[] =>
  ids.map((id) => ({ id, dueAt: times.get(id) ?? null }))

/**
 * Splits ids into chunks of about `most` rows. The first chunk of each lane is smaller, so that computing starts soon.
 */
function split({ ids, rows }: Due, most: number): number[][] {
  const chunks: number[][] = []
  let left = 0
  for (const [at, id] of ids.entries()) {
    const needed = int32At(rows, at)
    if (left < needed) {
      chunks.push([])
      left = most * Math.min(1, chunks.length / (LANES + 1))
    }
    chunks.at(-1)?.push(id)
    left -= needed
  }
  return chunks
}

/** Processes the chunks in several lanes; the first failure stops all lanes. */
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
