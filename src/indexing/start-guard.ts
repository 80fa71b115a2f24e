// What cannot pass ends a start: a supervisor then does not restart the program for ever. Input: faults that outlasted the
// retries, until the index has taken its first step. Output: the error that ends the program, with the block and the
// ways out.
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { RpcError } from '../chain/rpc/error.ts'
import { waitFor } from './provider-waits.ts'

export interface StartGuard {
  /** The end of the program; null: the index waits. */
  judge(error: RpcError): StartupError | null
  /** The index goes on: from now on it waits for whatever comes. */
  pass(): void
}

/** A fault that stays the same for so long does not pass. */
const LASTING_MS = 5_000
const CONFIG_FAULT = 78

export function createStartGuard(clock: Pick<Clock, 'monotonicMs'>): StartGuard {
  let isOver = false
  let lasting: { kind: string; sinceMs: number } | null = null
  return {
    judge(error) {
      const kind = waitFor(error)
      if (isOver) return null
      if (kind !== 'block_refused' && kind !== 'below_finality') {
        lasting = null
        return null
      }
      const nowMs = clock.monotonicMs()
      if (lasting?.kind !== kind) lasting = { kind, sinceMs: nowMs }
      if (nowMs - lasting.sinceMs < LASTING_MS) return null
      return new StartupError(kind === 'below_finality' ? error.message : sayRefused(error), CONFIG_FAULT)
    },
    pass: () => {
      isOver = true
    },
  }
}

const sayRefused = ({ message, block }: RpcError): string =>
  `RPC_URL does not give ${block === null ? 'what the index needs' : `block ${block}`}: ${message}. Add a provider to ` +
  'RPC_URL that does, set HISTORY_FILES to files that have the block, or begin a new index with a later START.'
