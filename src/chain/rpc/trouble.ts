// Reports provider faults that the program retries.
import type { Log } from '../../telemetry/log.ts'
import type { RpcErrorKind } from './error.ts'

/** A provider fault that is being retried; for logs and metrics. */
export interface Trouble {
  endpoint: string
  kind: RpcErrorKind
  message: string
}

/** Logs provider faults. */
export const logTrouble =
  (log: Log) =>
  ({ endpoint, kind, message }: Trouble): void => {
    if (kind === 'foreign') log.warn({ endpoint, reason: message }, 'an endpoint of RPC_URL is not used')
    else log.debug({ endpoint, kind, reason: message }, 'the provider failed; retrying')
  }
