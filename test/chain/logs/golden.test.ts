// Real logs of Ethereum mainnet give the same result with our decoder and with viem's ABI decoder.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Abi, decodeEventLog, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { FOR_OTHERS } from '../../../src/chain/exchanges/attribution.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import { createLogDecode } from '../../support/decode.ts'

const BLOCKS = resolve('../shared/data/mainnet-blocks/blocks-with-receipts.ndjson.gz')
const RECORDINGS = resolve('../shared/data/rpc-recordings/request-response-pairs.tar.xz')
const ABSENT = '(skipped where ../shared/data is absent)'

const preset = loadPreset(1)
const factories = preset.factories.map(({ address }) => address as string)
const positions = preset.factories.flatMap((factory) => factory.positions ?? []) as string[]

type Arguments = Record<string, bigint | string | number>
const signed = (x: unknown) => x as bigint
const one = (event: string): Abi => parseAbi([event])
const lockers = (kind: string) =>
  preset.lockers.filter((it) => it.kind === kind).map(({ address }) => address as string)
/** Names of the summed arguments: the amount and the end of a lock. */
const LOCK = ['a', 'b']

/** The kind, its emitters (null: any), the event, and its arguments that are summed. */
const READERS: [kind: string, emitters: readonly string[] | null, abi: Abi, sums: string[]][] = [
  ['transfer', null, one('event Transfer(address indexed from, address indexed to, uint256 a)'), ['a']],
  ['transfer', null, one('event Transfer(address from, address to, uint256 a)'), ['a']],
  ['deposit', [preset.wrappedNative], one('event Deposit(address indexed to, uint256 a)'), ['a']],
  ['withdrawal', [preset.wrappedNative], one('event Withdrawal(address indexed from, uint256 a)'), ['a']],
  [
    'pool_opened',
    factories,
    one('event PairCreated(address indexed t0, address indexed t1, address p, uint256 n)'),
    [],
  ],
  [
    'pool_opened',
    factories,
    one('event PoolCreated(address indexed t0, address indexed t1, uint24 indexed f, int24 s, address p)'),
    [],
  ],
  ['v2_mint', null, one('event Mint(address indexed s, uint256 a, uint256 b)'), ['a', 'b']],
  ['v2_burn', null, one('event Burn(address indexed s, uint256 a, uint256 b, address indexed to)'), ['a', 'b']],
  [
    'v2_swap',
    null,
    one('event Swap(address indexed s, uint256 a, uint256 b, uint256 c, uint256 d, address indexed to)'),
    ['a', 'b', 'c', 'd'],
  ],
  ['v2_sync', null, one('event Sync(uint112 a, uint112 b)'), ['a', 'b']],
  // The same events in Solidly's formats, and its gauges.
  ['v2_sync', null, one('event Sync(uint256 a, uint256 b)'), ['a', 'b']],
  [
    'v2_swap',
    null,
    one('event Swap(address indexed s, address indexed to, uint256 a, uint256 b, uint256 c, uint256 d)'),
    ['a', 'b', 'c', 'd'],
  ],
  ['v2_burn', null, one('event Burn(address indexed s, address indexed to, uint256 a, uint256 b)'), ['a', 'b']],
  ['shares_staked', null, one('event Deposit(address indexed s, address indexed to, uint256 a)'), ['a']],
  ['shares_unstaked', null, one('event Withdraw(address indexed owner, uint256 a)'), ['a']],
  ['shares_staked', null, one('event Deposit(address indexed owner, uint256 a)'), ['a']],
  ['shares_staked', null, one('event Staked(address indexed owner, uint256 a)'), ['a']],
  ['shares_unstaked', null, one('event Withdrawn(address indexed owner, uint256 a)'), ['a']],
  ['shares_staked', null, one('event Deposit(address indexed owner, uint256 indexed p, uint256 a)'), ['a']],
  ['shares_unstaked', null, one('event Withdraw(address indexed owner, uint256 indexed p, uint256 a)'), ['a']],
  ['shares_unstaked', null, one('event EmergencyWithdraw(address indexed owner, uint256 indexed p, uint256 a)'), ['a']],
  [
    'shares_staked',
    null,
    one('event Deposit(address indexed s, uint256 indexed p, uint256 a, address indexed owner)'),
    ['a'],
  ],
  ['v3_initialize', null, one('event Initialize(uint160 a, int24 t)'), ['a']],
  [
    'v3_mint',
    null,
    one('event Mint(address s, address indexed o, int24 indexed l, int24 indexed u, uint128 n, uint256 a, uint256 b)'),
    ['a', 'b', 'n'],
  ],
  [
    'v3_burn',
    null,
    one('event Burn(address indexed o, int24 indexed l, int24 indexed u, uint128 n, uint256 a, uint256 b)'),
    ['a', 'b', 'n'],
  ],
  [
    'v3_swap',
    null,
    one('event Swap(address indexed s, address indexed r, int256 a, int256 b, uint160 p, uint128 n, int24 t)'),
    ['a', 'b', 'p', 'n'],
  ],
  // The same event in PancakeSwap's format.
  [
    'v3_swap',
    null,
    one(
      'event Swap(address indexed s, address indexed r, int256 a, int256 b, uint160 p, uint128 n, int24 t, uint128 f, uint128 g)',
    ),
    ['a', 'b', 'p', 'n'],
  ],
  [
    'settled',
    FOR_OTHERS.settlement,
    one('event Trade(address indexed o, address s, address b, uint256 a, uint256 c, uint256 f, bytes uid)'),
    [],
  ],
  [
    'filled',
    FOR_OTHERS.reactor,
    one('event Fill(bytes32 indexed h, address indexed f, address indexed s, uint256 n)'),
    [],
  ],
  ['filled', FOR_OTHERS.order_book, one('event OrderFilled(address indexed m, bytes32 h, uint256 r)'), []],
  ['filled', FOR_OTHERS.order_book, one('event OrderFilled(bytes32 h, uint256 r)'), []],
  [
    'position_moved',
    positions,
    one('event Transfer(address indexed from, address indexed to, uint256 indexed id)'),
    ['id'],
  ],
  [
    'position_changed',
    positions,
    one('event IncreaseLiquidity(uint256 indexed id, uint128 n, uint256 a, uint256 b)'),
    ['id'],
  ],
  [
    'position_changed',
    positions,
    one('event DecreaseLiquidity(uint256 indexed id, uint128 n, uint256 a, uint256 b)'),
    ['id'],
  ],
  [
    'position_collected',
    positions,
    one('event Collect(uint256 indexed id, address r, uint256 amount0, uint256 amount1)'),
    ['amount0', 'amount1'],
  ],
  ['lock_added', lockers('uncx'), one('event onDeposit(address t, address u, uint256 a, uint256 f, uint256 b)'), LOCK],
  ['lock_taken', lockers('uncx'), one('event onWithdraw(address t, uint256 a)'), ['a']],
  [
    'lock_set',
    lockers('team_finance'),
    one('event Deposit(uint256 id, address indexed t, address indexed w, uint256 a, uint256 b)'),
    LOCK,
  ],
  [
    'lock_reduced',
    lockers('team_finance'),
    one('event LogTokenWithdrawal(uint256 id, address indexed t, address indexed w, uint256 a)'),
    ['a'],
  ],
]

