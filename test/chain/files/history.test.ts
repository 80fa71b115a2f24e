// Blocks from cryo's Parquet files equal the node's. A file with other content ends the program with a sentence that
// names it.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { StartupError } from '../../../src/base/errors.ts'
import { openHistory } from '../../../src/chain/files/history.ts'
import { createBloom } from '../../../src/chain/logs/bloom.ts'
import { unpackBlocks } from '../../../src/chain/logs/unpack.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import { type RecordedBlock, type Recording, readRecording } from '../../../src/chain/replay/recording.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { CODECS, type Dataset, type Rows, writeHistoryFiles } from '../../support/history-files.ts'

const whole = readRecording()
const preset = loadPreset(DEMO_CHAIN_ID)
/** Blocks with all kinds of logs. */
const RANGE = { from: 300, to: 699 }
/** A block of 300 to 349 with two transactions, both with logs. */
const TWO = whole.blocks.findIndex(
  ({ transactions, logs }, number) =>
    number >= 300 && transactions.length === 2 && [0, 1].every((at) => logs.some((log) => log.at === at)),
)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'history-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** The block with a log without a topic from each of the addresses. */
function withLogs(block: RecordedBlock, addresses: readonly Address[], data: string): RecordedBlock {
  const logs = [
    ...block.logs,
    ...addresses.map((address) => ({ at: block.transactions.length - 1, address, topics: [], data })),
  ]
  const named = logs.flatMap(({ address, topics }) => [address, ...topics]) as `0x${string}`[]
  return { ...block, logs, bloom: createBloom(named) }
}

/** A source that reads the folder, and the methods that it asked of the node. */
function open(recording: Recording = whole, chain = preset) {
  const replay = createReplay(recording)
  const asked: string[] = []
  const endpoint: typeof replay = {
    ...replay,
    send: (calls, signal) => {
      asked.push(...calls.map(({ method, params }) => `${method} ${JSON.stringify(params)}`))
      return replay.send(calls, signal)
    },
  }
  const rpc = createRpc({ endpoints: [endpoint], clock: systemClock })
  const history = openHistory({ folder, preset: chain, rpc })
  return { source: createSource({ rpc, preset: chain, clock: systemClock, history }), asked }
}

const node = createSource({
  rpc: createRpc({ endpoints: [createReplay(whole)], clock: systemClock }),
  preset,
  clock: systemClock,
})
const read = async (source: typeof node, from: number, to: number) => unpackBlocks(await source.readRange(from, to))

