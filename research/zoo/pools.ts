// Pools of other exchanges for a token that is on the market already. Input: a stage. Output: the pool as the ledger would know it. Each opens at
// a price of 1 with 100 of both, so that the token's other pool plays no part.
import { type Abi, parseAbi } from 'viem'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import type { SafetyPool } from '../../src/safety/target.ts'
import { artifacts } from '../../test/support/contracts/artifacts.ts'
import { idOf } from '../../test/support/market/managed.ts'
import { contractOf, type Stage } from './stage.ts'
import { ether, FOUNDER, type World } from './world.ts'

const ERC20 = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function deposit() payable',
])
const MAX = 2n ** 256n - 1n
/** The square root of a price of 1, times 2^96. */
const ROOT = 2n ** 96n
const TICKS = 886_800
const HELD = ether(100)

const plain = {
  stable: false,
  tickSpacing: null,
  hooks: null,
  hookRights: 0,
  reserve0: HELD,
  reserve1: HELD,
  liquidityUsd: 600_000,
}
const sorted = (a: Address, b: Address): [Address, Address] => (a < b ? [a, b] : [b, a])

/** Uniswap V3 against the wrapped coin. */
export async function openV3({ world, token, deployer }: Stage): Promise<SafetyPool> {
  const { weth, v3Factory, v3Positions } = world
  const [token0, token1] = sorted(token, weth)
  const { abi } = artifacts.v3Positions
  for (const each of [token, weth]) await world.send(deployer, each, ERC20, 'approve', [v3Positions, MAX])
  await world.send(deployer, weth, ERC20, 'deposit', [], HELD)
  await world.send(deployer, v3Positions, abi, 'createAndInitializePoolIfNecessary', [token0, token1, 3_000, ROOT])
  const range = {
    tickLower: -TICKS,
    tickUpper: TICKS,
    amount0Desired: HELD,
    amount1Desired: HELD,
    amount0Min: 0n,
    amount1Min: 0n,
  }
  const wish = { token0, token1, fee: 3_000, ...range, recipient: deployer, deadline: MAX }
  await world.send(deployer, v3Positions, abi, 'mint', [wish])
  await world.mine()
  const find = 'function getPool(address,address,uint24) view returns (address)'
  const address = toAddress(await world.ask<string>(v3Factory, find, token0, token1, 3_000))
  return { ...plain, address, kind: 'v3', venue: 'v3', factory: v3Factory, token0, token1, fee: 3_000 }
}

/** Uniswap V4 against the native coin, which rows know as the wrapped one. */
export async function openV4({ world, token, deployer }: Stage): Promise<SafetyPool> {
  const { manager, positions } = await managersOf(world)
  const key = { currency0: ZERO_ADDRESS, currency1: token, fee: 3_000, tickSpacing: 60, hooks: ZERO_ADDRESS }
  await world.send(deployer, manager, artifacts.v4Manager.abi, 'initialize', [key, ROOT])
  await world.send(deployer, token, ERC20, 'approve', [positions, MAX])
  const ask = [key, -886_740, 886_740, HELD, deployer]
  await world.send(deployer, positions, artifacts.managerPositions.abi, 'mint', ask, ether(101))
  await world.mine()
  const [token0, token1] = sorted(token, world.weth)
  const address = idOf(key) as Address
  return { ...plain, address, kind: 'v4', venue: 'v4', factory: manager, token0, token1, fee: 3_000, tickSpacing: 60 }
}

const managers = new WeakMap<World, { manager: Address; positions: Address }>()

async function managersOf(world: World): Promise<{ manager: Address; positions: Address }> {
  const known = managers.get(world)
  if (known) return known
  const make = ({ abi, bytecode }: { abi: Abi; bytecode: `0x${string}` }, ...args: unknown[]) =>
    world.deploy(FOUNDER, { abi, creation: bytecode }, args)
  const manager = await make(artifacts.v4Manager, FOUNDER)
  const made = { manager, positions: await make(artifacts.managerPositions, manager) }
  await world.mine()
  managers.set(world, made)
  return made
}

/** A pair as Aerodrome's. */
export async function openSolidly({ world, token, deployer }: Stage): Promise<SafetyPool> {
  const { weth } = world
  const { abi } = contractOf('SolidlyPair')
  const address = await world.deploy(deployer, contractOf('SolidlyPair'), [token, weth])
  await world.send(deployer, weth, ERC20, 'deposit', [], HELD)
  for (const each of [token, weth]) await world.send(deployer, each, ERC20, 'transfer', [address, HELD])
  await world.send(deployer, address, abi, 'sync')
  await world.mine()
  const [token0, token1] = sorted(token, weth)
  return { ...plain, address, kind: 'v2', venue: 'solidly', factory: deployer, token0, token1, fee: null }
}

/** Uniswap V2 against the stablecoin; the founder has enough of it to pay for a trial. */
export async function openStable({ world, token, deployer }: Stage): Promise<SafetyPool> {
  const { usd, v2Factory } = world
  const faucet = artifacts.faucetToken.abi
  await world.send(FOUNDER, usd, faucet, 'mint', [FOUNDER, 10n ** 12n])
  await world.send(deployer, usd, faucet, 'mint', [deployer, 10n ** 11n])
  await world.send(deployer, v2Factory, artifacts.v2Factory.abi, 'createPair', [token, usd])
  await world.mine()
  const find = 'function getPair(address,address) view returns (address)'
  const address = toAddress(await world.ask<string>(v2Factory, find, token, usd))
  await world.send(deployer, token, ERC20, 'transfer', [address, HELD])
  await world.send(deployer, usd, ERC20, 'transfer', [address, 10n ** 11n])
  await world.send(deployer, address, artifacts.v2Pair.abi, 'mint', [deployer])
  await world.mine()
  const [token0, token1] = sorted(token, usd)
  const [reserve0, reserve1] = token0 === token ? [HELD, 10n ** 11n] : [10n ** 11n, HELD]
  return {
    ...plain,
    address,
    kind: 'v2',
    venue: 'v2',
    factory: v2Factory,
    token0,
    token1,
    reserve0,
    reserve1,
    fee: 3_000,
  }
}
