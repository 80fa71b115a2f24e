// A node that has recorded transactions, one in each of its blocks. Input: recordings of one chain. Output: an endpoint
// that serves them as blocks, and answers for their contracts by their logs: the transfers of a pool's swaps give its
// tokens. The factory and other answers are made up; keys of managed pools must hash to their pools' bytes.
import { encodeAbiParameters, toEventSelector, toFunctionSelector } from 'viem'
import type { Recording } from '../../research/goldens/recording.ts'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { joinCoins } from '../../src/book/logs/resting-shares.ts'
import type { DecodedLog, LogOf } from '../../src/chain/event.ts'
import { EXCHANGES, type Venue } from '../../src/chain/exchanges/venues.ts'
import { keccakOfHex } from '../../src/chain/keccak.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createLogDecode } from './decode.ts'
import { readCoinsSwap, tellCoinPool, tellCurvePools } from './recorded-coins.ts'

export interface Recorded {
  recording: Recording
  logs: DecodedLog[]
  swaps: RecordedSwap[]
  /** Additions to pools with an address, and removals from them. */
  changes: RecordedChange[]
}

type ChangeLog = LogOf<'v2_mint' | 'v2_burn' | 'v3_mint' | 'v3_burn' | 'coins_change'>
const CHANGES: readonly string[] = ['v2_mint', 'v2_burn', 'v3_mint', 'v3_burn', 'coins_change']

/** A change of liquidity with the pool's two tokens, as the transfers of the transaction tell them; null: they do not. */
export interface RecordedChange {
  log: ChangeLog
  pool: Address
  amounts: [bigint, bigint]
  tokens: [Address | null, Address | null]
}

type SwapLog = LogOf<'v2_swap' | 'v3_swap' | 'v4_swap' | 'coins_swap'>
const SWAPS: readonly string[] = ['v2_swap', 'v3_swap', 'v4_swap', 'coins_swap']

/** A swap, seen from its pool, and its tokens as its transfers tell them; null: no transfer has the amount. */
export interface RecordedSwap {
  log: SwapLog
  pool: Address
  amounts: [bigint, bigint]
  tokens: [Address | null, Address | null]
}

export function readRecorded(recording: Recording, preset: Preset): Recorded {
  const decode = createLogDecode(preset)
  const raw = recording.logs as unknown as RawLog[]
  const logs = raw.flatMap((log) => decode({ ...log, blockHash: recording.blockHash }) ?? [])
  const swaps = logs.filter((log): log is SwapLog => SWAPS.includes(log.kind))
  const changes = joinCoins(logs).filter((log): log is ChangeLog => CHANGES.includes(log.kind))
  return {
    recording,
    logs,
    swaps: swaps.map((log) => readSwap(logs, log)),
    changes: changes.map((log) => readChange(logs, log)),
  }
}

/**
 * Fees are paid together with removals, so that no transfer need have the amount: the pool's two tokens are those of
 * its transfers.
 */
function readChange(logs: readonly DecodedLog[], log: ChangeLog): RecordedChange {
  const pool = (log.kind === 'coins_change' ? log.pool : null) ?? log.address
  const amounts =
    log.kind === 'coins_change'
      ? ([log.amounts[0] ?? 0n, log.amounts[1] ?? 0n] as [bigint, bigint])
      : ([log.amount0, log.amount1] as [bigint, bigint])
  const moved = logs.flatMap((other) =>
    other.kind === 'transfer' && [other.from, other.to].includes(log.address) && other.address !== pool ? [other] : [],
  )
  const tokens = [...new Set(moved.map(({ address }) => address))].sort()
  const byAmount = amounts.map((amount) => moved.find((other) => other.amount === amount)?.address ?? null)
  const isTold = log.kind !== 'coins_change' && tokens.length === 2
  return { log, pool, amounts, tokens: (isTold ? tokens : byAmount) as RecordedChange['tokens'] }
}

