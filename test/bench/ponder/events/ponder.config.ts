// The generated chain of the bench as Ponder sees it: the factory, its pairs, the tokens of the pairs, and WETH.
import { createConfig, factory } from 'ponder'
import { type Address, parseAbi, parseAbiItem } from 'viem'

const { BENCH_RPC, BENCH_CHAIN_ID, BENCH_END, BENCH_FACTORY, BENCH_WETH, DATABASE_URL } = process.env
const created = parseAbiItem('event PairCreated(address indexed token0, address indexed token1, address pair, uint256)')
const range = { chain: 'bench', startBlock: 1, endBlock: Number(BENCH_END) } as const
const FACTORY = BENCH_FACTORY as Address
const token = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 amount)'])

// biome-ignore lint/style/noDefaultExport: Ponder reads it.
export default createConfig({
  database: DATABASE_URL ? { kind: 'postgres', connectionString: DATABASE_URL } : { kind: 'pglite' },
  chains: { bench: { id: Number(BENCH_CHAIN_ID), rpc: BENCH_RPC, maxRequestsPerSecond: 100_000 } },
  contracts: {
    Pair: {
      ...range,
      abi: parseAbi([
        'event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)',
        'event Sync(uint112 reserve0, uint112 reserve1)',
        'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
      ]),
      address: factory({ address: FACTORY, event: created, parameter: 'pair' }),
    },
    Token0: { ...range, abi: token, address: factory({ address: FACTORY, event: created, parameter: 'token0' }) },
    Token1: { ...range, abi: token, address: factory({ address: FACTORY, event: created, parameter: 'token1' }) },
    Shares: { ...range, abi: token, address: factory({ address: FACTORY, event: created, parameter: 'pair' }) },
    Weth: {
      ...range,
      abi: parseAbi([
        'event Deposit(address indexed to, uint256 amount)',
        'event Withdrawal(address indexed from, uint256 amount)',
      ]),
      address: BENCH_WETH as Address,
    },
  },
})
