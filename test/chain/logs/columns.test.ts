// What is read from bytes into columns comes out of them as it was written by the chain, whatever a log can say.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address, Hash } from '../../../src/base/address.ts'
import { type LogAnswer, readBody, readParsed } from '../../../src/chain/logs/answer.ts'
import { assembleBlock, type LogRun, writeBlock } from '../../../src/chain/logs/assemble.ts'
import { memoryOf } from '../../../src/chain/logs/columns.ts'
import { createDecode } from '../../../src/chain/logs/decode.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { Packer } from '../../../src/chain/logs/packer.ts'
import { unpackBlocks } from '../../../src/chain/logs/unpack.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import type { RawBlock, RawLog, RawTransaction } from '../../../src/chain/raw.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { RECEIVER, SENDER, TOKEN, word } from '../../support/fake-chain.ts'

const preset = loadPreset(1)
const decode = createDecode(preset)
const MOST = 2n ** 256n - 1n
const hash = (digit: string): Hash => `0x${digit.repeat(64)}`
const topic = (value: string | number | bigint) =>
  `0x${word(typeof value === 'bigint' ? BigInt.asUintN(256, value) : value)}`
const words = (...values: (string | number | bigint)[]) => `0x${values.map((value) => topic(value).slice(2)).join('')}`

const log = (logIndex: number, topics: string[], data: string, more: Partial<RawLog> = {}): RawLog => ({
  ...{ address: TOKEN, topics, data, blockHash: hash('b'), blockNumber: '0x5', transactionHash: hash('c') },
  ...{ transactionIndex: '0x0', logIndex: `0x${logIndex.toString(16)}` },
  ...more,
})
const transfer = (logIndex: number, amount: bigint, more?: Partial<RawLog>) =>
  log(logIndex, [TOPICS.transfer, topic(SENDER), topic(RECEIVER)], words(amount), more)

const bodyOf = (logs: readonly RawLog[]) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: logs }))
const readAll = (answer: LogAnswer) => Array.from({ length: answer.size }, (_, at) => answer.read(at))

describe('an integer comes back to the last bit', () => {
  const bits = fc.nat(256).chain((size) => fc.bigInt(0n, 2n ** BigInt(size) - 1n))

  test('unsigned ones', () => {
    fc.assert(
      fc.property(fc.array(bits, { minLength: 1, maxLength: 20 }), (amounts) => {
        const answer = readBody(bodyOf(amounts.map((amount, i) => transfer(i, amount))), decode)
        expect(answer && readAll(answer).map((one) => one?.kind === 'transfer' && one.amount)).toEqual(amounts)
      }),
    )
  })

  test('signed ones, and ticks', () => {
    const signed = fc
      .tuple(bits, fc.boolean())
      .map(([value, isNegative]) => BigInt.asIntN(256, isNegative ? -value : value))
    const ticks = fc.oneof(
      fc.integer({ min: -8_388_608, max: 8_388_607 }),
      fc.constantFrom(-8_388_608, -1, 0, 8_388_607),
    )
    fc.assert(
      fc.property(signed, signed, ticks, (amount0, amount1, tick) => {
        const swap = log(
          0,
          [TOPICS.v3_swap, topic(SENDER), topic(RECEIVER)],
          words(amount0, amount1, 7, 9, BigInt(tick)),
        )
        expect(readParsed([swap], decode).read(0)).toMatchObject({
          amount0,
          amount1,
          sqrtPriceX96: 7n,
          liquidity: 9n,
          tick,
        })
      }),
    )
  })

  test.each([
    ['of 112 bits', TOPICS.v2_sync, (value: bigint) => words(value, 1), 112n],
    ['of 160 bits', TOPICS.v3_initialize, (value: bigint) => words(value, 1), 160n],
  ])('one %s that is one bit too wide is none', (_, topic0, data, width) => {
    const answer = readParsed([log(0, [topic0], data(2n ** width - 1n)), log(1, [topic0], data(2n ** width))], decode)
    expect(readAll(answer)).toEqual([expect.objectContaining({ logIndex: 0 }), null])
  })

  test.each([8_388_608n, -8_388_609n, 2n ** 32n, -(2n ** 32n), 2n ** 255n])('%s is no tick', (tick) => {
    expect(readParsed([log(0, [TOPICS.v3_initialize], words(1, tick))], decode).read(0)).toBeNull()
  })
})