function readSwap(logs: readonly DecodedLog[], log: SwapLog): RecordedSwap {
  if (log.kind === 'coins_swap') return readCoinsSwap(logs, log)
  const [amount0, amount1] =
    log.kind === 'v2_swap'
      ? [log.amount0In - log.amount0Out, log.amount1In - log.amount1Out]
      : [log.amount0, log.amount1]
  const tokenOf = (amount: bigint) => {
    const size = amount < 0n ? -amount : amount
    const moved = logs.flatMap((other) =>
      other.kind === 'transfer' && (amount > 0n ? other.to : other.from) === log.address ? [other] : [],
    )
    const found = moved.find((other) => other.amount === size)
    // A token that takes a tax leaves in other amounts than its log says: it is then the only one that leaves.
    const [only, ...rest] = new Set(moved.map(({ address }) => address))
    return found?.address ?? (rest.length === 0 && only !== undefined ? only : null)
  }
  return {
    log,
    pool: 'pool' in log ? log.pool : log.address,
    amounts: [amount0, amount1],
    tokens: [tokenOf(amount0), tokenOf(amount1)],
  }
}

const hex = (number: number | bigint) => `0x${number.toString(16)}`
const fill = (text: string) => `0x${text.padStart(64, '0')}`
const word = (value: string | number | bigint) => encodeAbiParameters([{ type: 'uint256' }], [BigInt(value)])
const FIRST_TIME = 1_760_000_000

/** A deep pair of a token and money of the chain, as the chain has it and a recording of one transaction cannot show. Raw amounts. */
export interface DeepPair {
  token: Address
  money: Address
  reserves: readonly [token: bigint, money: bigint]
}

/** A pair's first logs: its factory opens it, and it tells its reserves. */
function openDeep({ token, money, reserves }: DeepPair, at: number, preset: Preset): object[] {
  const factory = preset.factories.find(({ kind }) => kind === 'v2')
  if (!factory) throw new Error(`no factory of pairs on ${preset.name}`)
  const pair = `0x${'d'.repeat(36)}${(at + 1).toString(16).padStart(4, '0')}`
  const isFirst = token < money
  const [sides, amounts] = isFirst ? [[token, money], reserves] : [[money, token], [...reserves].reverse()]
  const place = {
    blockNumber: '0x0',
    blockHash: fill('f00'),
    transactionHash: fill('deed'),
    transactionIndex: '0x0',
    removed: false,
  }
  const words = (...values: (string | bigint)[]) => `0x${values.map((value) => word(value).slice(2)).join('')}`
  const opened = [toEventSelector('PairCreated(address,address,address,uint256)'), ...sides.map((side) => word(side))]
  const synced = [toEventSelector('Sync(uint112,uint112)')]
  return [
    { ...place, address: factory.address, topics: opened, data: words(pair, 1n), logIndex: hex(2 * at) },
    { ...place, address: pair, topics: synced, data: words(...amounts), logIndex: hex(2 * at + 1) },
  ]
}

