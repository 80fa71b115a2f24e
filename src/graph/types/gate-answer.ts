// The answer of the gate: reads the facts of one token at one block, decides, collects the calls, and signs.
import { type MatchFacts, readMatchFact } from '../../alerts/match.ts'
import type { Address } from '../../base/address.ts'
import { isBehind } from '../../base/max-lag.ts'
import { toFlagBits } from '../../base/vocabulary.ts'
import { alertNumbersOf } from '../../fields/token.ts'
import { createJudge } from '../../gate/conditions.ts'
import { decide, type GateAction, type GateFacts, type GateOrder, type GateReason } from '../../gate/decide.ts'
import type { GateDecision, GatePolicy } from '../../gate/policy.ts'
import type { Backlog } from '../../ledger/backlog.ts'
import { unpackPullChance } from '../../ledger/explanation-pack.ts'
import { toLag } from '../../ledger/lag.ts'
import type { TokenRow } from '../../ledger/read/token.ts'
import { readTrackRecord } from '../../ledger/read/track-record.ts'
import type { SafetyReport } from '../../safety/report.ts'
import type { Alike } from '../../verdict/alike.ts'
import type { Verdict } from '../../verdict/finding.ts'
import { findRecord, type LevelRecord, type RecordCell, toRecordCells } from '../../verdict/track-record.ts'
import type { GraphContext } from '../context.ts'

/** The most of each list. */
export const MOST_GATE_REASONS = 50
export const MOST_MISSING = 20
export const MOST_GATE_CALLS = 12

/** An index that has not heard from its source for this long is not at the head. */
const UNHEARD_MS = 120_000
/** How far it may be behind the head of its source. */
const MAX_LAG = { seconds: 60 }

export interface AskedGate {
  address: Address
  order: GateOrder
  /** Of the policy. */
  name: string
  policy: GatePolicy
}

export interface GateAnswer {
  decision: GateDecision
  token: Address
  action: GateAction
  amountUsd: number | null
  policy: string
  headline: string
  reasons: GateReason[]
  missing: string[]
  pullChance30dPct: number | null
  alike: Alike | null
  trackRecord: LevelRecord
  block: number
  time: Date
  ages: { fact: string; block: number | null; seconds: number | null }[]
  calls: GateCall[]
  signed: string
}

/** A call that shows a fact. */
export interface GateCall {
  /** `sale`, or the name of the finding. */
  of: string
  method: string
  /** As JSON. */
  params: string
  /** Whether the contract refused it; null: the answer tells more. */
  refused: boolean | null
}

/** Why the index is not at the head of its chain, in a sentence; null: it is. */
function tellBehind(backlog: Backlog | null, now: Date, blocks: number): string | null {
  if (!backlog) return 'The state of the index'
  if (backlog.waits) return 'The newest blocks: the index waits'
  const seenMs = backlog.sourceSeenAt?.getTime() ?? 0
  if (now.getTime() - seenMs > UNHEARD_MS) return 'The newest blocks: the index has not heard from its node'
  return isBehind(toLag(blocks, backlog.blockSeconds), MAX_LAG) ? `The newest ${blocks} blocks` : null
}

const toSeconds = (time: Date): number => time.getTime() / 1_000

