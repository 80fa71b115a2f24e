// The logs of tokens: Transfer, and how the wrapped native coin is minted and burned.
import { address, shape, topic, uint, word } from '../columns/shape.ts'
import type { ExchangeEvents } from '../exchanges/exchange.ts'

export const TOKEN_EVENTS = {
  /** Before `transfer`: the same event from an address that logs the native coin is no token's. */
  native_transfer: [
    'Transfer(address,address,uint256)',
    'native',
    shape('native_transfer', 3, 1, { from: address(topic(1)), to: address(topic(2)), amount: uint(word(0)) }),
  ],
  native_log_transfer: [
    'LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)',
    'native_bor',
    shape('native_transfer', 4, 5, { from: address(topic(2)), to: address(topic(3)), amount: uint(word(0)) }),
  ],
  /** Some tokens older than the standard index nothing: one topic, three words. ERC-721 has four topics. */
  transfer: [
    'Transfer(address,address,uint256)',
    'any',
    shape('transfer', 3, 1, { from: address(topic(1)), to: address(topic(2)), amount: uint(word(0)) }),
    shape('transfer', 1, 3, { from: address(word(0)), to: address(word(1)), amount: uint(word(2)) }),
  ],
  deposit: [
    'Deposit(address,uint256)',
    'wrapped',
    shape('deposit', 2, 1, { to: address(topic(1)), amount: uint(word(0)) }),
  ],
  withdrawal: [
    'Withdrawal(address,uint256)',
    'wrapped',
    shape('withdrawal', 2, 1, { from: address(topic(1)), amount: uint(word(0)) }),
  ],
} as const satisfies ExchangeEvents