describe('blocks of files', () => {
  test.each(CODECS)(
    'are those of the node, compressed as %s, and only the files’ ends are asked for',
    async (codec) => {
      writeHistoryFiles(whole, { folder, ...RANGE, codec, chunkSize: 150, rowGroupSize: 700 })
      const { source, asked } = open()
      expect(await read(source, RANGE.from, RANGE.to)).toEqual(await read(node, RANGE.from, RANGE.to))
      expect(asked.map((call) => call.split(' ')[0])).toEqual(Array(6).fill('eth_getBlockByNumber'))
      expect(asked).toContain('eth_getBlockByNumber ["0x12c",false]')
    },
  )

  test('are those of the node when columns hold hex text', async () => {
    writeHistoryFiles(whole, { folder, ...RANGE, isHex: true })
    expect(await read(open().source, RANGE.from, RANGE.to)).toEqual(await read(node, RANGE.from, RANGE.to))
  })

  test('have the logs without a topic of a contract that the preset names, and no others', async () => {
    const core = toAddress('0x00000000000014aa86c5d3c41765bb24e11bd701')
    const other = toAddress(`0x${'77'.repeat(20)}`)
    const data = `0x${'00'.repeat(20)}${'07'.repeat(32)}${'00'.repeat(15)}05${'ff'.repeat(16)}${'00'.repeat(32)}`
    const blocks = whole.blocks.with(TWO, withLogs(whole.blocks[TWO]!, [core, other], data))
    const recording = { ...whole, blocks }
    writeHistoryFiles(recording, { folder, from: 300, to: 349 })
    const factories = [...preset.factories, { address: core, kind: 'ekubo' as const, launchpad: 'ekubo' }]
    const { source } = open(recording, { ...preset, factories })
    const logsAt = async (from: typeof node) => (await read(from, 300, 349)).find(({ number }) => number === TWO)?.logs
    expect((await logsAt(source))?.slice(-1)).toMatchObject([{ kind: 'coins_swap', address: core, amountIn: 5n }])
    expect((await logsAt(source))?.length).toBe(((await logsAt(open(recording).source))?.length ?? 0) + 1)
  })

  test('are read in any ranges, in any order, and twice', async () => {
    writeHistoryFiles(whole, { folder, ...RANGE, chunkSize: 90, rowGroupSize: 200 })
    const { source } = open()
    for (const [from, to] of [
      [300, 300],
      [301, 380],
      [381, 470],
      [471, 471],
      [350, 360],
      [690, 699],
      [300, 699],
      [470, 471],
    ] as const)
      expect(await read(source, from, to)).toEqual(await read(node, from, to))
  })

  test('are joined with the node’s where files begin, end or have a gap', async () => {
    writeHistoryFiles(whole, { folder, from: 310, to: 329 })
    writeHistoryFiles(whole, { folder, from: 340, to: 349 })
    const { source, asked } = open()
    expect(await read(source, 300, 360)).toEqual(await read(node, 300, 360))
    const ranges = asked.filter((call) => call.startsWith('eth_getLogs') && call.includes('fromBlock'))
    expect(
      ranges.map((call) =>
        call
          .match(/"0x1[0-9a-f]+"/g)
          ?.slice(0, 2)
          .map((text) => Number(text.slice(1, -1))),
      ),
    ).toEqual([
      [300, 307],
      [308, 309],
      [330, 339],
      [350, 360],
    ])
  })

  test('come from the widest of files that overlap', async () => {
    writeHistoryFiles(whole, { folder, from: 300, to: 349 })
    writeHistoryFiles(whole, { folder, from: 300, to: 399 })
    expect(await read(open().source, 300, 399)).toEqual(await read(node, 300, 399))
  })

  test('with a label in their names are found in folders of folders', async () => {
    const inner = join(folder, 'network', 'mine')
    mkdirSync(inner, { recursive: true })
    for (const path of writeHistoryFiles(whole, { folder: inner, from: 300, to: 349 }))
      renameSync(path, path.replace('__00000300', '__mine__00000300'))
    const { source, asked } = open()
    expect(await read(source, 300, 349)).toEqual(await read(node, 300, 349))
    expect(asked.some((call) => call.startsWith('eth_getLogs'))).toBe(false)
  })

  test('let the width of a range grow past the node’s limit on logs', async () => {
    writeHistoryFiles(whole, { folder, from: 0, to: 1_999 })
    const { source } = open()
    for (let at = 0; at < 600; ) {
      const size = source.rangeSize()
      await source.readRange(at, at + size - 1)
      at += size
    }
    expect(source.rangeSize()).toBeGreaterThan(100)
  })
})

/** What reading the folder's blocks ends with. */
async function failure(from = 300, to = 349): Promise<string> {
  const error = await (async () => read(open().source, from, to))().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StartupError)
  expect(error).toMatchObject({ exitCode: 78 })
  return (error as Error).message.replaceAll(`${folder}/`, '')
}

const write = (change?: (dataset: Dataset, rows: Rows) => void, chainId = DEMO_CHAIN_ID) =>
  writeHistoryFiles(whole, { folder, from: 300, to: 349, chainId, ...(change ? { change } : {}) })

/** Changes one dataset's rows. */
const only = (wanted: Dataset, change: (rows: Rows) => void) => (dataset: Dataset, rows: Rows) => {
  if (dataset === wanted) change(rows)
}
const each = (rows: Rows, change: (values: unknown[]) => void) => Object.values(rows).forEach(change)
const file = (dataset: Dataset) => `HISTORY_FILES: network_727390__${dataset}__00000300_to_00000349.parquet: `
const at = (rows: Rows, block: number) => (rows.block_number ?? []).indexOf(block)

