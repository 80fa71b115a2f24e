// Position tokens: their holders, and the payments to their owners.
import { ZERO_ADDRESS } from '../../base/address.ts'
import { handingOver, paymentOf } from '../pools/position-tokens.ts'
import type { LogHandlers } from './handler.ts'
import { positionOf } from './scan.ts'

export const POSITION_LOGS: LogHandlers<
  'position_moved' | 'position_changed' | 'position_collected' | 'position_staked'
> = {
  position_moved: {
    scan: (found, log) => {
      const { wallets } = positionOf(found, log.address, log.number)
      for (const wallet of [log.from, log.to]) {
        if (wallet === ZERO_ADDRESS) continue
        wallets.add(wallet)
        found.wallets.add(wallet)
      }
    },
    tell: handingOver,
  },
  position_collected: {
    scan: (found, log) => {
      positionOf(found, log.address, log.number)
    },
    tell: paymentOf,
  },
  // The pool's own log changes the liquidity, and the transfer moves a staked position: both look these logs up.
  position_changed: {},
  position_staked: {},
}
