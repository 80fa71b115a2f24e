// Contracts that trade for somebody who did not sign the transaction, and say in a log for whom. They have one address
// on every chain, and nobody else's log counts. Sources: eips.ethereum.org/EIPS/eip-4337 and
// github.com/eth-infinitism/account-abstraction (EntryPoint 0.6, 0.7, 0.8); github.com/cowprotocol/contracts
// (GPv2Settlement). The first entry point and the settlement also log in recorded transactions.
import { address, shape, topic, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'

export const ENTRY_POINTS = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
] as const

export const SETTLEMENTS = ['0x9008d19f58aabd9ed0d60971565aa8510560ab41'] as const

export const ATTRIBUTION_EVENTS = {
  /** Stands after the logs of its operation. */
  user_operation: [
    'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
    'entry_point',
    shape('user_operation', 4, 4, { sender: address(topic(2)) }),
  ],
  /** The order's identifier follows the amounts as bytes: offset, length 56, two words. */
  settled: [
    'Trade(address,address,address,uint256,uint256,uint256,bytes)',
    'settlement',
    shape('settled', 2, 9, { owner: address(topic(1)), sold: address(word(0)), bought: address(word(1)) }),
  ],
} as const satisfies ExchangeEvents
