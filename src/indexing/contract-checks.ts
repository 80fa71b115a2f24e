// Checks the contracts of due tokens in the background, with a bounded number of calls a minute. Reports wait until the
// indexer is between two batches, and are stored there, so that they never conflict with a write of the same rows.
import type { Address } from '../base/address.ts'
import type { Clock } from '../base/clock.ts'
import type { CalledContract, ChainBlock } from '../chain/event.ts'
import { isPassing, RpcError } from '../chain/rpc/error.ts'
import type { Database } from '../database/client.ts'
import { CHECKS_CHANNEL, listen } from '../database/listen.ts'
import { inSnapshot } from '../database/snapshot.ts'
import { inTransaction } from '../database/transaction.ts'
import { isAway, isBrokenOff } from '../database/transient-error.ts'
import { type DueCheck, markCalled, markChanged, putOff, readDueBacklog, readDueChecks } from '../ledger/safety/due.ts'
import { saveReport } from '../ledger/safety/save.ts'
import { readTarget, type SafetyRules } from '../ledger/safety/target.ts'
import { readNewestBlock } from '../ledger/scores/score-block.ts'
import type { SafetyReport } from '../safety/report.ts'
import type { SafetyTarget } from '../safety/target.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createOutage } from '../telemetry/outage.ts'
import { createCallBudget } from './call-budget.ts'

/** Checks one token, with at most this many calls; null if nothing could be learnt now. */
export type CheckContract = (
  target: SafetyTarget,
  signal: AbortSignal,
  maxCalls: number,
) => Promise<SafetyReport | null>

export interface ContractCheckOptions {
  database: Database
  check: CheckContract
  rules: SafetyRules
  /** Trusted addresses of the preset. */
  quotes: readonly string[]
  /** Between two checks of a traded token. */
  everySeconds: number
  /** Infinite for a node of one's own. */
  callsPerMinute: number
  /** A text from which a check draws its accounts and amounts. */
  seedOf: (token: Address, block: number) => string
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'debug'>
  metrics: Pick<Metrics, 'contractChecks' | 'contractCalls' | 'contractChecksDue' | 'contractCheckLag'>
}

export interface ContractChecks {
  /** Checks due tokens until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Checks the currently due tokens, and returns after `withinMs` at the latest. */
  drain(withinMs: number, signal: AbortSignal): Promise<void>
  /** Whether reports wait to be stored. */
  hasFound(): boolean
  /** Whether somebody waits for one of them. */
  hasAsked(): boolean
  /** A signal that aborts when a report comes for which somebody waits. One report aborts one signal. */
  wake(): AbortSignal
  /** Stores the reports. Call it between two batches of the writer. */
  store(): Promise<void>
  /** Takes the calls of new blocks: whoever has a say over a token makes its check due. */
  note(blocks: readonly Pick<ChainBlock, 'calls'>[]): void
  /** The provider limits calls: fewer are sent. */
  slow(): void
  /** Drops reports that were not stored: the chain was reorganised. */
  forget(): void
}

/** Tokens taken at once. */
const TAKE = 20
/** The interval of looking for work. */
const LOOK_MS = 1_000
/** After the first fault of the node the job waits twice this interval, then twice as long each time, up to `LONGEST_MS`. */
const LONGEST_MS = 60_000
/** The longest check of one contract. */
const CHECK_MS = 20_000
/** The pause of a token whose check failed, in seconds of the chain. */
const AGAIN_SECONDS = 300
/** The most reports that wait to be stored; beyond this the job waits. */
const MAX_WAITING = 500
/** Calls that wait to be looked at: those of some full blocks. */
const MOST_NOTED = 5_000
/** The most calls of one check. No check begins in a minute with fewer calls left. */
const MAX_CALLS = 200

/** The node lost the state of the index's block: checks wait until the index is nearer to the head. */
const isLost = (error: unknown): boolean => error instanceof RpcError && error.kind === 'pruned'

