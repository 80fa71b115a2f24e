// Pools of coins that no log announced. Input: addresses, or the 32 bytes of Balancer V2. Output: the pools that a
// registry, factory or vault of the preset confirms, with their coins. Pools with a vault also have their reserves.
// Null for every other input.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { hasManyCoins } from '../exchanges/hooks.ts'
import type { Venue } from '../exchanges/venues.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { readAddressAt, readList, readUint } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'
import { coinPool, isOwnShare, type KnownFactories } from './coin-pool.ts'
import type { PoolMetadata } from './reader.ts'
import { callData } from './words.ts'

/** Curve's provider of addresses: get_address(uint256); number 7 is the registry of all pools. */
const GET_ADDRESS = '0x493f4f74'
const REGISTRY = 7
/** The answer never changes, and a pool may be younger than the requested block. */
const lasting = (to: Address, data: `0x${string}`): ContractCall => ({ to, data, constant: true, newest: true })

interface Asked {
  calls: ContractCall[]
  /** What their answers let ask further; the answers follow the first. */
  further?(answers: readonly unknown[]): ContractCall[]
  /** The coins in the answers; null unless the answers confirm the pool. */
  read(answers: readonly unknown[]): { coins: Address[]; reserves?: bigint[] } | null
}

/** Fluid: the word of token 0 in constantsView(). */
const FLUID_TOKEN0 = 9
/** Curve's pools have at most eight coins. */
const MOST_COINS = 8

const both = (...tokens: (Address | null)[]): Address[] => tokens.filter((token) => token !== null)

/** A call about two tokens; none unless both answers name one. */
function asPair(answers: readonly unknown[], call: (tokens: [Address, Address]) => ContractCall): ContractCall[] {
  const [first, second] = answers.map((answer) => readAddressAt(answer, 0))
  return first && second ? [call([first, second])] : []
}

/** The calls about a pool, by the kind of its factory. */
const ASK: Partial<Record<Venue, (factory: Address, pool: Address) => Asked>> = {
  curve: (registry, pool) => ({
    // get_coins(address)
    calls: [lasting(registry, callData('0x9ac90d3d', pool))],
    read: ([coins]) => {
      const listed = readList(coins, 0) ?? Array.from({ length: MOST_COINS }, (_, at) => readUint(coins, at) ?? 0n)
      const named = listed.flatMap((coin) => toAddressOrNone(coin))
      return named.length >= 2 ? { coins: named } : null
    },
  }),
  uniswap_v1: (factory, pool) => ({
    // getToken(address); the other coin is the native one
    calls: [lasting(factory, callData('0x59770438', pool))],
    read: ([token]) => ({ coins: both(readAddressAt(token, 0), ZERO_ADDRESS) }),
  }),
  dodo: (factory, pool) => ({
    // _BASE_TOKEN_(), _QUOTE_TOKEN_(); the factory lists the pools of these: getDODOPool(address,address)
    calls: [lasting(pool, '0x4a248d2a'), lasting(pool, '0xd4b97046')],
    further: (said) => asPair(said, ([base, quote]) => lasting(factory, callData('0x57a281dc', base, quote))),
    read: ([base, quote, pools]) =>
      (readList(pools, 0) ?? []).includes(BigInt(pool))
        ? { coins: both(readAddressAt(base, 0), readAddressAt(quote, 0)) }
        : null,
  }),
  euler_swap: (factory, pool) => ({
    // deployedPools(address), getAssets()
    calls: [lasting(factory, callData('0x186d0601', pool)), lasting(pool, '0x67e4ac2c')],
    read: ([isPool, assets]) =>
      readUint(isPool) === 1n ? { coins: both(readAddressAt(assets, 0), readAddressAt(assets, 1)) } : null,
  }),
  mooniswap: (factory, pool) => ({
    // isPool(address), getTokens()
    calls: [lasting(factory, callData('0x5b16ebb7', pool)), lasting(pool, '0xaa6ca808')],
    read: ([isPool, tokens]) => {
      const listed = readList(tokens, 0)
      if (readUint(isPool) !== 1n || listed?.length !== 2) return null
      // The zero address stands for the native coin.
      return { coins: listed.map((token) => toAddressOrNone(token)[0] ?? ZERO_ADDRESS) }
    },
  }),
  pancake_stable: (factory, pool) => ({
    // coins(uint256); the factory names the pool of two coins: getPairInfo(address,address)
    calls: [0, 1].map((at) => lasting(pool, callData('0xc6610657', at))),
    further: (said) => asPair(said, ([coin0, coin1]) => lasting(factory, callData('0x400f7a1e', coin0, coin1))),
    read: ([coin0, coin1, pair]) =>
      readAddressAt(pair, 0) === pool ? { coins: both(readAddressAt(coin0, 0), readAddressAt(coin1, 0)) } : null,
  }),
  balancer_v1: (factory, pool) => ({
    // isBPool(address), getFinalTokens()
    calls: [lasting(factory, callData('0xc2bb6dc2', pool)), lasting(pool, '0xbe3bbd2e')],
    read: ([isPool, tokens]) => {
      const listed = readList(tokens, 0)
      return readUint(isPool) === 1n && listed ? { coins: listed.flatMap(toAddressOrNone) } : null
    },
  }),
  balancer_v2: (vault, pool) => ({
    // getPoolTokens(bytes32): tokens, balances, a block
    calls: [{ to: vault, data: `0xf94d4668${pool.slice(2)}`, constant: true }],
    read: ([answer]) => {
      const [tokens, reserves] = [readList(answer, 0), readList(answer, 1)]
      const coins = (tokens ?? []).flatMap(toAddressOrNone)
      return tokens && reserves
        ? { coins, reserves: reserves.filter((_, at) => !isOwnShare(pool, coins[at] ?? pool)) }
        : null
    },
  }),
  balancer_v3: (vault, pool) => ({
    // getPoolTokens(address)
    calls: [lasting(vault, callData('0xca4f2803', pool))],
    read: ([answer]) => {
      const coins = readList(answer, 0)
      return coins ? { coins: coins.flatMap(toAddressOrNone) } : null
    },
  }),
  fluid: (factory, pool) => ({
    // isDex(address), constantsView()
    calls: [lasting(factory, callData('0x3c11e12a', pool)), lasting(pool, '0xb7791bf2')],
    read: ([isDex, constants]) =>
      readUint(isDex) === 1n
        ? { coins: both(readAddressAt(constants, FLUID_TOKEN0), readAddressAt(constants, FLUID_TOKEN0 + 1)) }
        : null,
  }),
  maverick: (factory, pool) => ({
    // isFactoryPool(address), tokenA(), tokenB()
    calls: [lasting(factory, callData('0x578eaca4', pool)), lasting(pool, '0x0fc63d10'), lasting(pool, '0x5f64b55b')],
    read: ([isPool, a, b]) =>
      readUint(isPool) === 1n ? { coins: both(readAddressAt(a, 0), readAddressAt(b, 0)) } : null,
  }),
}

