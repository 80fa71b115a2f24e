// The benchmark's chain for both Ponder projects; the environment sets its parameters.
import { type Address, parseAbi } from 'viem'

const {
  BENCH_RPC,
  BENCH_CHAIN_ID,
  BENCH_END,
  BENCH_FACTORY,
  BENCH_WETH,
  BENCH_STABLECOINS,
  BENCH_MIN_DEPTH,
  DATABASE_URL,
} = process.env
export const range = { chain: 'bench', startBlock: 0, endBlock: Number(BENCH_END) } as const
export const chains = { bench: { id: Number(BENCH_CHAIN_ID), rpc: BENCH_RPC, maxRequestsPerSecond: 100_000 } }
export const database = DATABASE_URL
  ? ({ kind: 'postgres', connectionString: DATABASE_URL } as const)
  : ({ kind: 'pglite' } as const)
export const factoryAddress = BENCH_FACTORY as Address
export const wethAddress = BENCH_WETH as Address
/** Each counts as 1 USD. */
export const STABLECOINS: ReadonlySet<string> = new Set(BENCH_STABLECOINS?.split(','))
/** A pool with less on its quote side, in USD, gives no price. */
export const MIN_POOL_DEPTH_USD = Number(BENCH_MIN_DEPTH)

export const tokenAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])
export const wethAbi = parseAbi([
  'event Deposit(address indexed to, uint256 amount)',
  'event Withdrawal(address indexed from, uint256 amount)',
])
export const factoryAbi = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 number)',
])
export const pairAbi = parseAbi([
  'event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
])