/** The recordings are blocks 1, 2 and so on; block 0 has `deep` pairs alone. `decimals` of tokens that are not said have 18. */
export function createRecordedNode(
  recorded: readonly Recorded[],
  preset: Preset,
  decimals: ReadonlyMap<string, number>,
  deep: readonly DeepPair[] = [],
): Endpoint {
  const hashOf = (number: number) => recorded[number - 1]?.recording.blockHash ?? fill(number < 0 ? '' : 'f00')
  const head = recorded.length
  const viewBlock = (number: number) => {
    const { recording } = recorded[number - 1] ?? {}
    return {
      number: hex(number),
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: hex(FIRST_TIME + 12 * number),
      transactions: recording
        ? [
            {
              hash: recording.txHash,
              from: recording.from,
              to: recording.to ?? null,
              value: recording.value,
              input: '0x00',
            },
          ]
        : number === 0 && deep.length > 0
          ? [{ hash: fill('deed'), from: `0x${'1'.padStart(40, '0')}`, to: null, value: '0x0', input: '0x00' }]
          : [],
    }
  }
  const opening = deep.flatMap((pair, at) => openDeep(pair, at, preset))
  const logsOf = (from: number, to: number) => [
    ...(from <= 0 ? opening : []),
    ...recorded.flatMap(({ recording }, at) =>
      at + 1 < from || at + 1 > to
        ? []
        : recording.logs.map((log) => ({
            ...log,
            blockNumber: hex(at + 1),
            blockHash: recording.blockHash,
            transactionIndex: '0x0',
          })),
    ),
  ]
  const constants = tellPools(recorded, preset)

  function answer({ method, params }: Call): RpcAnswer {
    const [subject, tag] = params as [string & Record<string, string>, string]
    if (method === 'eth_chainId') return { result: hex(preset.chainId) }
    if (method === 'eth_getBlockByNumber' && subject === 'finalized')
      return { error: new RpcError('rejected', 'no such tag') }
    if (method === 'eth_getBlockByNumber') return { result: viewBlock(subject === 'latest' ? head : Number(subject)) }
    if (method === 'eth_getLogs' && subject.blockHash !== undefined) {
      const number = recorded.findIndex(({ recording }) => recording.blockHash === subject.blockHash) + 1
      return { result: logsOf(number, number) }
    }
    if (method === 'eth_getLogs') return { result: logsOf(Number(subject.fromBlock), Number(subject.toBlock)) }
    if (tag !== 'latest') return { error: new RpcError('pruned', 'missing trie node') }
    if (subject.data === toFunctionSelector('decimals()')) return { result: word(decimals.get(`${subject.to}`) ?? 18) }
    const result = constants.get(`${subject.to} ${subject.data}`)
    return result ? { result } : { error: new RpcError('execution', 'execution reverted') }
  }
  return { name: 'recorded', send: async (calls) => calls.map(answer) }
}

/** What contracts say, by address and call data. */
function tellPools(recorded: readonly Recorded[], preset: Preset): Map<string, `0x${string}`> {
  const told = new Map<string, `0x${string}`>()
  for (const each of recorded) for (const named of [...each.swaps, ...each.changes]) tellPool(told, preset, each, named)
  for (const [asked, answer] of tellCurvePools(recorded, preset)) told.set(asked, answer)
  return told
}

/** The key by which a factory tells pools apart; any will do, as long as no two pools of two tokens have the same. */
let lastKey = 0

function tellPool(
  told: Map<string, `0x${string}`>,
  preset: Preset,
  each: Recorded,
  named: RecordedSwap | RecordedChange,
): void {
  const { recording } = each
  const { log, pool, tokens } = named
  if (log.kind === 'coins_swap' || log.kind === 'coins_change') {
    for (const [asked, answer] of tellCoinPool(recording, preset, named)) told.set(asked, answer)
    return
  }
  if (log.kind === 'v4_swap') {
    const manager = preset.factories.find(({ address }) => address === log.address)
    if (!manager || told.has(pool)) return
    told.set(pool, '0x')
    const key = keyOf(each, { log, tokens }, manager.kind)
    if (!key) return
    if (manager.kind === 'v4') told.set(`${manager.positions} 0x86b6be7d${pool.slice(2, 52).padEnd(64, '0')}`, key)
    else told.set(`${manager.address} 0x0e2d484a${pool.slice(2)}`, key)
    return
  }
  const own = namesOf(recording, pool)
  const isAlgebra = own.some((name) => /^(algebra|integral)/.test(name))
  const isSolidly = own.some((name) => name.startsWith('solidly.'))
  const kinds = log.kind.startsWith('v2_')
    ? isSolidly
      ? ['solidly', 'solidly_v1']
      : ['v2']
    : isAlgebra
      ? ['algebra', 'v3']
      : ['v3']
  const factories = kinds.flatMap((kind) => preset.factories.filter((each) => each.kind === kind))
  const [token0, token1] = tokens
  if (!token0 || !token1 || told.has(`${pool} ${toFunctionSelector('factory()')}`)) return
  // A factory has one pool of two tokens, or one per key: two pairs of the same tokens are of two factories.
  for (const factory of factories) {
    const traits = EXCHANGES[factory.kind].pools
    if (!traits) continue
    for (const key of traits.keyIsStable ? [0, 1] : [++lastKey]) {
      const asked = [token0, token1, ...(traits.key ? [key] : [])].map((value) => word(value).slice(2)).join('')
      const question = `${factory.address} ${toFunctionSelector(traits.find)}${asked}`
      if (told.has(question)) continue
      told.set(question, word(pool))
      told.set(`${pool} ${toFunctionSelector('factory()')}`, word(factory.address))
      told.set(`${pool} ${toFunctionSelector('token0()')}`, word(token0))
      told.set(`${pool} ${toFunctionSelector('token1()')}`, word(token1))
      if (traits.key) told.set(`${pool} ${toFunctionSelector(traits.key)}`, word(key))
      return
    }
  }
}