export type ReadCoinPools = (addresses: readonly Address[], block: number) => Promise<Map<Address, PoolMetadata>>

/** Reads which addresses are known pools of two or more coins. */
export function createReadCoinPools(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories' | 'wrappedNative'>,
): ReadCoinPools {
  const findRegistries = createRegistries(ethCall, preset.factories)
  return async (addresses, block) => readCoinPools(ethCall, preset, await findRegistries(block), addresses, block)
}

async function readCoinPools(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories' | 'wrappedNative'>,
  registries: readonly Registry[],
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata>> {
  const found = new Map<Address, PoolMetadata>()
  const asked = addresses.flatMap((pool) =>
    registries.flatMap(({ factory, registry }) => {
      const ask = ASK[factory.kind]
      // Only Balancer V2 knows its pools by 32 bytes.
      const fits = (factory.kind === 'balancer_v2') === pool.length > 42
      return ask && fits ? [{ pool, factory, ...ask(registry, pool) }] : []
    }),
  )
  const first = await askAll(ethCall, asked, ({ calls }) => calls, block)
  const second = await askAll(ethCall, asked, ({ further }, at) => further?.(first[at] ?? []) ?? [], block)
  const known = toKnown(preset)
  for (const [at, { pool, factory, read }] of asked.entries()) {
    const told = read([...(first[at] ?? []), ...(second[at] ?? [])])
    const made = told && coinPool(known, factory.address, pool, told.coins)
    if (!made || found.has(pool)) continue
    const [reserve0 = 0n, reserve1 = 0n] = hasManyCoins(made.hookRights) ? [] : (told.reserves ?? [])
    const { address: _, ...metadata } = made
    found.set(pool, { ...metadata, reserve0, reserve1 })
  }
  return found
}

/** The answers to the calls of each, in one request. */
async function askAll<One>(
  ethCall: EthCall,
  asked: readonly One[],
  callsOf: (one: One, at: number) => ContractCall[],
  block: number,
): Promise<unknown[][]> {
  const calls = asked.map(callsOf)
  if (calls.every(({ length }) => length === 0)) return calls.map(() => [])
  const answers = await ethCall(calls.flat(), block)
  let next = 0
  return calls.map(({ length }) => {
    next += length
    return answers.slice(next - length, next)
  })
}

const toKnown = ({ factories, wrappedNative }: Pick<Preset, 'factories' | 'wrappedNative'>): KnownFactories => ({
  factories: new Map(factories.map(({ address, kind, launchpad }) => [address, { kind, launchpad }])),
  wrappedNative,
})

interface Registry {
  factory: Factory
  /** The contract to ask: the factory, or the registry that Curve's provider names. */
  registry: Address
}

/** Asks Curve's provider until it names its registry. */
function createRegistries(ethCall: EthCall, factories: readonly Factory[]) {
  const named = new Map<Address, Address>()

  return async (block: number): Promise<Registry[]> => {
    const open = factories.filter(({ kind, address }) => kind === 'curve' && !named.has(address))
    const calls = open.map(({ address }) => lasting(address, callData(GET_ADDRESS, REGISTRY)))
    const answers = calls.length === 0 ? [] : await ethCall(calls, block)
    for (const [at, { address }] of open.entries()) {
      const registry = readAddressAt(answers[at], 0)
      if (registry) named.set(address, registry)
    }
    return factories.map((factory) => ({ factory, registry: named.get(factory.address) ?? factory.address }))
  }
}

/** The address in a number; null for zero, which pads Curve's answers. */
function toAddressOrNone(value: bigint): Address[] {
  if (value === 0n || value >> 160n !== 0n) return []
  const address = `0x${value.toString(16).padStart(40, '0')}` as Address
  return address === ZERO_ADDRESS ? [] : [address]
}
