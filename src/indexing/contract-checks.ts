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
import { saveStep } from '../ledger/safety/steps.ts'
import { readTarget, type SafetyRules } from '../ledger/safety/target.ts'
import { readNewestBlock } from '../ledger/scores/score-block.ts'
import type { SafetyReport } from '../safety/report.ts'
import type { TellStep } from '../safety/step.ts'
import type { SafetyTarget } from '../safety/target.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createOutage, type Outage } from '../telemetry/outage.ts'
import { type CallBudget, createCallBudget } from './call-budget.ts'

/** Checks one token, with at most this many calls; null if nothing could be learnt now. */
export type CheckContract = (
  target: SafetyTarget,
  signal: AbortSignal,
  maxCalls: number,
  tell?: TellStep,
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

interface CheckState extends ContractCheckOptions {
  /** The most calls of one check here. */
  maxCalls: number
  outage: Outage
  /** Reports that wait to be stored, by token. */
  found: Map<number, SafetyReport>
  /** Tokens whose check failed, until they are put off. */
  failed: Set<number>
  /** Tokens among them for which somebody asked. */
  asked: Set<number>
  /** Aborts when somebody asks for a check. */
  bell: AbortController
  /** Aborts when a report comes for which somebody waits. */
  news: AbortController
  /** Calls of new blocks that were not looked at yet. */
  called: CalledContract[]
  /** The block up to which changed tokens are marked. */
  seenBlock: number
  /** Counts reorganisations: a check that began before one asked at a block that is gone. */
  branch: number
  /** Faults of the node in a row. */
  faults: number
  budget: CallBudget
}

function spend(checks: CheckState, calls: number): void {
  checks.budget.spend(calls)
  checks.metrics.contractCalls.inc(calls)
}

async function findDue(checks: CheckState): Promise<DueCheck[]> {
  const newest = await readNewestBlock(checks.database.pool)
  if (!newest) return []
  if (newest.number !== checks.seenBlock)
    await markChanged(checks.database.writePool, checks.seenBlock, newest.time, {
      everySeconds: checks.everySeconds,
      quotes: checks.quotes,
      history: checks.database.history,
    })
  checks.seenBlock = newest.number
  const noted = checks.called
  checks.called = []
  await markCalled(checks.database.writePool, newest.time, noted)
  const { tokens, lagSeconds } = await readDueBacklog(checks.database.pool, newest.time)
  checks.metrics.contractChecksDue.set(tokens)
  checks.metrics.contractCheckLag.set(lagSeconds)
  const due = await readDueChecks(checks.database.pool, newest.time, TAKE + checks.found.size + checks.failed.size)
  return due.filter(({ id }) => !checks.found.has(id) && !checks.failed.has(id)).slice(0, TAKE)
}

/** A fault of the node ends the round; a fault of one token only postpones that token. */
async function attemptCheck(
  checks: CheckState,
  target: SafetyTarget,
  signal: AbortSignal,
  tell: TellStep,
): Promise<SafetyReport | null> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)])
    const report = await checks.check(target, within, checks.maxCalls, tell)
    spend(checks, report?.calls ?? 1)
    return report
  } catch (error) {
    spend(checks, 1)
    if (signal.aborted || isPassing(error) || isAway(error) || isLost(error)) throw error
    checks.log.warn({ err: error, token: target.token }, 'the contract of a token could not be checked; it waits')
    return null
  }
}

/** Writes the steps of a check one after another. A step that cannot be written costs only the news of it. */
function createTeller({ database: { writePool } }: CheckState, { id, asked }: DueCheck) {
  let told = Promise.resolve()
  const tell: TellStep = (step, holders) => {
    const write = () => saveStep(writePool, id, { step, holders: holders ?? null })
    if (asked) told = told.then(write).catch(() => {})
  }
  return { tell, told: () => told }
}

async function checkOne(checks: CheckState, due: DueCheck, signal: AbortSignal): Promise<void> {
  const { id: tokenId, asked: isAsked } = due
  const { tell, told } = createTeller(checks, due)
  const begun = checks.branch
  tell('reading')
  const target = await inSnapshot(checks.database.pool, (client) =>
    readTarget(client, tokenId, checks.rules, checks.seedOf),
  )
  const report = target && (await attemptCheck(checks, target, signal, tell))
  if (signal.aborted || begun !== checks.branch) return
  checks.metrics.contractChecks.inc({ result: report === null ? 'failed' : report.complete ? 'complete' : 'in_part' })
  tell('storing')
  // The report is stored after its last step is: that order leaves no step behind.
  await told()
  if (report) checks.found.set(tokenId, report)
  else checks.failed.add(tokenId)
  if (!isAsked) return
  checks.asked.add(tokenId)
  checks.news.abort()
}

