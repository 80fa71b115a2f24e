// Logs of contracts that trade for others, encoded by viem: whom they name, and that nobody else's log counts.
import { type Abi, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { FOR_OTHERS } from '../../../src/chain/exchanges/attribution.ts'
import { listTopics } from '../../../src/chain/logs/events.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import { addressOf, marketPreset, wallet } from '../../support/blocks.ts'
import { createLogDecode } from '../../support/decode.ts'

const [owner, filler, A, B] = [wallet(1), wallet(2), addressOf('token', 1), addressOf('token', 2)]
const HASH = `0x${'ab'.repeat(32)}` as const
const decode = createLogDecode(marketPreset)

function rawOf(address: string, event: string, args: Record<string, unknown>, data: [type: string, value: unknown][]) {
  const topics = encodeEventTopics({ abi: parseAbi([event]) as Abi, args }) as string[]
  const words = encodeAbiParameters(
    data.map(([type]) => ({ type })),
    data.map(([, value]) => value),
  )
  const place = { blockNumber: '0x1', blockHash: HASH, transactionHash: HASH, transactionIndex: '0x0', logIndex: '0x0' }
  return { address, topics, data: words, removed: false, ...place } as unknown as RawLog
}

const LOGS: [name: string, emitters: readonly string[], build: (address: string) => RawLog, expected: object][] = [
  [
    'an operation of ERC-4337',
    FOR_OTHERS.entry_point,
    (address) =>
      rawOf(
        address,
        'event UserOperationEvent(bytes32 indexed h, address indexed s, address indexed p, uint256 n, bool ok, uint256 c, uint256 g)',
        { h: HASH, s: owner, p: filler },
        [
          ['uint256', 1n],
          ['bool', true],
          ['uint256', 2n],
          ['uint256', 3n],
        ],
      ),
    { kind: 'user_operation', sender: owner },
  ],
  [
    'a meta-transaction of 0x',
    FOR_OTHERS.meta_proxy,
    (address) =>
      rawOf(
        address,
        'event MetaTransactionExecuted(bytes32 h, bytes4 indexed s, address signer, address sender)',
        { s: '0x415565b0' },
        [
          ['bytes32', HASH],
          ['address', owner],
          ['address', filler],
        ],
      ),
    { kind: 'user_operation', sender: owner },
  ],
  [
    'a trade that CoW settled',
    FOR_OTHERS.settlement,
    (address) =>
      rawOf(
        address,
        'event Trade(address indexed o, address s, address b, uint256 x, uint256 y, uint256 f, bytes u)',
        { o: owner },
        [
          ['address', A],
          ['address', B],
          ['uint256', 1n],
          ['uint256', 2n],
          ['uint256', 3n],
          ['bytes', `0x${'00'.repeat(56)}`],
        ],
      ),
    { kind: 'settled', owner, sold: A, bought: B, soldAmount: 1n, boughtAmount: 2n },
  ],
  [
    'a fill of UniswapX',
    FOR_OTHERS.reactor,
    (address) =>
      rawOf(
        address,
        'event Fill(bytes32 indexed h, address indexed f, address indexed s, uint256 n)',
        { h: HASH, f: filler, s: owner },
        [['uint256', 7n]],
      ),
    { kind: 'filled', owner },
  ],
  [
    'a fill of 1inch that names its maker',
    FOR_OTHERS.order_book,
    (address) =>
      rawOf(address, 'event OrderFilled(address indexed m, bytes32 h, uint256 r)', { m: owner }, [
        ['bytes32', HASH],
        ['uint256', 0n],
      ]),
    { kind: 'filled', owner },
  ],
  [
    'a fill of 1inch that names nobody',
    FOR_OTHERS.order_book,
    (address) =>
      rawOf(address, 'event OrderFilled(bytes32 h, uint256 r)', {}, [
        ['bytes32', HASH],
        ['uint256', 0n],
      ]),
    { kind: 'filled', owner: null },
  ],
]

describe.each(LOGS)('the log of %s', (_, emitters, build, expected) => {
  test('is read from each of its contracts and asked for on every chain', () => {
    for (const address of emitters) expect(decode(build(address))).toMatchObject(expected)
    expect(listTopics(marketPreset)).toContain(build(owner).topics[0])
  })

  test('is not believed from any other contract', () => {
    expect(decode(build(addressOf('other', 1)))).toBeNull()
  })
})
