// Tokens that a launch venue creates, and the logs about their liquidity.

import { applyLaunch, type LaunchLog } from '../pools/launch.ts'
import type { Work } from '../rows/working-set.ts'
import type { LogHandlers } from './handler.ts'
import { seeToken } from './scan.ts'
import type { TransactionState } from './transaction-state.ts'

export const LAUNCH_LOGS: LogHandlers<'launched' | 'launch_moved' | 'launch_locked'> = {
  launched: {
    scan: (found, log) => {
      seeToken(found, log.token)
      if (log.creator) found.wallets.add(log.creator)
      if (log.keeper) found.wallets.add(log.keeper)
    },
    apply: (work, log, state) => {
      note(work, log, state)
      applyLaunch(work, log)
    },
  },
  launch_moved: {
    scan: (found, log) => {
      seeToken(found, log.address)
      found.wallets.add(log.keeper)
    },
    apply: note,
  },
  launch_locked: {
    scan: (found, log) => {
      found.wallets.add(log.address)
    },
    apply: note,
  },
}

/** The transaction's launches are settled once all its liquidity is in place. */
function note(_work: Work, log: LaunchLog, state: TransactionState): void {
  state.launches ??= []
  state.launches.push(log)
}
