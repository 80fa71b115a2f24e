// What a fault of the provider means for the index: it waits, whatever a provider answers. Input: a fault that outlasted
// the retries. Output: the kind of the wait.
import type { Clock } from '../base/clock.ts'
import type { WaitKind } from '../base/wait.ts'
import { BelowFinalityError } from '../chain/follow/reorg.ts'
import { RpcError } from '../chain/rpc/error.ts'
import { isOfEndpoint } from '../chain/rpc/trouble.ts'

/** Whether a running index waits for the fault to pass. Only the end of the program does not pass. */
export const isWaitedFor = (error: unknown): error is RpcError => error instanceof RpcError && error.kind !== 'aborted'

/** Why the index waits after this fault. */
export function waitFor(error: RpcError): WaitKind {
  if (error instanceof BelowFinalityError) return 'below_finality'
  if (isOfEndpoint(error)) return 'provider_fails'
  return error.kind === 'lagging' ? 'contradiction' : 'block_refused'
}

export interface Waits {
  /** As `waitFor`; a contradiction of one block that stays the same is a broken rule. */
  after(error: RpcError): WaitKind
  /** The index continues. */
  end(): void
}

/** Answers of backends that briefly disagree change sooner, and a slip is not repeated so often. */
const [STEADY_MS, STEADY_TIMES] = [20_000, 4]

export function createWaits(clock: Pick<Clock, 'monotonicMs'>): Waits {
  let steady: { message: string; sinceMs: number; times: number } | null = null
  return {
    after(error) {
      const kind = waitFor(error)
      const { message, block } = error
      if (kind !== 'contradiction' || block === null) return kind
      const nowMs = clock.monotonicMs()
      if (steady?.message !== message) steady = { message, sinceMs: nowMs, times: 0 }
      steady.times += 1
      const isSteady = steady.times >= STEADY_TIMES && nowMs - steady.sinceMs >= STEADY_MS
      return isSteady ? 'rule_broken' : kind
    },
    end: () => {
      steady = null
    },
  }
}
