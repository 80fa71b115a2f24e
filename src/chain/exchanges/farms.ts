// Gauges and farms: contracts that hold pool shares for their owners, who can withdraw them at any time. Any contract may
// log these events: src/book/logs/stakes.ts asks for the Transfer of the shares. Sources:
// github.com/aerodrome-finance/contracts, Gauge.sol; github.com/curvefi/curve-dao-contracts, LiquidityGaugeV5.vy;
// github.com/Synthetixio/synthetix, StakingRewards.sol; github.com/sushiswap/sushiswap, MasterChef.sol and
// MasterChefV2.sol.
import { address, type Shape, shape, topic, uint, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'

type Kind = 'shares_staked' | 'shares_unstaked'

/** The owner is the topic at `owner`, and the amount the first word behind so many topics. */
const stake = (kind: Kind, topics: number, owner = 1, words = 1): Shape =>
  shape(kind, topics, words, { owner: address(topic(owner)), amount: uint(word(0)) })

export const FARM_EVENTS = {
  /** Solidly's gauge: from, to. */
  gauge_deposit: ['Deposit(address,address,uint256)', 'any', stake('shares_staked', 3, 2)],
  /** A gauge of Solidly, Curve or Balancer. */
  gauge_withdraw: ['Withdraw(address,uint256)', 'any', stake('shares_unstaked', 2)],
  curve_gauge_deposit: ['Deposit(address,uint256)', 'any', stake('shares_staked', 2)],
  synthetix_staked: ['Staked(address,uint256)', 'any', stake('shares_staked', 2)],
  synthetix_withdrawn: ['Withdrawn(address,uint256)', 'any', stake('shares_unstaked', 2)],
  /** With the number of the pool in the farm. */
  chef_deposit: ['Deposit(address,uint256,uint256)', 'any', stake('shares_staked', 3)],
  chef_withdraw: ['Withdraw(address,uint256,uint256)', 'any', stake('shares_unstaked', 3)],
  chef_leave: ['EmergencyWithdraw(address,uint256,uint256)', 'any', stake('shares_unstaked', 3)],
  chef_deposit_v2: ['Deposit(address,uint256,uint256,address)', 'any', stake('shares_staked', 4, 3)],
  chef_withdraw_v2: ['Withdraw(address,uint256,uint256,address)', 'any', stake('shares_unstaked', 4)],
  chef_leave_v2: ['EmergencyWithdraw(address,uint256,uint256,address)', 'any', stake('shares_unstaked', 4)],
} as const satisfies ExchangeEvents
