// Pure. What the gate would have said of the past month's new tokens, by the facts that are kept: risk, flags, liquidity,
// contract check. Each token is asked about once, at an age. Where no kept fact speaks against it, nothing is decided.
import { float64At, numberAt } from '../base/item-at.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import { unpackMarks } from '../fields/contract-marks.ts'
import { createJudge, type Unmet } from '../gate/conditions.ts'
import { decide, type GateFacts } from '../gate/decide.ts'
import type { GateDecision, GatePolicy } from '../gate/policy.ts'
import { createTokenStates } from '../ledger/alerts/changes.ts'
import type { HistoryRow } from '../ledger/alerts/history.ts'
import { createSlotFacts, type NamedPast, UNTRADED } from './backtest.ts'
import { readMatchFact } from './match.ts'

/** Null: no kept fact speaks against it, and others are not kept. It is not allowed. */
export type PastDecision = Exclude<GateDecision, 'allow'> | null

interface PastAnswer {
  tokenId: number
  decision: PastDecision
}

interface Question {
  policy: GatePolicy
  /** Null: an order of any size. */
  amountUsd: number | null
  /** Tokens that were made in this time. */
  fromMs: number
  toMs: number
  /** The age at which each is asked about. */
  ageMs: number
  /** The tokens that the policy's conditions name. */
  addresses: NamedPast['addresses']
}

const PULLED = 1 << RISK_FLAGS.indexOf('liquidity_pulled')

/** The kept facts of a token, as the gate takes them. `time`: in seconds since 1970. */
function toFacts(
  kept: (fact: 'contractMarks' | 'flagBits' | 'riskScore' | 'liquidityUsd') => number,
  time: number,
  unmet: readonly Unmet[],
): GateFacts {
  const { isChecked, sellable, sellTaxPct } = unpackMarks(kept('contractMarks'))
  const flagBits = kept('flagBits')
  const checkedAt = isChecked ? time : null
  const flags = RISK_FLAGS.filter((_, bit) => (flagBits & (1 << bit)) !== 0)
  return {
    block: 0,
    time,
    behind: null,
    riskScore: kept('riskScore'),
    liquidityUsd: kept('liquidityUsd'),
    verdict: {
      // How grave a finding was is not kept: only rules by its name hold.
      findings: flags.map((name) => ({ name, kind: null, topic: null, severity: null, text: name })),
      unknown: [],
      checkedAt,
    },
    check: { isExempt: false, sellable, buyable: null, sellTaxPct, block: 0, time: checkedAt },
    unmet,
  }
}

/** Slots that wait for their age. */
function createWaiting(dueMs: (slot: number) => number, ask: (slot: number, timeMs: number) => void) {
  const slots = new Set<number>()
  let nextMs = Number.POSITIVE_INFINITY
  return {
    size: () => slots.size,
    add(slot: number): void {
      slots.add(slot)
      nextMs = Math.min(nextMs, dueMs(slot))
    },
    /** Asks about the tokens that reach their age by then, with the facts of a time. */
    askDue(untilMs: number, timeMs: number): void {
      if (nextMs > untilMs) return
      nextMs = Number.POSITIVE_INFINITY
      for (const slot of slots) {
        if (dueMs(slot) > untilMs) nextMs = Math.min(nextMs, dueMs(slot))
        else {
          slots.delete(slot)
          ask(slot, timeMs)
        }
      }
    },
  }
}

/** The conditions of the policy that the token of a slot does not meet at a time. */
function createUnmet({ conditions }: GatePolicy, factsOf: ReturnType<typeof createSlotFacts>) {
  const judge = createJudge(conditions, readMatchFact)
  return (slot: number, timeMs: number): Unmet[] => {
    const facts = factsOf(slot, timeMs, UNTRADED)
    // A cap that lists take for 0 is not known.
    return judge({ ...facts, marketCapUsd: facts.marketCapUsd || Number.NaN })
  }
}

export function createGateBacktest({ policy, amountUsd, fromMs, toMs, ageMs, addresses }: Question) {
  const states = createTokenStates()
  const order = { action: 'buy', amountUsd } as const
  const answers: PastAnswer[] = []
  const known = new Set<number>()
  /** Dollars by unit. */
  const units = new Map<number, number>()
  let sinceMs: number | null = null
  let exactSinceMs: number | null = null
  let [pulledBefore, last] = [0, 0]
  const at = (fact: keyof typeof states.columns, slot: number) => float64At(states.columns[fact], slot)
  const usdOf = (slot: number) => (at('unit', slot) === 0 ? null : (units.get(at('unit', slot)) ?? 0))
  const unmetAt = createUnmet(policy, createSlotFacts(states, addresses, usdOf))

  const ask = (slot: number, timeMs: number): void => {
    if ((at('flagBits', slot) & PULLED) !== 0) {
      pulledBefore += 1
      return
    }
    const { decision } = decide(
      toFacts((fact) => at(fact, slot), timeMs / 1_000, unmetAt(slot, timeMs)),
      order,
      policy,
    )
    answers.push({ tokenId: numberAt(states.ids, slot), decision: decision === 'allow' ? null : decision })
  }
  const dueMs = (slot: number) => at('createdAtMs', slot) + ageMs
  const waiting = createWaiting(dueMs, ask)
  return {
    /** Takes the next row; rows come in order, from the oldest one kept. */
    add({ kind, timeMs, changes, unitIds, unitUsd }: HistoryRow): void {
      // Before the row: the facts at the age of these are those of the row before.
      waiting.askDue(timeMs - 1, last)
      const isFirst = sinceMs === null
      sinceMs ??= timeMs
      if (kind === 'sweep') exactSinceMs ??= timeMs
      for (const [place, id] of unitIds.entries()) units.set(id, unitUsd[place] ?? 0)
      const fresh = new Set<number>()
      states.apply(changes, (slot) => {
        if (!known.has(slot)) fresh.add(slot)
        known.add(slot)
      })
      for (const slot of fresh) {
        const madeMs = at('createdAtMs', slot)
        // A token that is past its age when its first facts are kept has changed since.
        if (kind === 'base' || madeMs < fromMs || madeMs > toMs || (isFirst && dueMs(slot) < timeMs)) continue
        waiting.add(slot)
      }
      last = timeMs
      waiting.askDue(timeMs, timeMs)
    },
    /** `nowMs`: the time of the newest block. */
    result(nowMs: number) {
      waiting.askDue(nowMs, last)
      return { answers, pulledBefore, tooYoung: waiting.size(), sinceMs, exactSinceMs }
    },
  }
}
