// Tokens that a launch venue creates, and the logs about their liquidity. They are settled once all liquidity of the
// transaction is in place.
import { applyLaunch, type LaunchLog } from '../pools/launch.ts'
import type { LogHandlers } from './handler.ts'
import { seeToken } from './scan.ts'

export const LAUNCH_LOGS: LogHandlers<LaunchLog['kind']> = {
  launched: {
    scan: (found, log) => {
      seeToken(found, log.token)
      if (log.creator) found.wallets.add(log.creator)
      if (log.keeper) found.wallets.add(log.keeper)
    },
    apply: applyLaunch,
  },
  launch_moved: {
    scan: (found, log) => {
      seeToken(found, log.address)
      found.wallets.add(log.keeper)
    },
  },
  launch_locked: {
    scan: (found, log) => {
      found.wallets.add(log.address)
    },
  },
}
