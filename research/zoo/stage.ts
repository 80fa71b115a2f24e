// Puts a token of the zoo on the market: liquidity, buyers, and the ledger's facts about it. Input: the token's maker.
// Output: the target of a check, which can be read again after each act.
import { readFileSync } from 'node:fs'
import { type Abi, parseAbi } from 'viem'
import { type Address, type Hash, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { TRANSFER_TOPIC } from '../../src/chain/contracts/topics.ts'
import type { RecentMove, SafetyHolder, SafetyPool, SafetyTarget } from '../../src/safety/target.ts'
import { artifacts } from '../../test/support/contracts/artifacts.ts'
import type { Compiled } from './compile.ts'
import { accountOf, ether, FOUNDER, type World } from './world.ts'

type ZooContract = Pick<Compiled, 'abi' | 'creation'>
const fixture = new URL('./contracts.json', import.meta.url)
let contracts: Record<string, ZooContract> | undefined

/** A contract of the zoo, as compile-zoo.ts compiled it. */
export function contractOf(name: string): ZooContract {
  contracts ??= (JSON.parse(readFileSync(fixture, 'utf8')) as { contracts: Record<string, ZooContract> }).contracts
  const found = contracts[name]
  if (!found) throw new Error(`the zoo has no contract ${name}: run npx tsx research/zoo/compile-zoo.ts`)
  return found
}

export interface Stage {
  world: World
  token: Address
  deployer: Address
  /** The token's pair, or another pool of it. */
  pool: SafetyPool
  buyers: readonly Address[]
  /** Queues a call of a function of the zoo's contract. */
  act(from: Address, contract: string, name: string, args?: readonly unknown[], at?: Address): Promise<void>
  /** A holder sells to the pair through the router; it may fail. */
  sell(holder: Address): Promise<void>
  /** Somebody who has native coins buys from the pair; it may fail. */
  buy(who: Address): Promise<void>
  /** The ledger's current facts. */
  target(seed: string): Promise<SafetyTarget>
}

/** How a token comes to be. Output: its address. */
export type Make = (world: World, deployer: Address) => Promise<Address>
/** How strangers come to hold it. */
export type Spread = 'buy' | 'airdrop'

const BUYERS = 10
const ERC20 = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function deposit() payable',
])
const PAIR = parseAbi(['function mint(address)'])
const BALANCE = 'function balanceOf(address) view returns (uint256)'
const MAX = 2n ** 256n - 1n

export async function openStage(world: World, label: string, make: Make, spread: Spread): Promise<Stage> {
  const deployer = accountOf(`deployer of ${label}`)
  const buyers = Array.from({ length: BUYERS }, (_, at) => accountOf(`buyer ${at} of ${label}`))
  await world.fund(deployer, ...buyers)
  const token = await make(world, deployer)
  await world.mine()
  const createdBlock = await firstBlockOf(world, token)
  const pair = await openPair(world, token, deployer)
  if (spread === 'airdrop')
    for (const buyer of buyers) await world.send(deployer, token, ERC20, 'transfer', [buyer, ether(1_000_000)])
  else for (const buyer of buyers) await buyFor(world, token, buyer)
  await world.mine()
  await world.mine(3_600)
  return toStage(world, { token, deployer, createdBlock, pair, buyers, hasBought: spread === 'buy' })
}

/** Where its first log is, else the newest block. */
async function firstBlockOf({ anvil }: World, token: Address): Promise<number> {
  const filter = { address: token, fromBlock: '0x0', toBlock: 'latest' }
  const [first] = await anvil.rpc<{ blockNumber: string }[]>('eth_getLogs', [filter])
  return Number(first?.blockNumber ?? (await anvil.rpc<string>('eth_blockNumber')))
}

/** A pair with a tenth of the supply left to the deployer, and its shares burned. */
async function openPair(world: World, token: Address, deployer: Address): Promise<Address> {
  const { weth, v2Factory } = world
  const find = () =>
    world.ask<string>(v2Factory, 'function getPair(address,address) view returns (address)', token, weth)
  if (/^0x0+$/.test(await find())) {
    await world.send(FOUNDER, v2Factory, artifacts.v2Factory.abi, 'createPair', [token, weth])
    await world.mine()
  }
  const pair = (await find()).toLowerCase() as Address
  const supply = await world.ask<bigint>(token, BALANCE, deployer)
  await world.send(deployer, token, ERC20, 'transfer', [pair, (supply * 9n) / 10n])
  await world.send(deployer, weth, ERC20, 'deposit', [], ether(100))
  await world.send(deployer, weth, ERC20, 'transfer', [pair, ether(100)])
  await world.send(deployer, pair, PAIR, 'mint', ['0x000000000000000000000000000000000000dEaD'])
  await world.mine()
  return pair
}