/** The recording's names of a contract's logs. */
function namesOf({ events, logs }: Recording, address: Address): string[] {
  const own = new Set(
    logs.filter((log) => log.address.toLowerCase() === address).map(({ logIndex }) => Number(logIndex)),
  )
  return events.flatMap(({ logIndex, name }) => (own.has(Number(logIndex)) ? [name] : []))
}

/** The tick spacings that pools mostly have. */
const SPACINGS = [1, 10, 60, 200, 2, 5, 8, 20, 25, 30, 50, 100]
/** Usual fees, besides the one that was paid; the last stands for one that a hook sets. */
const FEES = [100, 500, 3000, 10_000, 0x80_0000]
/** Where Infinity's swap says which part of the fee is the protocol's. */
const PROTOCOL_FEE_WORD = 6

/**
 * The key whose hash is the pool's; null if none is found. Candidates are two tokens of the transaction, this fee or a
 * usual one, and the usual tick spacings. Each has no hook, or one that the pool's own logs name as the sender. A hash
 * proves the key, so guessing is safe. Coins that stay with the manager have no transfer: the hook's logs name them.
 */
function keyOf(
  each: Recorded,
  { log, tokens }: Pick<RecordedSwap, 'log' | 'tokens'>,
  kind: Venue,
): `0x${string}` | null {
  const { pool, fee, address } = log as LogOf<'v4_swap'>
  const raw = each.recording.logs
  const moved = [ZERO_ADDRESS, ...each.logs.flatMap((other) => (other.kind === 'transfer' ? [other.address] : []))]
  const senders = raw.flatMap(({ topics }) => (topics[1] === pool ? addressesIn([topics[2]]) : []))
  const wordsOf = (data: string) => data.match(/[0-9a-f]{64}/g)?.map((value) => `0x${value}`)
  const own = raw.find(({ logIndex }) => Number(logIndex) === log.logIndex)
  const protocolFee = kind === 'v4' ? 0 : Number(wordsOf(own?.data.slice(2) ?? '')?.[PROTOCOL_FEE_WORD] ?? 0)
  const fees = [fee - protocolFee, ...FEES]
  for (const hook of new Set([ZERO_ADDRESS, ...senders])) {
    const named = raw.flatMap((other) =>
      other.address === hook ? addressesIn([...other.topics, ...(wordsOf(other.data.slice(2)) ?? [])]) : [],
    )
    const among = [...new Set(hook === ZERO_ADDRESS ? moved : [...moved, ...named])]
    const [sides0, sides1] = tokens.map((token) => (token ? [token] : among)) as [Address[], Address[]]
    for (const token0 of sides0)
      for (const token1 of sides1) {
        if (token0 >= token1) continue
        for (const each of fees)
          for (const spacing of SPACINGS) {
            const words =
              kind === 'v4'
                ? [token0, token1, each, spacing, hook]
                : [token0, token1, hook, address, each, BigInt(spacing) << 16n]
            const key = words.map((value) => word(value).slice(2)).join('')
            if (keccakOfHex(key) === pool) return `0x${key}`
          }
      }
  }
  return null
}

/** Those of the words that can be addresses. */
const addressesIn = (words: readonly (string | undefined)[]): Address[] =>
  words.flatMap((value) =>
    value && /^0x0{24}(?!0{16})[0-9a-f]{40}$/.test(value) ? [toAddress(`0x${value.slice(26)}`)] : [],
  )
