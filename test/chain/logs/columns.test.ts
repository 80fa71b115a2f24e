// Logs that are read from bytes into columns come out as the chain wrote them, whatever they contain.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address, Hash } from '../../../src/base/address.ts'
import { memoryOf } from '../../../src/chain/columns/columns.ts'
import { Packer } from '../../../src/chain/columns/packer.ts'
import { type LogAnswer, readBody, readParsed } from '../../../src/chain/logs/answer.ts'
import { assembleBlock, type LogRun, writeBlock } from '../../../src/chain/logs/assemble.ts'
import { createDecode } from '../../../src/chain/logs/decode.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
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
  address: TOKEN,
  topics,
  data,
  blockHash: hash('b'),
  blockNumber: '0x5',
  transactionHash: hash('c'),
  transactionIndex: '0x0',
  logIndex: `0x${logIndex.toString(16)}`,
  ...more,
})
const transfer = (logIndex: number, amount: bigint, more?: Partial<RawLog>) =>
  log(logIndex, [TOPICS.transfer, topic(SENDER), topic(RECEIVER)], words(amount), more)

const bodyOf = (logs: readonly RawLog[]) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: logs }))
const readAll = (answer: LogAnswer) => Array.from({ length: answer.size }, (_, at) => answer.read(at))

describe('integers in columns', () => {
  const bits = fc.nat(256).chain((size) => fc.bigInt(0n, 2n ** BigInt(size) - 1n))

  test('unsigned integers of any width come back exactly', () => {
    fc.assert(
      fc.property(fc.array(bits, { minLength: 1, maxLength: 20 }), (amounts) => {
        const answer = readBody(bodyOf(amounts.map((amount, i) => transfer(i, amount))), decode)
        expect(answer && readAll(answer).map((one) => one?.kind === 'transfer' && one.amount)).toEqual(amounts)
      }),
    )
  })

  test('signed integers and ticks come back exactly', () => {
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
  ])('an integer %s that is one bit too wide is not decoded', (_, topic0, data, width) => {
    const answer = readParsed([log(0, [topic0], data(2n ** width - 1n)), log(1, [topic0], data(2n ** width))], decode)
    expect(readAll(answer)).toEqual([expect.objectContaining({ logIndex: 0 }), null])
  })

  test.each([8_388_608n, -8_388_609n, 2n ** 32n, -(2n ** 32n), 2n ** 255n])('a tick of %s is not decoded', (tick) => {
    expect(readParsed([log(0, [TOPICS.v3_initialize], words(1, tick))], decode).read(0)).toBeNull()
  })
})