const router = artifacts.v2Router.abi
const buyFor = ({ send, v2Router, weth }: World, token: Address, buyer: Address) =>
  send(
    buyer,
    v2Router,
    router,
    'swapExactETHForTokensSupportingFeeOnTransferTokens',
    [0n, [weth, token], buyer, MAX],
    ether(0.5),
  )

interface Parts {
  token: Address
  deployer: Address
  createdBlock: number
  pair: Address
  buyers: readonly Address[]
  hasBought: boolean
}

async function toStage(
  world: World,
  { token, deployer, createdBlock, pair, buyers, hasBought }: Parts,
): Promise<Stage> {
  // What logs told when the buyers got it, whatever the contract says later: an hour ago, and never again.
  const { timestamp } = await world.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const bought = Number(timestamp) - 3_600
  const balances = await Promise.all(buyers.map((buyer) => world.ask<bigint>(token, BALANCE, buyer)))
  const holders = buyers.map((address, at): SafetyHolder => {
    return {
      address,
      balance: balances[at] ?? 0n,
      since: 1_760_000_100,
      hasSold: false,
      hasBought,
      lastBoughtAt: hasBought ? bought : null,
    }
  })
  const poolNow = () => readPair(world, token, pair)
  return {
    world,
    token,
    deployer,
    buyers,
    pool: await poolNow(),
    act: (from, contract, name, args = [], at = token) =>
      world.send(from, at, contractOf(contract).abi as Abi, name, args),
    async sell(holder) {
      const amount = (await world.ask<bigint>(token, BALANCE, holder)) / 4n
      await world.send(holder, token, ERC20, 'approve', [world.v2Router, MAX])
      const way = [amount, 0n, [token, world.weth], holder, MAX]
      await world.send(holder, world.v2Router, router, 'swapExactTokensForETHSupportingFeeOnTransferTokens', way)
    },
    buy: (who) => buyFor(world, token, who),
    async target(seed) {
      const moves = await readMoves(world, token, [deployer, pair])
      const block = await world.newest()
      return {
        ...blankTarget(world, token, deployer),
        block,
        createdBlock,
        pools: [await poolNow()],
        moves,
        holders,
        seed,
      }
    },
  }
}

const blankTarget = (world: World, token: Address, deployer: Address) => ({
  token,
  deployer,
  insiders: [],
  wrappedNative: world.weth,
  payers: new Map(),
  supply: null,
  trades: [],
  logs: null,
  known: null,
})

/** The newest transfers between other accounts. */
async function readMoves({ anvil }: World, token: Address, others: readonly Address[]): Promise<RecentMove[]> {
  const logs = await anvil.rpc<{ topics: string[]; transactionHash: Hash; blockNumber: string }[]>('eth_getLogs', [
    { address: token, topics: [TRANSFER_TOPIC], fromBlock: '0x0', toBlock: 'latest' },
  ])
  const moves = logs.map(({ topics, transactionHash, blockNumber }): RecentMove => {
    const [from, to] = topics.slice(1).map((topic) => toAddress(`0x${topic.slice(26)}`)) as [Address, Address]
    return { txHash: transactionHash, block: Number(blockNumber), from, to }
  })
  return moves.filter(({ from, to }) => ![...others, ZERO_ADDRESS].includes(from) && to !== others[1]).toReversed()
}

async function readPair(world: World, token: Address, pair: Address): Promise<SafetyPool> {
  const reserves = 'function getReserves() view returns (uint112,uint112,uint32)'
  const [reserve0, reserve1] = await world.ask<[bigint, bigint]>(pair, reserves)
  const [token0, token1] = token < world.weth ? [token, world.weth] : [world.weth, token]
  const plain = { fee: 3_000, stable: false, tickSpacing: null, hooks: null, hookRights: 0, liquidityUsd: 600_000 }
  return {
    address: pair,
    kind: 'v2',
    venue: 'v2',
    factory: world.v2Factory,
    token0,
    token1,
    reserve0,
    reserve1,
    ...plain,
  }
}