/** Events of other exchanges in these blocks; research/goldens has them. */
const OF_GOLDENS = new Set(['coins_swap', 'coins_change', 'coins_listed'])

/** The fields of our decoder whose sums are compared, per kind. */
const FIELDS: Record<string, string[]> = {
  transfer: ['amount'],
  deposit: ['amount'],
  withdrawal: ['amount'],
  v2_mint: ['amount0', 'amount1'],
  v2_burn: ['amount0', 'amount1'],
  v2_swap: ['amount0In', 'amount1In', 'amount0Out', 'amount1Out'],
  v2_sync: ['reserve0', 'reserve1'],
  shares_staked: ['amount'],
  shares_unstaked: ['amount'],
  v3_initialize: ['sqrtPriceX96'],
  v3_mint: ['amount0', 'amount1', 'liquidity'],
  v3_burn: ['amount0', 'amount1', 'liquidity'],
  v3_swap: ['amount0', 'amount1', 'sqrtPriceX96', 'liquidity'],
  position_moved: ['number'],
  position_changed: ['number'],
  position_collected: ['amount0', 'amount1'],
  lock_added: ['amount', 'endsAt'],
  lock_taken: ['amount'],
  lock_set: ['amount', 'endsAt'],
  lock_reduced: ['amount'],
}

