// The check of a token's contract. Input: what the ledger knows of a token. Output: whether it can be sold, what somebody can do to its
// holders, and the calls that show it. It asks the node and nobody else.
import type { Rpc } from '../../chain/rpc/rpc.ts'
import { examineCode } from '../code/code.ts'
import { createAsker } from '../node/asker.ts'
import { type Capabilities, readCapabilities } from '../node/capabilities.ts'
import type { SafetyReport } from '../report.ts'
import { askSale } from '../sale/sale.ts'
import { repeatSend } from '../sale/sends.ts'
import type { SafetyTarget } from '../target.ts'
import { confirmTaken } from './confirm-taken.ts'
import { judge } from './judge.ts'

export interface Safety {
  /** Throws an `RpcError` when the node does not tell its newest block. */
  check(target: SafetyTarget, signal: AbortSignal): Promise<SafetyReport>
  /** What the node can do, found once; null while it does not answer. */
  capabilities(): Promise<Capabilities | null>
}

export interface SafetyOptions {
  /** A client of its own, with short waits and small bodies (`SAFETY_ENDPOINT`), since contracts decide what it is answered. */
  rpc: Rpc
  /** Calls that one check may send. */
  maxCalls?: number
  /** Milliseconds that one check may take. */
  timeoutMs?: number
}

/** For the client that checks use: what a contract may cost in waits and bytes. */
export const SAFETY_ENDPOINT = { timeoutMs: 10_000, maxBodyBytes: 4 * 2 ** 20 }

const MAX_CALLS = 200
const TIMEOUT_MS = 60_000
const NONE: Capabilities = { simulate: false, override: false, construct: false }

export function createSafety({ rpc, maxCalls = MAX_CALLS, timeoutMs = TIMEOUT_MS }: SafetyOptions): Safety {
  let known: Promise<Capabilities | null> | null = null

  async function capabilities(): Promise<Capabilities | null> {
    known ??= readCapabilities(rpc)
    const found = await known
    if (found === null) known = null
    return found
  }

  return {
    capabilities,
    async check(target, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const can = (await capabilities()) ?? NONE
      const asker = await createAsker({ rpc, signal: deadline, maxCalls })
      const answers = await askSale(asker, target, can)
      const found = await examineCode(asker, target, can, answers.holders)
      const { token, logs, known: before } = target
      return judge({
        token,
        block: asker.block,
        answers,
        code: found?.code ?? before?.code ?? null,
        powers: found?.powers ?? before?.powers ?? null,
        powersTried: found?.isTried ?? false,
        taken: await confirmTaken(asker, target),
        logs,
        differing: await repeatSend(asker, answers.sends[0]),
        calls: asker.asked(),
        isCut: asker.isSpent(),
      })
    },
  }
}