describe('a sentence names the file and the column when', () => {
  test.each([
    ['blocks', 'parent_hash'],
    ['blocks', 'logs_bloom'],
    ['transactions', 'value_binary'],
    ['logs', 'topic3'],
  ] as const)('%s lack the column %s', async (dataset, column) => {
    write(only(dataset, (rows) => delete rows[column]))
    expect(await failure()).toBe(
      `${file(dataset)}column ${column}: is missing; docs/indexing.md has the command that writes it`,
    )
  })

  test.each([
    ['address', 'UINT_32', 'must hold bytes, or hex digits'],
    ['log_index', 'binary', 'must hold whole numbers'],
  ] as const)('the column %s has another type', async (column, type, sentence) => {
    const change = only('logs', (rows) => {
      rows[column] = (rows.address ?? []).map((address) => (type === 'binary' ? address : 1))
    })
    writeHistoryFiles(whole, { folder, from: 300, to: 349, change, types: { [column]: type } })
    expect(await failure()).toBe(`${file('logs')}column ${column}: ${sentence}`)
  })

  test('a block is missing', async () => {
    write(only('blocks', (rows) => each(rows, (values) => values.splice(20, 1))))
    expect(await failure()).toBe(`${file('blocks')}column block_number: row 20 is of block 321 where block 320 follows`)
  })

  test('the last block is missing', async () => {
    write(only('blocks', (rows) => each(rows, (values) => values.pop())))
    expect(await failure()).toBe(`${file('blocks')}column block_number: block 349 is missing`)
  })

  test('a block does not name the one before it as its parent', async () => {
    write(only('blocks', ({ parent_hash = [] }) => parent_hash.splice(20, 1, whole.blocks[5]?.hash)))
    expect(await failure()).toBe(
      `${file('blocks')}column parent_hash: block 320 names ${whole.blocks[5]?.hash} as its parent, but block 319 is ${whole.blocks[319]?.hash}`,
    )
  })

  test('its blocks are of another fork', async () => {
    write(only('blocks', ({ block_hash = [] }) => block_hash.splice(-1, 1, whole.blocks[5]?.hash)))
    expect(await failure()).toBe(
      `${file('blocks')}column block_hash: block 349 is ${whole.blocks[5]?.hash}, but RPC_URL says ${whole.blocks[349]?.hash}: ` +
        'it is of another chain, or was written before a reorganisation',
    )
  })

  test('it is of another chain', async () => {
    write(undefined, 8_453)
    expect(await failure()).toBe(
      'HISTORY_FILES: network_8453__blocks__00000300_to_00000349.parquet: column chain_id: is 8453, but RPC_URL leads to chain 727390',
    )
  })

  test('rows are not in the order of their blocks', async () => {
    write(only('logs', (rows) => each(rows, (values) => values.reverse())))
    expect(await failure()).toMatch(
      /__logs__.*: column block_number: row \d+ is of block \d+, after block \d+: rows must be in order$/,
    )
  })

  test('a block is none of the file’s', async () => {
    write(only('logs', ({ block_number = [] }) => block_number.splice(-1, 1, 350)))
    expect(await failure()).toMatch(
      /column block_number: row \d+ is of block 350, which the file's name does not cover$/,
    )
  })

  test('a log is missing', async () => {
    write(
      only('logs', (rows) => {
        const row = at(rows, TWO)
        each(rows, (values) => values.splice(row, 1))
      }),
    )
    expect(await failure()).toMatch(
      /__logs__.*: column log_index: row \d+ of block \d+ has 1 where 0 follows: rows are missing or out of order. cryo must write all logs, without --topic0 or --address$/,
    )
  })

  test('all logs of a block are missing, and its bloom is not empty', async () => {
    write(
      only('logs', (rows) => {
        const row = at(rows, TWO)
        const count = (rows.block_number ?? []).filter((number) => number === TWO).length
        each(rows, (values) => values.splice(row, count))
      }),
    )
    expect(await failure()).toMatch(
      /^HISTORY_FILES: .*__logs__.*: has no log of block \d+, whose logs_bloom in .*__blocks__.* is not empty$/,
    )
  })

  test('a transaction is missing', async () => {
    const drop = (from: number) =>
      only('transactions', (rows) => {
        const row = at(rows, TWO) + from
        each(rows, (values) => values.splice(row, 1))
      })
    write(drop(0))
    expect(await failure()).toMatch(
      /__transactions__.*: column transaction_index: row \d+ of block \d+ has 1 where 0 follows/,
    )
    write(drop(1))
    const lost = whole.blocks[TWO]?.transactions[1]?.hash
    expect(await failure()).toBe(
      `${file('transactions')}column transaction_hash: has no row of ${lost}, which logs of block ${TWO} name`,
    )
  })

  test('a transaction is not the one that its logs name', async () => {
    write(only('logs', ({ transaction_hash = [] }) => transaction_hash.fill(whole.blocks[5]?.hash)))
    expect(await failure()).toMatch(
      /__transactions__.*: column transaction_hash: row \d+ of block \d+ has 0x\w+, but its logs name 0x\w+$/,
    )
  })

  test('a value is null, too short, or no number', async () => {
    write(only('logs', ({ address = [] }) => address.splice(3, 1, null)))
    expect(await failure()).toBe(`${file('logs')}column address: row 3 is null`)
    write(only('logs', ({ topic1 = [] }) => topic1.splice(3, 1, '0x12')))
    expect(await failure()).toBe(`${file('logs')}column topic1: row 3 has 1 bytes, not 32`)
    write(only('logs', ({ log_index = [] }) => log_index.splice(3, 1, null)))
    expect(await failure()).toBe(`${file('logs')}column log_index: row 3 is null, not a whole number`)
  })

  test('a column of hex text holds another text', async () => {
    const change = only('logs', ({ data = [] }) => data.splice(3, 1, '0x\u0000<script>'))
    writeHistoryFiles(whole, { folder, from: 300, to: 349, isHex: true, change })
    expect(await failure()).toBe(`${file('logs')}column data: row 3 is a text, but not 0x and hex digits`)
  })

  test('it is cut off, is no Parquet, or has damaged bytes', async () => {
    const path = write().find((each) => each.includes('__logs__')) as string
    const bytes = readFileSync(path)
    truncateSync(path, 20_000)
    expect(await failure()).toMatch(/__logs__.*: cannot be read as Parquet: /)
    writeFileSync(path, 'block_number,address\n1,0x\n')
    expect(await failure()).toMatch(/__logs__.*: cannot be read as Parquet: /)
    writeFileSync(path, '')
    expect(await failure()).toMatch(/__logs__.*: cannot be read as Parquet: /)
    writeFileSync(path, bytes.fill(0xff, 8, 1_000))
    expect(await failure()).toMatch(/__logs__.*: column \w+: /)
  })

  test('it is gone', async () => {
    write()
    const { source } = open()
    const path = join(folder, basename(file('logs').slice(15, -2)))
    rmSync(path)
    await expect(read(source, 300, 349)).rejects.toThrow(`HISTORY_FILES: ${path}: cannot be read: ENOENT`)
  })
})

describe('a folder ends the start when', () => {
  const logs = () => write().filter((path) => path.includes('__logs__'))
  const sentence = (what: string) => `HISTORY_FILES: ${folder}: ${what}`

  test('it has no files, or none of a dataset', () => {
    expect(() => open()).toThrow(sentence('has no file NETWORK__blocks__FIRST_to_LAST.parquet, as cryo names them'))
    for (const path of logs()) rmSync(path)
    expect(() => open()).toThrow(sentence('has no file NETWORK__logs__FIRST_to_LAST.parquet, as cryo names them'))
  })

  test('its datasets are of other blocks', () => {
    for (const path of logs()) renameSync(path, path.replace('00000300_to_00000349', '00000400_to_00000449'))
    expect(() => open()).toThrow(sentence('no block is in files of blocks, of transactions and of logs'))
  })
})
