// The venues of the market. They are wrapped native coin, a stablecoin from a faucet, three V2 venues (one real, two
// forks), and a V3 venue. A factory is in no preset.
import { type Address, encodeAbiParameters, encodePacked, getCreate2Address, keccak256, zeroAddress } from 'viem'
import { artifacts } from '../contracts/artifacts.ts'
import type { MarketChain } from './chain.ts'

export interface VenueV2 {
  kind: 'v2'
  name: string
  factory: Address
  router: Address
}

export interface VenueV3 {
  kind: 'v3'
  name: string
  factory: Address
  router: Address
  positions: Address
}

export interface Venues {
  weth: Address
  /** Six decimals; anyone may mint. */
  usd: Address
  uniswapV2: VenueV2
  moonforge: VenueV2
  peachpad: VenueV2
  uniswapV3: VenueV3
  /** In no preset: a pool that it confirms still does not count. */
  rogue: VenueV2
}

/** Queues all deployments for the next block. */
export async function deployVenues(chain: MarketChain, from: Address): Promise<Venues> {
  const weth = await chain.deploy(from, 'weth')
  const usd = await chain.deploy(from, 'faucetToken', ['Demo Dollar', 'dUSD', 6])
  const v2 = async (name: string): Promise<VenueV2> => {
    const factory = await chain.deploy(from, 'v2Factory', [from])
    return { kind: 'v2', name, factory, router: await chain.deploy(from, 'v2Router', [factory, weth]) }
  }
  const v3 = async (name: string): Promise<VenueV3> => {
    const factory = await chain.deploy(from, 'v3Factory')
    const router = await chain.deploy(from, 'v3Router', [factory, weth])
    const positions = await chain.deploy(from, 'v3Positions', [factory, weth, zeroAddress])
    return { kind: 'v3', name, factory, router, positions }
  }
  return {
    weth,
    usd,
    uniswapV2: await v2('uniswap_v2'),
    moonforge: await v2('moonforge'),
    peachpad: await v2('peachpad'),
    uniswapV3: await v3('uniswap_v3'),
    rogue: await v2('rogue'),
  }
}

const PAIR_HASH = keccak256(artifacts.v2Pair.bytecode)
const POOL_HASH = keccak256(artifacts.v3Pool.bytecode)

/** The two addresses in the order that pools use. */
export const sortTokens = (a: Address, b: Address): [Address, Address] =>
  a.toLowerCase() < b.toLowerCase() ? [a, b] : [b, a]

/** The address of the venue's V2 pair, whether it exists yet or not. */
export function pairOf(venue: VenueV2, a: Address, b: Address): Address {
  const salt = keccak256(encodePacked(['address', 'address'], sortTokens(a, b)))
  return getCreate2Address({ from: venue.factory, salt, bytecodeHash: PAIR_HASH }).toLowerCase() as Address
}

/** The address of the venue's V3 pool, whether it exists yet or not. */
export function poolOf(venue: VenueV3, a: Address, b: Address, fee: number): Address {
  const parameters = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const
  const salt = keccak256(encodeAbiParameters(parameters, [...sortTokens(a, b), fee]))
  return getCreate2Address({ from: venue.factory, salt, bytecodeHash: POOL_HASH }).toLowerCase() as Address
}