/** False when nothing is due, or the calls of the minute are used up. */
async function runRound(checks: CheckState, signal: AbortSignal): Promise<boolean> {
  if (checks.found.size >= MAX_WAITING) return false
  // Looked for although nothing may be asked now: the metrics tell how far the checks are behind.
  if (checks.bell.signal.aborted) checks.bell = new AbortController()
  const due = await findDue(checks)
  for (const each of due) {
    if (signal.aborted || checks.budget.isSpent(checks.maxCalls)) return false
    // Somebody asked meanwhile: the next round begins with that token.
    if (checks.bell.signal.aborted && !each.asked) return true
    await checkOne(checks, each, signal)
  }
  return due.length > 0
}

async function attempt(checks: CheckState, signal: AbortSignal): Promise<boolean> {
  try {
    const hasMore = await runRound(checks, signal)
    checks.outage.pass()
    checks.faults = 0
    return hasMore
  } catch (error) {
    if (!signal.aborted) checks.outage.fail(error)
    checks.faults += 1
    return false
  }
}

async function runChecks(checks: CheckState, signal: AbortSignal): Promise<void> {
  const asking = listen(checks.database, [CHECKS_CHANNEL], () => checks.bell.abort(), checks.clock)
  while (!signal.aborted) {
    if (await attempt(checks, signal)) continue
    const waitMs = Math.min(LOOK_MS * 2 ** checks.faults, LONGEST_MS)
    // After a fault of the node nobody's wish brings the next try forward.
    await checks.clock.sleep(waitMs, checks.faults > 0 ? signal : AbortSignal.any([signal, checks.bell.signal]))
  }
  await asking.close()
}

async function storeReports(checks: CheckState): Promise<void> {
  if (checks.found.size + checks.failed.size === 0) return
  const [reports, others] = [new Map(checks.found), [...checks.failed].filter((id) => !checks.found.has(id))]
  await inTransaction(checks.database.writePool, async (client) => {
    const newest = await readNewestBlock(client)
    if (!newest) return
    // In the order of ids, like `markChanged`: otherwise the two could deadlock.
    for (const id of [...reports.keys(), ...others].sort((a, b) => a - b)) {
      const report = reports.get(id)
      if (report) await saveReport(client, id, report, newest)
      else await putOff(client, id, newest.time + AGAIN_SECONDS)
    }
  })
  for (const [id, report] of reports) if (checks.found.get(id) === report) checks.found.delete(id)
  for (const id of others) checks.failed.delete(id)
  for (const id of checks.asked) if (!checks.found.has(id) && !checks.failed.has(id)) checks.asked.delete(id)
}

function forgetReports(checks: CheckState): void {
  checks.found.clear()
  checks.asked.clear()
  checks.branch += 1
  checks.seenBlock = 0
}

/** Creates the job; it works from `run` on. */
export function createContractChecks(options: ContractCheckOptions): ContractChecks {
  const { clock, log, callsPerMinute } = options
  const maxCalls = Math.min(MAX_CALLS, callsPerMinute)
  const checks: CheckState = {
    ...options,
    maxCalls,
    outage: createOutage(
      (error) => log.warn({ err: error }, 'contracts could not be checked; trying again'),
      () => log.info('contracts are checked again'),
      isBrokenOff,
    ),
    found: new Map<number, SafetyReport>(),
    failed: new Set<number>(),
    asked: new Set<number>(),
    bell: new AbortController(),
    news: new AbortController(),
    called: [],
    seenBlock: 0,
    branch: 0,
    faults: 0,
    budget: createCallBudget(clock, callsPerMinute, maxCalls),
  }
  return {
    run: (signal) => runChecks(checks, signal),
    drain: async (withinMs, signal) => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
      while (!within.aborted && (await attempt(checks, within)));
    },
    hasFound: () => checks.found.size + checks.failed.size > 0,
    hasAsked: () => checks.asked.size > 0,
    wake: () => {
      const { signal } = checks.news
      if (signal.aborted) checks.news = new AbortController()
      return signal
    },
    store: () => storeReports(checks),
    note: (blocks) => {
      for (const { calls = [] } of blocks) checks.called.push(...calls)
      checks.called = checks.called.slice(-MOST_NOTED)
    },
    slow: checks.budget.refuse,
    forget: () => forgetReports(checks),
  }
}
