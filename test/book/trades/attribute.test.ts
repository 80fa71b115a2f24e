// Whose trade a log is: the signer's, unless an ERC-4337 operation, a settlement or a filled order says otherwise.
import { describe, expect, test } from 'vitest'
import { readAttribution } from '../../../src/book/trades/attribute.ts'
import type { DecodedLog } from '../../../src/chain/event.ts'
import { addressOf, wallet } from '../../support/blocks.ts'

const [signer, alice, bob] = [wallet(1), wallet(2), wallet(3)]
const [A, B, C] = [addressOf('token', 1), addressOf('token', 2), addressOf('token', 3)]
const place = { address: addressOf('entry', 1), txHash: `0x${'1'.repeat(64)}` } as const
const operation = (logIndex: number, sender: typeof alice): DecodedLog => ({
  kind: 'user_operation',
  sender,
  logIndex,
  ...place,
})
const settled = (owner: typeof alice, sold: typeof A, bought: typeof B): DecodedLog => ({
  kind: 'settled',
  owner,
  sold,
  bought,
  soldAmount: 100n,
  boughtAmount: 100n,
  logIndex: 1,
  ...place,
})

describe('a trade', () => {
  test('is the signer’s when no log names anybody', () => {
    expect(readAttribution(signer, [])(5, [A, B])).toEqual({ address: signer, attribution: 'signer' })
  })

  test('inside an operation is its sender’s, and after the last operation the signer’s', () => {
    const tell = readAttribution(signer, [operation(10, alice), operation(20, bob)])
    expect([3, 15, 25].map((at) => tell(at, [A, B]))).toEqual([
      { address: alice, attribution: 'operation' },
      { address: bob, attribution: 'operation' },
      { address: signer, attribution: 'signer' },
    ])
  })

  test('in a settlement is of the owner whose order has both tokens', () => {
    const tell = readAttribution(signer, [settled(alice, A, B), settled(bob, A, C)])
    expect(tell(5, [A, C])).toEqual({ address: bob, attribution: 'settlement' })
    expect(tell(5, [B, A])).toEqual({ address: alice, attribution: 'settlement' })
  })

  test('on the way of a settlement is of the only owner who trades one of its tokens', () => {
    const tell = readAttribution(signer, [settled(alice, A, B)])
    expect(tell(5, [A, C])).toEqual({ address: alice, attribution: 'settlement' })
  })

  test('that several owners or none could have made is the signer’s', () => {
    const tell = readAttribution(signer, [settled(alice, A, B), settled(bob, B, A)])
    expect(tell(5, [A, B]).attribution).toBe('signer')
    expect(tell(5, [C, C]).attribution).toBe('signer')
  })
})