/** Creates the job; it works from `run` on. */
export function createContractChecks(options: ContractCheckOptions): ContractChecks {
  const { database, check, rules, clock, log, metrics, callsPerMinute } = options
  const maxCalls = Math.min(MAX_CALLS, callsPerMinute)
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'contracts could not be checked; trying again'),
    () => log.info('contracts are checked again'),
    isBrokenOff,
  )
  const found = new Map<number, SafetyReport>()
  const failed = new Set<number>()
  /** Tokens among them for which somebody asked. */
  const asked = new Set<number>()
  /** Aborts when somebody asks for a check. */
  let bell = new AbortController()
  /** Aborts when a report comes for which somebody waits. */
  let news = new AbortController()
  let called: CalledContract[] = []
  let seenBlock = 0
  /** Counts reorganisations: a check that began before one asked at a block that is gone. */
  let branch = 0
  /** Faults of the node in a row. */
  let faults = 0
  const budget = createCallBudget(clock, callsPerMinute, maxCalls)

  const spend = (calls: number): void => {
    budget.spend(calls)
    metrics.contractCalls.inc(calls)
  }

  const findDue = async (): Promise<DueCheck[]> => {
    const newest = await readNewestBlock(database.pool)
    if (!newest) return []
    if (newest.number !== seenBlock)
      await markChanged(database.writePool, seenBlock, newest.time, { ...options, history: database.history })
    seenBlock = newest.number
    const noted = called
    called = []
    await markCalled(database.writePool, newest.time, noted)
    const { tokens, lagSeconds } = await readDueBacklog(database.pool, newest.time)
    metrics.contractChecksDue.set(tokens)
    metrics.contractCheckLag.set(lagSeconds)
    const due = await readDueChecks(database.pool, newest.time, TAKE + found.size + failed.size)
    return due.filter(({ id }) => !found.has(id) && !failed.has(id)).slice(0, TAKE)
  }

  /** A fault of the node ends the round; a fault of one token only postpones that token. */
  const attemptCheck = async (target: SafetyTarget, signal: AbortSignal): Promise<SafetyReport | null> => {
    try {
      const report = await check(target, AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]), maxCalls)
      spend(report?.calls ?? 1)
      return report
    } catch (error) {
      spend(1)
      if (signal.aborted || isPassing(error) || isAway(error) || isLost(error)) throw error
      log.warn({ err: error, token: target.token }, 'the contract of a token could not be checked; it waits')
      return null
    }
  }

  const checkOne = async ({ id: tokenId, asked: isAsked }: DueCheck, signal: AbortSignal): Promise<void> => {
    const begun = branch
    const target = await inSnapshot(database.pool, (client) => readTarget(client, tokenId, rules, options.seedOf))
    const report = target && (await attemptCheck(target, signal))
    if (signal.aborted || begun !== branch) return
    metrics.contractChecks.inc({ result: report === null ? 'failed' : report.complete ? 'complete' : 'in_part' })
    if (report) found.set(tokenId, report)
    else failed.add(tokenId)
    if (!isAsked) return
    asked.add(tokenId)
    news.abort()
  }

  /** False when nothing is due, or the calls of the minute are used up. */
  const runRound = async (signal: AbortSignal): Promise<boolean> => {
    if (found.size >= MAX_WAITING) return false
    // Looked for although nothing may be asked now: the metrics tell how far the checks are behind.
    if (bell.signal.aborted) bell = new AbortController()
    const due = await findDue()
    for (const each of due) {
      if (signal.aborted || budget.isSpent(maxCalls)) return false
      // Somebody asked meanwhile: the next round begins with that token.
      if (bell.signal.aborted && !each.asked) return true
      await checkOne(each, signal)
    }
    return due.length > 0
  }

  const attempt = async (signal: AbortSignal): Promise<boolean> => {
    try {
      const hasMore = await runRound(signal)
      outage.pass()
      faults = 0
      return hasMore
    } catch (error) {
      if (!signal.aborted) outage.fail(error)
      faults += 1
      return false
    }
  }

  return {
    run: async (signal) => {
      const asking = listen(database, [CHECKS_CHANNEL], () => bell.abort(), clock)
      while (!signal.aborted) {
        if (await attempt(signal)) continue
        const waitMs = Math.min(LOOK_MS * 2 ** faults, LONGEST_MS)
        // After a fault of the node nobody's wish brings the next try forward.
        await clock.sleep(waitMs, faults > 0 ? signal : AbortSignal.any([signal, bell.signal]))
      }
      await asking.close()
    },
    drain: async (withinMs, signal) => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
      while (!within.aborted && (await attempt(within)));
    },
    hasFound: () => found.size + failed.size > 0,
    hasAsked: () => asked.size > 0,
    wake: () => {
      const { signal } = news
      if (signal.aborted) news = new AbortController()
      return signal
    },
    store: async () => {
      if (found.size + failed.size === 0) return
      const [reports, others] = [new Map(found), [...failed].filter((id) => !found.has(id))]
      await inTransaction(database.writePool, async (client) => {
        const newest = await readNewestBlock(client)
        if (!newest) return
        // In the order of ids, like `markChanged`: otherwise the two could deadlock.
        for (const id of [...reports.keys(), ...others].sort((a, b) => a - b)) {
          const report = reports.get(id)
          if (report) await saveReport(client, id, report, newest)
          else await putOff(client, id, newest.time + AGAIN_SECONDS)
        }
      })
      for (const [id, report] of reports) if (found.get(id) === report) found.delete(id)
      for (const id of others) failed.delete(id)
      for (const id of asked) if (!found.has(id) && !failed.has(id)) asked.delete(id)
    },
    note: (blocks) => {
      for (const { calls = [] } of blocks) called.push(...calls)
      called = called.slice(-MOST_NOTED)
    },
    slow: budget.refuse,
    forget: () => {
      found.clear()
      asked.clear()
      branch += 1
      seenBlock = 0
    },
  }
}
