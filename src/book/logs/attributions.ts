// Logs that name the trader of another log. They change no row: traders.ts reads them.
import type { LogHandlers } from './handler.ts'

export const ATTRIBUTION_LOGS: LogHandlers<
  'operations_begin' | 'user_operation' | 'forwarded' | 'settled' | 'filled' | 'routed'
> = {
  operations_begin: {},
  user_operation: {},
  forwarded: {},
  settled: {},
  filled: {},
  routed: {},
}