describe('the scanner', () => {
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

  test('the scanner reads what JSON.parse reads: plain answers, white space, and keys in another order', () => {
    expectSame(bodyOf(logs))
    expectSame(bodyOf([]))
    expectSame(Buffer.from(`\n ${JSON.stringify({ result: logs, id: null, jsonrpc: '2.0' }, null, '\t')}\r\n `))
    const turned = logs.map((one, i) => Object.fromEntries(i % 2 ? Object.entries(one).reverse() : Object.entries(one)))
    expectSame(Buffer.from(JSON.stringify({ id: 'seven', result: turned })))
  })

  test('the scanner reads what JSON.parse reads: numbers as numbers, as decimals, or missing', () => {
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

  test('the scanner reads what JSON.parse reads: unknown keys, and keys that only some logs have', () => {
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
    ['a bare list', '[]'],
    ['a log that is not an object', '{"result":[5]}'],
    ['a log without topics', JSON.stringify({ result: [{ ...transfer(0, 1n), topics: undefined }] })],
    ['topics that are not a list', JSON.stringify({ result: [{ ...transfer(0, 1n), topics: 'none' }] })],
    ['data that is not a string', JSON.stringify({ result: [{ ...transfer(0, 1n), data: 5 }] })],
    ['an escaped character', JSON.stringify({ result: [{ ...transfer(0, 1n), data: '"' }] })],
    ['a character that is not ASCII', JSON.stringify({ result: [{ ...transfer(0, 1n), data: 'ä' }] })],
    ['an object inside a log', JSON.stringify({ result: [{ ...transfer(0, 1n), more: {} }] })],
    ['something after it', `${JSON.stringify({ result: [] })}{}`],
  ])('the scanner leaves %s to JSON.parse', (_, body) => {
    expect(readBody(Buffer.from(body), decode)).toBeUndefined()
  })

  test('the scanner leaves a truncated body to JSON.parse, wherever it is cut', () => {
    const body = bodyOf(logs.slice(0, 2))
    for (let length = 0; length < body.length; length++)
      expect(readBody(body.subarray(0, length), decode), `${length} bytes`).toBeUndefined()
  })

  test('the scanner reads nothing that JSON.parse would not, whichever byte of a body is changed', () => {
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

  test('the scanner reads logs with arbitrary texts as far as possible, and never throws', () => {
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

describe('packed blocks', () => {
  const owner = SENDER as Address
  const block: RawBlock = {
    number: 5,
    hash: hash('b'),
    parentHash: hash('a'),
    time: 1_760_000_000,
    bloom: null,
    receiptsRoot: null,
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
  const pass = (answers: LogAnswer[], runs: LogRun[], isAtHead = false) => {
    const packer = new Packer(2)
    packer.number(1)
    writeBlock(packer, answers, assembleBlock(block, runs, { isAtHead }))
    const packed = { blocks: packer.take(), logs: answers.map((answer) => answer.pack()) }
    return unpackBlocks(structuredClone(packed, { transfer: memoryOf(packed) }))
  }
  const all = (answer: LogAnswer): LogRun => ({ answer, from: 0, to: answer.size })
  const amounts = ([only]: ReturnType<typeof pass>) => only?.logs.map((one) => one.kind === 'transfer' && one.amount)

  test('packed blocks of the head keep who called which contract, with logs or without', () => {
    expect(pass([], [], true)[0]?.calls).toEqual([{ from: RECEIVER, to: owner }])
    expect(pass([], [])[0]?.calls).toBeUndefined()
  })

  test('packed blocks keep the transactions of logs and the plain transfers', () => {
    const answer = readParsed([transfer(0, 3n), log(1, [], '0x'), transfer(2, MOST)], decode)
    const place = { address: TOKEN, txHash: hash('c'), from: SENDER, to: RECEIVER }
    expect(pass([answer], [all(answer)])).toEqual([
      {
        number: 5,
        hash: hash('b'),
        parentHash: hash('a'),
        time: 1_760_000_000,
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

  test('packed blocks have their logs in order, each once, from any number of answers', () => {
    const [one, other] = [
      readParsed([transfer(4, 4n), transfer(1, 1n), transfer(1, 1n)], decode),
      readParsed([transfer(3, 3n), transfer(4, 4n), transfer(0, 0n)], decode),
    ]
    expect(amounts(pass([one, other], [all(one), all(other)]))).toEqual([0n, 1n, 3n, 4n])
    expect(amounts(pass([one, other], [{ answer: other, from: 0, to: 2 }]))).toEqual([3n, 4n])
  })

  test.each<[string, RawLog[], string]>([
    ['two logs at one index', [transfer(1, 1n), transfer(1, 2n)], 'two different logs at index 1'],
    ['a log of another fork', [transfer(1, 1n, { blockHash: hash('f') })], 'a log belongs to another fork'],
    ['a log without an index', [transfer(1, 1n, { logIndex: 'none' })], 'a log has no index'],
    ['a log without its transaction', [transfer(1, 1n, { transactionHash: hash('9') })], 'the transaction 0x9'],
  ])('a block with %s is refused', (_, logs, message) => {
    const answer = readParsed(logs, decode)
    expect(() => pass([answer], [all(answer)])).toThrow(message)
  })

  test('a block with a plain transfer that has no hash is refused', () => {
    const [, transfers] = block.transactions
    const { hash: _, ...nameless } = { ...transfers }
    expect(() => assembleBlock({ ...block, transactions: [nameless as RawTransaction] }, [])).toThrow(RpcError)
  })

  test('packed blocks with more addresses than the initial table size keep every address', () => {
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
