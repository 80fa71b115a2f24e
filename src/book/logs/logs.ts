// The kinds of logs that the book applies. Its type does not compile without a handler for every kind.
import type { DecodedLog, LogKind } from '../../chain/event.ts'
import { COIN_LOGS } from './coins.ts'
import { CURVE_LOGS } from './curves.ts'
import type { LogHandler, LogHandlers } from './handler.ts'
import { PAIR_LAUNCH_LOGS } from './launch-pairs.ts'
import { LAUNCH_LOGS } from './launches.ts'
import { LOCK_LOGS } from './locks.ts'
import { MANAGED_LOGS } from './managed.ts'
import { OPENING_LOGS } from './openings.ts'
import { PAIR_LOGS } from './pairs.ts'
import { POSITION_LOGS } from './positions.ts'
import { RANGE_LOGS } from './ranges.ts'
import { STAKE_LOGS } from './stakes.ts'
import { TOKEN_LOGS } from './tokens.ts'

const HANDLERS: LogHandlers<LogKind> = {
  ...TOKEN_LOGS,
  ...OPENING_LOGS,
  ...PAIR_LOGS,
  ...RANGE_LOGS,
  ...MANAGED_LOGS,
  ...COIN_LOGS,
  ...CURVE_LOGS,
  ...PAIR_LAUNCH_LOGS,
  ...LAUNCH_LOGS,
  ...POSITION_LOGS,
  ...STAKE_LOGS,
  ...LOCK_LOGS,
  // They name the trader of another log, and change no row: traders.ts and acts.ts read them.
  ...{ operations_begin: {}, user_operation: {}, forwarded: {}, settled: {}, filled: {}, routed: {} },
}

/** The handler of a log's kind. */
export const handlerOf = ({ kind }: DecodedLog): LogHandler<LogKind> => HANDLERS[kind] as LogHandler<LogKind>
