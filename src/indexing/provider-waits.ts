// What a fault of the provider means for the index: it waits, whatever a provider answers. Input: a fault that outlasted
// the retries. Output: the kind of the wait.
import type { WaitKind } from '../base/wait.ts'
import { RpcError } from '../chain/rpc/error.ts'
import { isOfEndpoint } from '../chain/rpc/trouble.ts'

/** Whether a running index waits for the fault to pass. Only the end of the program does not pass. */
export const isWaitedFor = (error: unknown): error is RpcError => error instanceof RpcError && error.kind !== 'aborted'

/** Why the index waits after this fault. */
export function waitFor(error: RpcError): WaitKind {
  if (isOfEndpoint(error)) return 'provider_fails'
  return error.kind === 'lagging' ? 'contradiction' : 'block_refused'
}
