// Checks the contracts of due tokens in the background, with a bounded number of calls a minute. Reports wait until the
// indexer is between two batches, and are stored there, so that they never conflict with a write of the same rows.
import type { Address } from '../base/address.ts'
import type { Clock } from '../base/clock.ts'
import type { CalledContract, ChainBlock } from '../chain/event.ts'
import { isPassing, RpcError } from '../chain/rpc/error.ts'
import type { Database } from '../database/client.ts'
import { inSnapshot } from '../database/snapshot.ts'
import { inTransaction } from '../database/transaction.ts'
import { isAway, isBrokenOff } from '../database/transient-error.ts'
import { markCalled, markChanged, putOff, readDueBacklog, readDueChecks } from '../ledger/safety/due.ts'
import { saveReport } from '../ledger/safety/save.ts'
import { readTarget, type SafetyRules } from '../ledger/safety/target.ts'
import { readNewestBlock } from '../ledger/scores/score-block.ts'
import type { SafetyReport } from '../safety/report.ts'
import type { SafetyTarget } from '../safety/target.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createOutage } from '../telemetry/outage.ts'

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
  /** Stores the reports. Call it between two batches of the writer. */
  store(): Promise<void>
  /** Takes the calls of new blocks: whoever has a say over a token makes its check due. */
  note(blocks: readonly Pick<ChainBlock, 'calls'>[]): void
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
const MINUTE_MS = 60_000
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
  let called: CalledContract[] = []
  let seenBlock = 0
  /** Counts reorganisations: a check that began before one asked at a block that is gone. */
  let branch = 0
  /** Faults of the node in a row. */
  let faults = 0
  let spent = { sinceMs: clock.monotonicMs(), calls: 0 }

  const isSpent = (): boolean => {
    const nowMs = clock.monotonicMs()
    if (nowMs - spent.sinceMs >= MINUTE_MS) spent = { sinceMs: nowMs, calls: 0 }
    return spent.calls + maxCalls > callsPerMinute
  }

  const spend = (calls: number): void => {
    spent.calls += calls
    metrics.contractCalls.inc(calls)
  }

  const findDue = async (): Promise<number[]> => {
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
    return due.filter((id) => !found.has(id) && !failed.has(id)).slice(0, TAKE)
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

  const checkOne = async (tokenId: number, signal: AbortSignal): Promise<void> => {
    const begun = branch
    const target = await inSnapshot(database.pool, (client) => readTarget(client, tokenId, rules, options.seedOf))
    const report = target && (await attemptCheck(target, signal))
    if (signal.aborted || begun !== branch) return
    metrics.contractChecks.inc({ result: report === null ? 'failed' : report.complete ? 'complete' : 'in_part' })
    if (report) found.set(tokenId, report)
    else failed.add(tokenId)
  }

  /** False when nothing is due, or the calls of the minute are used up. */
  const runRound = async (signal: AbortSignal): Promise<boolean> => {
    if (found.size >= MAX_WAITING) return false
    // Looked for although nothing may be asked now: the metrics tell how far the checks are behind.
    const due = await findDue()
    for (const id of due) {
      if (signal.aborted || isSpent()) return false
      await checkOne(id, signal)
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
      while (!signal.aborted)
        if (!(await attempt(signal))) await clock.sleep(Math.min(LOOK_MS * 2 ** faults, LONGEST_MS), signal)
    },
    drain: async (withinMs, signal) => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
      while (!within.aborted && (await attempt(within)));
    },
    hasFound: () => found.size + failed.size > 0,
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
    },
    note: (blocks) => {
      for (const { calls = [] } of blocks) called.push(...calls)
      called = called.slice(-MOST_NOTED)
    },
    forget: () => {
      found.clear()
      branch += 1
      seenBlock = 0
    },
  }
}
