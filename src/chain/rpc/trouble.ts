// What is said of a provider's faults that pass.
import type { Log } from '../../telemetry/log.ts'
import type { RpcErrorKind } from './error.ts'

/** A fault that was met and is being dealt with; for logs and metrics. */
export interface Trouble {
  endpoint: string
  kind: RpcErrorKind
  message: string
}

/** Writes down what a provider does wrong. */
export const logTrouble =
  (log: Log) =>
  ({ endpoint, kind, message }: Trouble): void => {
    if (kind === 'foreign') log.warn({ endpoint, reason: message }, 'an endpoint of RPC_URL is left out')
    else log.debug({ endpoint, kind, reason: message }, 'the provider is in trouble; trying again')
  }