type Tally = Map<string, { count: number; sum: bigint }>

function add(tally: Tally, kind: string, address: string, values: bigint[]): void {
  for (const key of [kind, `${kind} of ${address}`]) {
    const entry = tally.get(key) ?? { count: 0, sum: 0n }
    tally.set(key, { count: entry.count + 1, sum: values.reduce((sum, value) => sum + value, entry.sum) })
  }
}

function readByAbi(logs: readonly RawLog[]): Tally {
  const tally: Tally = new Map()
  for (const log of logs) {
    for (const [kind, emitters, abi, names] of READERS) {
      if (emitters && !emitters.includes(log.address)) continue
      try {
        const { args } = decodeEventLog({
          abi,
          topics: log.topics as [`0x${string}`],
          data: log.data as `0x${string}`,
          strict: true,
        })
        add(
          tally,
          kind,
          log.address,
          names.map((name) => signed((args as unknown as Arguments)[name])),
        )
        break
      } catch {
        // The log belongs to another event.
      }
    }
  }
  return tally
}

function readByOurs(logs: readonly RawLog[]): Tally {
  const decode = createLogDecode(preset)
  const tally: Tally = new Map()
  for (const log of logs) {
    const decoded = decode(log) as unknown as ({ kind: string } & Record<string, bigint>) | null
    if (decoded && !OF_GOLDENS.has(decoded.kind))
      add(
        tally,
        decoded.kind,
        log.address,
        (FIELDS[decoded.kind] ?? []).map((field) => BigInt(decoded[field]!)),
      )
  }
  return tally
}

function readRecordings(): RawLog[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-recordings-'))
  try {
    execFileSync('tar', ['-xJf', RECORDINGS, '-C', folder])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    const pairs = files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown)
    return collectLogs(pairs)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** All logs in a JSON value, at any depth. */
function collectLogs(value: unknown): RawLog[] {
  if (typeof value !== 'object' || value === null) return []
  if ('topics' in value && 'logIndex' in value) return [value as RawLog]
  return Object.values(value).flatMap(collectLogs)
}

describe(`real logs decode as viem decodes them ${ABSENT}`, () => {
  it.skipIf(!existsSync(BLOCKS))('14 blocks of 2020 and 2021: equal counts per kind and sums per contract', () => {
    const lines = gunzipSync(readFileSync(BLOCKS)).toString().trim().split('\n')
    const logs = lines.flatMap((line) => collectLogs(JSON.parse(line)))
    const ours = readByOurs(logs)
    expect(logs).toHaveLength(4657)
    expect(ours.get('v2_swap')?.count).toBeGreaterThan(100)
    expect(ours).toEqual(readByAbi(logs))
  })

  it.skipIf(!existsSync(RECORDINGS))('recordings of a mainnet node: equal counts and sums', () => {
    const logs = readRecordings()
    const ours = readByOurs(logs)
    expect(ours.get('transfer')?.count).toBeGreaterThan(1000)
    expect(ours).toEqual(readByAbi(logs))
  })
})
