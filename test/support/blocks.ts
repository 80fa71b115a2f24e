// An in-memory market that produces ChainBlocks. It has tokens, V2 pairs, V3 pools and wallets with the logs of the
// real contracts. Its reader answers contract calls at any block. It is deterministic and can be rolled back.
import { type Address, type Hash, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import type { ChainReader, PoolMetadata } from '../../src/chain/contracts/reader.ts'
import type { ChainBlock, DecodedLog, Transaction } from '../../src/chain/event.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'

/** An address whose last digits can be recognised. */
export const addressOf = (kind: string, n: number): Address =>
  toAddress(`0x${Buffer.from(kind).toString('hex').slice(0, 16).padEnd(32, '0')}${n.toString(16).padStart(8, '0')}`)

export const WETH = addressOf('weth', 1)
export const USDC = addressOf('usdc', 1)
export const ROUTER = addressOf('router', 1)
const V2_FACTORY = addressOf('factory2', 2)
const V3_FACTORY = addressOf('factory3', 3)
export const DEAD = addressOf('dead', 1)
/** A locker that gives its locks no numbers, and one that numbers them. */
export const LOCKER = addressOf('locker', 1)
export const NUMBERED_LOCKER = addressOf('locker', 2)
export const wallet = (n: number): Address => addressOf('wallet', n)

export const marketPreset: Preset = {
  chainId: 31337,
  name: 'market',
  wrappedNative: WETH,
  nativeSymbol: 'ETH',
  stablecoins: [USDC],
  factories: [
    { address: V2_FACTORY, kind: 'v2', launchpad: 'uniswap_v2' },
    { address: V3_FACTORY, kind: 'v3', launchpad: 'uniswap_v3' },
  ],
  burnAddresses: [DEAD],
  lockers: [
    { address: LOCKER, name: 'uncx', kind: 'uncx' },
    { address: NUMBERED_LOCKER, name: 'pinklock', kind: 'pinklock' },
  ],
  exchanges: [],
  finalityDepth: 8,
  minPoolDepthUsd: 1_000,
  sectors: {},
  startBlock: 0,
}

interface Token {
  decimals: number | null
  /** Percent of a transfer that goes to the zero address. */
  feePct: number
  supply: bigint
  balances: Map<Address, bigint>
}
interface Pool {
  kind: 'v2' | 'v3'
  token0: Address
  token1: Address
  reserve0: bigint
  reserve1: bigint
  /** V3: the active liquidity. */
  liquidity: bigint
}
interface State {
  tokens: Map<Address, Token>
  pools: Map<Address, Pool>
}

/** A log without its place in the chain. */
type Log = DecodedLog extends infer Each
  ? Each extends DecodedLog
    ? Omit<Each, 'logIndex' | 'txHash' | 'address'>
    : never
  : never

/** Emits a log in the current transaction. */
export type Emit = (address: Address, log: Log) => void

export type Market = ReturnType<typeof createMarket>

/** Adds so much of the token to a pool, and so much of the pool's other one. */
export function addSides(
  market: Market,
  pool: Address,
  by: Address,
  token: Address,
  amount: bigint,
  other: bigint,
): void {
  const isFirst = market.pool(pool).token0 === token
  market.add(pool, by, isFirst ? amount : other, isFirst ? other : amount)
}

/**
 * A market before block 0 with WETH at 2,000 USDC. The owner has so many whole dollars and coins, and puts 2,000,000 and 1,000 of
 * them into the pair `quotes`.
 */
export function createQuotedMarket(owner: Address, { dollars = 4_000_000n, coins = 2_000n } = {}) {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.mint(USDC, owner, dollars * 10n ** 6n)
  market.wrap(owner, coins * 10n ** 18n)
  const quotes = market.createPool(owner, WETH, USDC)
  addSides(market, quotes, owner, WETH, 1_000n * 10n ** 18n, 2_000_000n * 10n ** 6n)
  return { market, quotes }
}

/** A market before block 0. A block takes `seconds` unless `mine` gets another duration. */
export function createMarket({ seconds = 12, startTime = 1_760_000_000 } = {}) {
  let state: State = { tokens: new Map(), pools: new Map() }
  const blocks: ChainBlock[] = []
  const past: State[] = []
  let pending: { transactions: Transaction[]; logs: DecodedLog[] } = { transactions: [], logs: [] }
  let salt = 0

  const tx = (from: Address, to: Address | null, write: (emit: Emit) => void, value = 0n): void => {
    const hash = hashOf(`tx${blocks.length}:${salt}:${pending.transactions.length}`)
    const before = pending.logs.length
    write((address, log) => {
      pending.logs.push({ ...log, address, logIndex: pending.logs.length, txHash: hash } as DecodedLog)
    })
    const plain = pending.logs.length === before
    pending.transactions.push({ hash, index: pending.transactions.length, from, to, value, plain })
  }

  const tokenOf = (address: Address): Token => {
    const token = state.tokens.get(address)
    if (!token) throw new Error(`no token ${address}`)
    return token
  }
  const poolOf = (address: Address): Pool => {
    const pool = state.pools.get(address)
    if (!pool) throw new Error(`no pool ${address}`)
    return pool
  }
  const balance = (token: Address, holder: Address): bigint => state.tokens.get(token)?.balances.get(holder) ?? 0n
  const shift = (token: Address, holder: Address, change: bigint) => {
    if (holder === ZERO_ADDRESS) tokenOf(token).supply -= change
    else tokenOf(token).balances.set(holder, balance(token, holder) + change)
  }
  /** Moves tokens and emits the log. A token with a fee burns part of each transfer. Returns what arrived. */
  const move = (emit: Emit, token: Address, from: Address, to: Address, amount: bigint): bigint => {
    const { feePct } = tokenOf(token)
    const fee = from === ZERO_ADDRESS || to === ZERO_ADDRESS ? 0n : (amount * BigInt(feePct)) / 100n
    const parts: [Address, bigint][] = [[to, amount - fee]]
    if (fee > 0n) parts.push([ZERO_ADDRESS, fee])
    for (const [recipient, part] of parts) {
      shift(token, from, -part)
      shift(token, recipient, part)
      emit(token, { kind: 'transfer', from, to: recipient, amount: part })
    }
    return amount - fee
  }
  /** Sets the V2 reserves to the pair's balances. */
  const sync = (emit: Emit, address: Address) => {
    const pool = poolOf(address)
    pool.reserve0 = balance(pool.token0, address)
    pool.reserve1 = balance(pool.token1, address)
    if (pool.kind === 'v2') {
      emit(address, { kind: 'v2_sync', reserve0: pool.reserve0, reserve1: pool.reserve1 })
    }
  }
  const rootOf = ({ reserve0, reserve1 }: Pool): bigint =>
    reserve0 > 0n ? root((reserve1 << 192n) / reserve0) : 1n << 96n
  const tickOf = (pool: Pool): number => Math.floor((2 * Math.log(Number(rootOf(pool)) / 2 ** 96)) / Math.log(1.0001))

  const market = {
    blocks,
    tx,
    move,
    balance,
    supply: (token: Address) => tokenOf(token).supply,
    pool: poolOf,
    holders: (token: Address) => [...tokenOf(token).balances].filter(([, held]) => held > 0n),
    tokens: () => [...state.tokens.keys()],
    pools: () => [...state.pools.keys()],

    token(
      address: Address,
      { decimals = 18, feePct = 0 }: { decimals?: number | null; feePct?: number } = {},
    ): Address {
      state.tokens.set(address, { decimals, feePct, supply: 0n, balances: new Map() })
      return address
    },
    mint(token: Address, to: Address, amount: bigint, by = to) {
      tx(by, token, (emit) => move(emit, token, ZERO_ADDRESS, to, amount))
    },
    transfer(token: Address, from: Address, to: Address, amount: bigint) {
      tx(from, token, (emit) => move(emit, token, from, to, amount))
    },
    native(from: Address, to: Address, value: bigint) {
      tx(from, to, () => {}, value)
    },
    wrap(who: Address, amount: bigint) {
      tx(who, WETH, (emit) => {
        shift(WETH, who, amount)
        tokenOf(WETH).supply += amount
        emit(WETH, { kind: 'deposit', to: who, amount })
      })
    },
    unwrap(who: Address, amount: bigint) {
      tx(who, WETH, (emit) => {
        shift(WETH, who, -amount)
        tokenOf(WETH).supply -= amount
        emit(WETH, { kind: 'withdrawal', from: who, amount })
      })
    },
    createPool(by: Address, a: Address, b: Address, kind: 'v2' | 'v3' = 'v2', n = state.pools.size + 1): Address {
      const [token0, token1] = a < b ? [a, b] : [b, a]
      const pool = addressOf(kind === 'v2' ? 'pair' : 'pool3', n)
      tx(by, kind === 'v2' ? V2_FACTORY : V3_FACTORY, (emit) => {
        const opened = { token0, token1, fee: 3000, stable: false, pool }
        emit(kind === 'v2' ? V2_FACTORY : V3_FACTORY, { kind: 'pool_opened', ...opened })
      })
      state.pools.set(pool, { kind, token0, token1, reserve0: 0n, reserve1: 0n, liquidity: 0n })
      if (kind === 'v2') market.token(pool)
      return pool
    },
    /** Adds liquidity in amounts of token0 and token1. */
    add(pool: Address, by: Address, amount0: bigint, amount1: bigint) {
      const { kind, token0, token1, reserve0 } = poolOf(pool)
      tx(by, ROUTER, (emit) => {
        const in0 = move(emit, token0, by, pool, amount0)
        const in1 = move(emit, token1, by, pool, amount1)
        if (kind === 'v3') return addV3(emit, pool, by, in0, in1)
        const supply = tokenOf(pool).supply
        if (supply === 0n) move(emit, pool, ZERO_ADDRESS, ZERO_ADDRESS, 0n)
        const shares = supply === 0n ? root(in0 * in1) : (in0 * supply) / (reserve0 || 1n)
        if (supply === 0n) {
          tokenOf(pool).supply += 1000n
          emit(pool, { kind: 'transfer', from: ZERO_ADDRESS, to: ZERO_ADDRESS, amount: 1000n })
        }
        move(emit, pool, ZERO_ADDRESS, by, supply === 0n ? shares - 1000n : shares)
        sync(emit, pool)
        emit(pool, { kind: 'v2_mint', amount0: in0, amount1: in1 })
      })
    },
    /** Removes this percentage of the provider's liquidity. */
    remove(pool: Address, by: Address, pct: bigint) {
      tx(by, ROUTER, (emit) => takeOut(emit, pool, by, pct))
    },
    /** The same within a transaction that does more. */
    takeOut,
    /** Sells an amount of one token for the other, which goes to `to`. */
    swap(pool: Address, by: Address, tokenIn: Address, amount: bigint, to = by) {
      tx(by, ROUTER, (emit) => swapIn(emit, pool, by, tokenIn, amount, to))
    },
    /** Sells through two pools in one transaction; the router holds the amount in between. */
    route(by: Address, first: Address, second: Address, tokenIn: Address, amount: bigint) {
      const { token0, token1 } = poolOf(first)
      tx(by, ROUTER, (emit) => {
        const out = swapIn(emit, first, by, tokenIn, amount, ROUTER)
        swapIn(emit, second, ROUTER, tokenIn === token0 ? token1 : token0, out, by)
      })
    },
    /** Locks tokens until a time in seconds since 1970. With a `number` it uses the locker that numbers its locks. */
    lock(token: Address, by: Address, amount: bigint, endsAt: number, number: number | null = null) {
      const locker = number === null ? LOCKER : NUMBERED_LOCKER
      tx(by, locker, (emit) => {
        move(emit, token, by, locker, amount)
        const said = { token, owner: by, amount, endsAt }
        emit(locker, number === null ? { kind: 'lock_added', ...said } : { kind: 'lock_set', number, ...said })
      })
    },
    /** Withdraws tokens from a lock. */
    unlock(token: Address, by: Address, amount: bigint, number: number | null = null) {
      const locker = number === null ? LOCKER : NUMBERED_LOCKER
      tx(by, locker, (emit) => {
        move(emit, token, locker, by, amount)
        emit(locker, number === null ? { kind: 'lock_taken', token, amount } : { kind: 'lock_reduced', number, amount })
      })
    },
    /** Closes the block. */
    mine(after = seconds): ChainBlock {
      const number = blocks.length
      const parent = blocks.at(-1)
      const block: ChainBlock = {
        number,
        hash: hashOf(`block${number}:${salt}:${pending.logs.length}`),
        parentHash: parent?.hash ?? hashOf('genesis'),
        time: parent ? parent.time + after : startTime,
        ...pending,
      }
      pending = { transactions: [], logs: [] }
      blocks.push(block)
      past.push(copy(state))
      return block
    },
    /** Drops all blocks after this one; the blocks mined next have other hashes. */
    goBack(number: number) {
      blocks.length = number + 1
      past.length = number + 1
      state = copy(past[number] as State)
      pending = { transactions: [], logs: [] }
      salt += 1
    },
    reader: readerOf((block) => past[block]),
  }

  function swapIn(emit: Emit, address: Address, by: Address, tokenIn: Address, amount: bigint, to: Address): bigint {
    const pool = poolOf(address)
    const isZero = tokenIn === pool.token0
    const [rIn, rOut] = isZero ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
    const tokenOut = isZero ? pool.token1 : pool.token0
    // A V3 pool pays out first and is paid in its callback; a V2 pair is paid first.
    const { feePct } = tokenOf(tokenIn)
    const arrives = amount - (amount * BigInt(feePct)) / 100n
    const out = (arrives * 997n * rOut) / (rIn * 1000n + arrives * 997n)
    if (pool.kind === 'v2') move(emit, tokenIn, by, address, amount)
    move(emit, tokenOut, address, to, out)
    if (pool.kind === 'v3') move(emit, tokenIn, by, address, amount)
    sync(emit, address)
    if (pool.kind === 'v3') {
      const [amount0, amount1] = isZero ? [arrives, -out] : [-out, arrives]
      const sqrtPriceX96 = rootOf(pool)
      emit(address, { kind: 'v3_swap', amount0, amount1, sqrtPriceX96, liquidity: pool.liquidity, tick: tickOf(pool) })
      return out
    }
    const amounts = isZero
      ? { amount0In: arrives, amount1In: 0n, amount0Out: 0n, amount1Out: out }
      : { amount0In: 0n, amount1In: arrives, amount0Out: out, amount1Out: 0n }
    emit(address, { kind: 'v2_swap', to, ...amounts })
    return out
  }
  function addV3(emit: Emit, address: Address, by: Address, amount0: bigint, amount1: bigint) {
    const pool = poolOf(address)
    const isFirst = pool.liquidity === 0n
    const liquidity = root(amount0 * amount1)
    pool.liquidity += liquidity
    sync(emit, address)
    if (isFirst) emit(address, { kind: 'v3_initialize', sqrtPriceX96: rootOf(pool), tick: 0 })
    emit(address, { kind: 'v3_mint', owner: by, tickLower: -887220, tickUpper: 887220, liquidity, amount0, amount1 })
  }
  function takeOut(emit: Emit, pool: Address, by: Address, pct: bigint): void {
    const { kind, token0, token1, reserve0, reserve1 } = poolOf(pool)
    if (kind === 'v3') {
      removeV3(emit, pool, by, pct)
      return
    }
    const shares = (balance(pool, by) * pct) / 100n
    if (shares === 0n) return
    const supply = tokenOf(pool).supply
    move(emit, pool, by, pool, shares)
    move(emit, pool, pool, ZERO_ADDRESS, shares)
    const [amount0, amount1] = [(reserve0 * shares) / supply, (reserve1 * shares) / supply]
    move(emit, token0, pool, by, amount0)
    move(emit, token1, pool, by, amount1)
    sync(emit, pool)
    emit(pool, { kind: 'v2_burn', to: by, amount0, amount1 })
  }

  function removeV3(emit: Emit, address: Address, by: Address, pct: bigint) {
    const pool = poolOf(address)
    const liquidity = (pool.liquidity * pct) / 100n
    const [amount0, amount1] = [(pool.reserve0 * pct) / 100n, (pool.reserve1 * pct) / 100n]
    pool.liquidity -= liquidity
    emit(address, { kind: 'v3_burn', owner: by, tickLower: -887220, tickUpper: 887220, liquidity, amount0, amount1 })
    move(emit, pool.token0, address, by, amount0)
    move(emit, pool.token1, address, by, amount1)
    sync(emit, address)
  }
  return market
}

/** Answers as of the end of a block; before the first block nothing exists. */
function readerOf(stateAt: (block: number) => State | undefined): ChainReader {
  return {
    readTokens: async (addresses, block) =>
      new Map(
        addresses.map((address) => {
          const token = stateAt(block)?.tokens.get(address)
          const name = token ? `Token ${address.slice(-4)}` : ''
          const symbol = token ? `T${address.slice(-4)}` : ''
          return [address, { name, symbol, decimals: token?.decimals ?? null, totalSupply: token?.supply ?? null }]
        }),
      ),
    readPools: async (addresses, block) =>
      new Map(addresses.map((address) => [address, describe(stateAt(block)?.pools.get(address))])),
    readBalances: async (questions, block) =>
      questions.map(({ token, holder }) => {
        const known = stateAt(block)?.tokens.get(token)
        return known ? (known.balances.get(holder) ?? 0n) : null
      }),
    readAccounts: async () => new Map(),
  }
}

function describe(pool: Pool | undefined): PoolMetadata | null {
  if (!pool) return null
  const isV2 = pool.kind === 'v2'
  return {
    kind: pool.kind,
    factory: isV2 ? V2_FACTORY : V3_FACTORY,
    launchpad: isV2 ? 'uniswap_v2' : 'uniswap_v3',
    token0: pool.token0,
    token1: pool.token1,
    fee: 3000,
    stable: false,
    hooks: null,
    hookRights: 0,
    tickSpacing: null,
    reserve0: pool.reserve0,
    reserve1: pool.reserve1,
    sqrtPriceX96: isV2 ? null : pool.reserve0 > 0n ? root((pool.reserve1 << 192n) / pool.reserve0) : 1n << 96n,
    shares: 0n,
  }
}

const copy = (state: State): State => structuredClone(state)

/** Not a real hash, but as long, and different for each text. */
const hashOf = (text: string): Hash => `0x${Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64)}`

/** The integer square root. */
export function root(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << (BigInt(value.toString(2).length + 1) / 2n)
  for (;;) {
    const next = (guess + value / guess) / 2n
    if (next >= guess) return guess
    guess = next
  }
}