async function readFacts({ address, policy }: AskedGate, context: GraphContext) {
  const { loaders, reading, backlog, clock } = context
  const token = await loaders.tokenByAddress.load(address)
  if (!token) return null
  const [{ verdict }, sale, safety, score, detail, chain, waiting, record] = await Promise.all([
    loaders.verdict.load(token.id),
    loaders.sellCheck.load(token.id),
    loaders.safety.load(token.id),
    loaders.tokenScore.load(token.id),
    loaders.tokenScoreDetail.load(token.id),
    loaders.chain.load(0),
    backlog(),
    readTrackRecord(reading),
  ])
  const { head } = reading
  const check = sale?.sellCheck ?? null
  const facts: GateFacts = {
    block: head.number,
    time: toSeconds(head.time),
    behind: tellBehind(waiting, clock.now(), chain ? chain.sourceHead - head.number : Number.POSITIVE_INFINITY),
    riskScore: token.riskScore,
    liquidityUsd: token.liquidityUsd,
    verdict: verdict && {
      findings: verdict.findings,
      unknown: verdict.unknown.map(({ text }) => text),
      checkedAt: verdict.checkedAt,
    },
    check: {
      isExempt: check === null && sale?.why === 'vouched_by_preset',
      sellable: check?.sellable ?? null,
      buyable: check?.buyable ?? null,
      sellTaxPct: most(check?.sellTaxPct ?? null, check?.measuredSellTaxPct ?? null),
      block: check && sale ? check.checkedBlock : null,
      time: check && sale ? sale.checkedAt : null,
    },
    unmet: createJudge(policy.conditions, readMatchFact)(toMatchFacts(token, sale?.contractMarks ?? 0)),
  }
  return {
    facts,
    headline: verdict?.headline ?? 'It was never scored.',
    alike: verdict?.alike ?? null,
    trackRecord: tellRecord(verdict, chain ? toRecordCells(chain.chainId, record.sums) : []),
    pullChance30dPct: detail.explanation ? unpackPullChance(detail.explanation) : null,
    scoredBlock: verdict ? score.blockNumber : null,
    scoredAt: verdict ? toSeconds(score.updatedAt) : null,
    report: safety?.report ?? null,
    chainId: chain?.chainId ?? null,
  }
}

function tellRecord(
  verdict: (Pick<Verdict, 'level'> & { alike: Alike | null }) | null,
  cells: RecordCell[],
): LevelRecord {
  if (!verdict) return { text: 'It was never scored', cell: null }
  return findRecord(cells, { level: verdict.level, ageHours: verdict.alike?.ageHours ?? null })
}

/** What conditions read. An unknown cap is 0 in lists; here it is unknown. */
const toMatchFacts = (token: TokenRow, contractMarks: number): MatchFacts => ({
  ...token,
  ...alertNumbersOf(token),
  contractMarks,
  flagBits: toFlagBits(token.riskFlags),
  marketCapUsd: token.marketCapUsd || Number.NaN,
})

const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

/** The calls of the sale and of the findings, each once. */
function listCalls(report: SafetyReport | null): GateCall[] {
  if (!report) return []
  const { sellCheck, findings } = report
  // Only a plain transfer is refused as a whole; the answer to a trial has the results of its steps.
  const refused = sellCheck.method === 'transfer' && sellCheck.sellable !== null ? !sellCheck.sellable : null
  const calls = [
    { of: 'sale', call: sellCheck.call, refused },
    ...findings.map(({ name, call }) => ({ of: name, call, refused: null })),
  ]
  const known = new Map<string, GateCall>()
  for (const { of, call, refused } of calls) {
    const params = call && JSON.stringify(call.params)
    if (call && params && !known.has(params)) known.set(params, { of, method: call.method, params, refused })
  }
  return [...known.values()].slice(0, MOST_GATE_CALLS)
}

/** Null: the token is not indexed. */
export async function answerGate(asked: AskedGate, context: GraphContext): Promise<GateAnswer | null> {
  const { address, order, name, policy } = asked
  const read = await readFacts(asked, context)
  if (!read) return null
  const { facts, headline, pullChance30dPct, alike, trackRecord, scoredBlock, scoredAt, report, chainId } = read
  const { decision, reasons, missing } = decide(facts, order, policy)
  const ageOf = (fact: string, block: number | null, time: number | null) => ({
    fact,
    block,
    seconds: time === null ? null : Math.max(0, Math.round(facts.time - time)),
  })
  const now = context.clock.now()
  const answer = {
    decision,
    token: address,
    action: order.action,
    amountUsd: order.amountUsd,
    policy: name,
    headline,
    reasons: reasons.slice(0, MOST_GATE_REASONS),
    missing: missing.slice(0, MOST_MISSING),
    pullChance30dPct,
    alike,
    trackRecord,
    block: facts.block,
    time: context.reading.head.time,
    ages: [
      { fact: 'index', block: facts.block, seconds: Math.max(0, Math.round(toSeconds(now) - facts.time)) },
      ageOf('score', scoredBlock, scoredAt),
      ageOf('check', facts.check.block, facts.check.time),
    ],
    calls: listCalls(report),
  }
  const claims = {
    iat: Math.floor(now.getTime() / 1_000),
    chainId,
    rules: policy,
    blockHash: context.reading.head.hash,
  }
  return { ...answer, signed: context.signer.sign({ ...claims, ...answer }) }
}