describe('a body that is scanned says what JSON.parse says of it', () => {
  const expectSame = (body: Buffer) => {
    const { result } = JSON.parse(body.toString()) as { result: RawLog[] }
    const [scanned, parsed] = [readBody(body, decode), readParsed(result, decode)]
    expect(scanned?.size).toBe(parsed.size)
    expect(scanned && readAll(scanned)).toEqual(readAll(parsed))
    expect(scanned?.txHashes).toEqual(parsed.txHashes)
    expect(scanned?.blockHashes).toEqual(parsed.blockHashes)
    expect(scanned?.blockNumbers).toEqual(parsed.blockNumbers)
    expect(scanned?.logIndexes).toEqual(parsed.logIndexes)
  }
  const logs = [
    transfer(0, 5n),
    transfer(1, MOST, {
      transactionHash: hash('D'),
      blockHash: hash('E'),
      address: TOKEN.toUpperCase().replace('0X', '0x'),
    }),
    log(2, [], '0x', { removed: false }),
    transfer(3, 1n, { removed: true }),
    log(4, [TOPICS.transfer, topic(SENDER), topic(RECEIVER), topic(1)], '0x'),
    log(5, ['0x12', 'none'], 'neither'),
    transfer(6, 2n, { address: '0x12' }),
    log(7, [topic(1), topic(2), topic(3), topic(4), topic(5)], words(1)),
  ]

  test('as nodes write it, with white space, and with keys in other orders', () => {
    expectSame(bodyOf(logs))
    expectSame(bodyOf([]))
    expectSame(Buffer.from(`\n ${JSON.stringify({ result: logs, id: null, jsonrpc: '2.0' }, null, '\t')}\r\n `))
    const turned = logs.map((one, i) => Object.fromEntries(i % 2 ? Object.entries(one).reverse() : Object.entries(one)))
    expectSame(Buffer.from(JSON.stringify({ id: 'seven', result: turned })))
  })

  test('with numbers as numbers, as decimals, and with none', () => {
    const odd = [8, '9', '0xzz', '', 1.5, null, '0x1fffffffffffff', '0x20000000000000', -1].map((logIndex) => ({
      ...transfer(0, 1n, { blockNumber: logIndex as string }),
      logIndex,
    }))
    expectSame(
      Buffer.from(
        JSON.stringify({ result: odd.map(({ logIndex, ...rest }) => ({ logIndex: logIndex ?? 'x', ...rest })) }),
      ),
    )
  })

  test('a key of more, and one that is missing in some logs only', () => {
    const { blockNumber, ...unplaced } = transfer(1, 2n)
    expectSame(
      Buffer.from(
        JSON.stringify({
          result: [{ blockTimestamp: '0x5', ...transfer(0, 1n), l1: null, n: 7 }, unplaced, transfer(2, 3n)],
        }),
      ),
    )
    expect(blockNumber).toBe('0x5')
  })

  test.each<[string, string]>([
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'],
    ['null', '{"result":null}'],
    ['no result', '{"id":1}'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['a log that is none', '{"result":[5]}'],
    ['a log without topics', JSON.stringify({ result: [{ ...transfer(0, 1n), topics: undefined }] })],
    ['topics that are no list', JSON.stringify({ result: [{ ...transfer(0, 1n), topics: 'none' }] })],
    ['data that is no text', JSON.stringify({ result: [{ ...transfer(0, 1n), data: 5 }] })],
    ['an escape', JSON.stringify({ result: [{ ...transfer(0, 1n), data: '"' }] })],
    ['a letter that is no ASCII', JSON.stringify({ result: [{ ...transfer(0, 1n), data: 'ä' }] })],
    ['an object inside of a log', JSON.stringify({ result: [{ ...transfer(0, 1n), more: {} }] })],
    ['something after it', `${JSON.stringify({ result: [] })}{}`],
  ])('%s is left to JSON.parse', (_, body) => {
    expect(readBody(Buffer.from(body), decode)).toBeUndefined()
  })

  test('so is a body that ends at any byte before its last', () => {
    const body = bodyOf(logs.slice(0, 2))
    for (let length = 0; length < body.length; length++)
      expect(readBody(body.subarray(0, length), decode), `${length} bytes`).toBeUndefined()
  })

  test('whatever one byte of it becomes, nothing is read that JSON.parse would not', () => {
    const body = bodyOf(logs.slice(0, 3))
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = Buffer.from(body)
        changed[at] = byte
        const scanned = readBody(changed, decode)
        if (!scanned) return
        const { result } = JSON.parse(changed.toString()) as { result: RawLog[] }
        expect(readAll(scanned)).toEqual(readAll(readParsed(result, decode)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('logs with texts that no chain has are read as far as they can be, and never throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...Object.values(TOPICS), topic(1)),
    )
    const raw = fc.record({
      address: text,
      data: text,
      topics: fc.array(text, { maxLength: 6 }),
      logIndex: text,
      transactionHash: text,
    })
    fc.assert(
      fc.property(fc.array(raw), (parts) => {
        const answer = readParsed(
          parts.map((part) => ({ ...transfer(0, 1n), ...part })),
          decode,
        )
        expect(answer.size).toBe(parts.length)
      }),
    )
  })
})

describe('blocks', () => {
  const owner = SENDER as Address
  const block: RawBlock = {
    ...{ number: 5, hash: hash('b'), parentHash: hash('a'), time: 1_760_000_000, bloom: null },
    transactions: [
      { hash: hash('c'), from: owner, to: null, value: '0x0', input: '0x60' },
      {
        hash: hash('d'),
        from: RECEIVER,
        to: owner,
        value: `0x${MOST.toString(16)}`,
        input: '0x',
        transactionIndex: '0x7',
      },
      { hash: hash('e'), from: RECEIVER, to: owner, value: '0x5', input: '0xa9059cbb' },
    ],
  }
  const pass = (answers: LogAnswer[], runs: LogRun[]) => {
    const packer = new Packer(2)
    packer.number(1)
    writeBlock(packer, answers, assembleBlock(block, runs))
    const packed = { blocks: packer.take(), logs: answers.map((answer) => answer.pack()) }
    return unpackBlocks(structuredClone(packed, { transfer: memoryOf(packed) }))
  }
  const all = (answer: LogAnswer): LogRun => ({ answer, from: 0, to: answer.size })
  const amounts = ([only]: ReturnType<typeof pass>) => only?.logs.map((one) => one.kind === 'transfer' && one.amount)

  test('pass to another thread with their transactions, those of logs and plain transfers', () => {
    const answer = readParsed([transfer(0, 3n), log(1, [], '0x'), transfer(2, MOST)], decode)
    const place = { address: TOKEN, txHash: hash('c'), from: SENDER, to: RECEIVER }
    expect(pass([answer], [all(answer)])).toEqual([
      {
        ...{ number: 5, hash: hash('b'), parentHash: hash('a'), time: 1_760_000_000 },
        transactions: [
          { hash: hash('c'), index: 0, from: owner, to: null, value: 0n, plain: false },
          { hash: hash('d'), index: 7, from: RECEIVER, to: owner, value: MOST, plain: true },
        ],
        logs: [
          { kind: 'transfer', ...place, logIndex: 0, amount: 3n },
          { kind: 'transfer', ...place, logIndex: 2, amount: MOST },
        ],
      },
    ])
    expect(pass([], [])[0]?.logs).toEqual([])
  })

  test('have their logs in order, each once, from however many answers they come', () => {
    const [one, other] = [
      readParsed([transfer(4, 4n), transfer(1, 1n), transfer(1, 1n)], decode),
      readParsed([transfer(3, 3n), transfer(4, 4n), transfer(0, 0n)], decode),
    ]
    expect(amounts(pass([one, other], [all(one), all(other)]))).toEqual([0n, 1n, 3n, 4n])
    expect(amounts(pass([one, other], [{ answer: other, from: 0, to: 2 }]))).toEqual([3n, 4n])
  })

  test.each<[string, RawLog[], string]>([
    ['two logs in one place', [transfer(1, 1n), transfer(1, 2n)], 'two different logs at index 1'],
    ['a log of another fork', [transfer(1, 1n, { blockHash: hash('f') })], 'a log belongs to another fork'],
    ['a log without an index', [transfer(1, 1n, { logIndex: 'none' })], 'a log has no index'],
    ['a log without its transaction', [transfer(1, 1n, { transactionHash: hash('9') })], 'the transaction 0x9'],
  ])('with %s are refused', (_, logs, message) => {
    const answer = readParsed(logs, decode)
    expect(() => pass([answer], [all(answer)])).toThrow(message)
  })

  test('with a plain transfer that has no hash are refused, and asked again', () => {
    const [, transfers] = block.transactions
    const { hash: _, ...nameless } = { ...transfers }
    expect(() => assembleBlock({ ...block, transactions: [nameless as RawTransaction] }, [])).toThrow(RpcError)
  })

  test('with more addresses than there was room for find each at its place', () => {
    const holders = Array.from({ length: 3_000 }, (_, i) => topic(BigInt(i % 2_000) * 2n ** 20n + 1n))
    const answer = readParsed(
      holders.map((holder, i) => log(i, [TOPICS.transfer, holder, topic(RECEIVER)], words(i))),
      decode,
    )
    const [only] = pass([answer], [all(answer)])
    expect(only?.logs.map((one) => one.kind === 'transfer' && one.from)).toEqual(
      holders.map((it) => `0x${it.slice(26)}`),
    )
  })
})
