// The check of a token's contract. Input: the ledger's facts about a token. Output: whether it can be sold, the powers
// over its holders, and the calls that prove both. It asks only the node.
import type { Rpc } from '../../chain/rpc/rpc.ts'
import { examineCode } from '../code/code.ts'
import { followCode } from '../code/proxy.ts'
import { createAsker } from '../node/asker.ts'
import { type Capabilities, type ProbedCapabilities, readCapabilities, shareWayOf } from '../node/capabilities.ts'
import { createLastingAnswers } from '../node/lasting.ts'
import type { SafetyReport } from '../report.ts'
import { askSale } from '../sale/sale.ts'
import { repeatSend } from '../sale/sends.ts'
import type { TellStep } from '../step.ts'
import type { SafetyTarget } from '../target.ts'
import { findTaken } from './find-taken.ts'
import { judge } from './judge.ts'
import { createMeasureTaxes } from './measure-taxes.ts'

export interface Safety {
  /** Throws an `RpcError` when the node does not have the target's block, or its state. */
  check(target: SafetyTarget, signal: AbortSignal, maxCalls?: number, tell?: TellStep): Promise<SafetyReport>
  /** The capabilities of the node. An unanswered probe counts as no, and is repeated. */
  capabilities(): Promise<Capabilities>
}

export interface SafetyOptions {
  /**
   * A client of its own, with short waits and small bodies (`SAFETY_ENDPOINT`), because contracts decide its answers.
   */
  rpc: Rpc
  /** Calls that one check may send. */
  maxCalls?: number
  /** Called when the node's capabilities are better known than before. */
  onCapabilities?: (can: ProbedCapabilities) => void
  /** Milliseconds that one check may take. */
  timeoutMs?: number
}

/** For the client of the checks: the most time and bytes that a contract may cost. */
export const SAFETY_ENDPOINT = { timeoutMs: 10_000, maxBodyBytes: 4 * 2 ** 20 }

const MAX_CALLS = 200
const TIMEOUT_MS = 60_000
/** After this many checks the node is probed again: it may have been replaced, or have had a temporary fault. */
const PROBE_AGAIN = 100
/** After this many failures in a row, no request is shared until the node is probed again. */
const MOST_FAILED_SHARES = 5
/** After this many checks an unanswered probe is repeated. */
const PROBE_OPEN = 3

/** What the node can do, and whether sharing works there. */
interface ProbeState {
  known: ProbedCapabilities | null
  /** Checks since the last probe. */
  uses: number
  /** Shared requests in a row that failed. */
  failedShares: number
}

async function probe(state: ProbeState, { rpc, onCapabilities }: SafetyOptions): Promise<Capabilities> {
  const isKnown = state.known !== null && !Object.values(state.known).includes(null)
  let { known } = state
  if (known === null || (!isKnown && state.uses % PROBE_OPEN === 0) || state.uses >= PROBE_AGAIN) {
    const found = await readCapabilities(rpc)
    if (JSON.stringify(found) !== JSON.stringify(known)) onCapabilities?.(found)
    known = found
    state.known = found
    state.uses = 0
    state.failedShares = 0
  }
  state.uses += 1
  return {
    simulate: known.simulate ?? false,
    share: known.share ?? false,
    override: known.override ?? false,
    construct: known.construct ?? false,
    later: known.later ?? false,
    execute: known.execute ?? false,
  }
}

export function createSafety(options: SafetyOptions): Safety {
  const { rpc, maxCalls: most = MAX_CALLS, timeoutMs = TIMEOUT_MS } = options
  const state: ProbeState = { known: null, uses: 0, failedShares: 0 }
  const measureTaxes = createMeasureTaxes()
  const lasting = createLastingAnswers()
  const capabilities = () => probe(state, options)
  const noteShared = (isAnswered: boolean): void => {
    state.failedShares = isAnswered ? 0 : state.failedShares + 1
  }

  return {
    capabilities,
    async check(target, signal, maxCalls = most, tell = () => {}) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const can = await capabilities()
      const way = state.failedShares < MOST_FAILED_SHARES ? shareWayOf(can) : 'none'
      const asker = await createAsker({ rpc, signal: deadline, maxCalls, target, way, lasting, onShared: noteShared })
      const [answers, followed, taken, taxes] = await Promise.all([
        askSale(asker, target, can, tell),
        followCode(asker, target.token),
        findTaken(asker, target),
        measureTaxes(asker, target),
      ])
      tell('powers')
      const found = followed && (await examineCode(asker, target, can, answers, followed))
      const { token, logs, known: before } = target
      return judge({
        token,
        block: asker.block,
        answers,
        code: found?.code ?? before?.code ?? null,
        powers: found ? found.powers : (before?.powers ?? null),
        powersRead: (found ?? before)?.powersRead ?? [],
        powersTried: found?.powersTried ?? 'none',
        taken,
        logs,
        taxes,
        differing: await repeatSend(asker, answers.sends[0]),
        calls: asker.asked(),
        isCut: asker.isSpent(),
      })
    },
  }
}
