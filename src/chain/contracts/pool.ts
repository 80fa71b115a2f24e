// Metadata of pools at a block. Input: addresses that logged like a pool. Output: the pool if a factory of the preset
// confirms its address, else null. The check is needed because any contract can emit a pool's events.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { PoolTraits } from '../exchanges/exchange.ts'
import { traitsOf } from '../exchanges/venues.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { readAddressWord, readUint, SELECTORS } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'
import type { PoolMetadata } from './reader.ts'
import { callData, selectorOf } from './words.ts'

interface Said {
  pool: Address
  factory: Factory
  traits: PoolTraits
  token0: Address
  token1: Address
}

/** A pool's own claim; `key` is null if its factory has one pool for two tokens. */
interface Claim extends Said {
  key: bigint | null
}

/** The confirmed pool of each address, or null. */
export async function readPoolMetadata(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories'>,
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata | null>> {
  const pools = new Map<Address, PoolMetadata | null>(addresses.map((address) => [address, null]))
  const claims = await readKeys(ethCall, await readSaid(ethCall, preset, addresses, block), block)
  const answers = await ethCall(claims.map(confirmation), block)
  const confirmed = claims.filter((claim, i) => readAddressWord(answers[i]) === claim.pool)
  for (const [pool, state] of await readStates(ethCall, confirmed, block)) pools.set(pool, state)
  return pools
}

/** The claims of the addresses: a known factory and two different tokens. */
async function readSaid(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories'>,
  addresses: readonly Address[],
  block: number,
): Promise<Said[]> {
  const { factory, token0, token1 } = SELECTORS
  const questions = [factory, token0, token1]
  const answers = await ethCall(
    addresses.flatMap((to) => questions.map((selector) => ({ to, data: callData(selector), constant: true }))),
    block,
  )
  return addresses.flatMap((pool, i): Said[] => {
    const [said, first, second] = answers.slice(3 * i, 3 * i + 3).map(readAddressWord)
    const known = preset.factories.find(({ address }) => address === said)
    const { pools: traits } = traitsOf(known)
    if (!known || !traits || !first || !second || first === second || first === ZERO_ADDRESS) return []
    return [{ pool, factory: known, traits, token0: first, token1: second }]
  })
}

/** Adds the key by which the factory distinguishes pools of the same tokens. A pool without that key is dropped. */
async function readKeys(ethCall: EthCall, said: readonly Said[], block: number): Promise<Claim[]> {
  const asked = said.filter(({ traits }) => traits.key !== null)
  const answers = await ethCall(
    asked.map(({ pool, traits }) => ({ to: pool, data: callData(selectorOf(traits.key ?? '')), constant: true })),
    block,
  )
  const keys = new Map(asked.map(({ pool }, i) => [pool, readUint(answers[i])]))
  return said.flatMap((claim): Claim[] => {
    const key = keys.get(claim.pool) ?? null
    if (claim.traits.key !== null && (key === null || key >= MAX_KEY)) return []
    return [{ ...claim, key }]
  })
}

/** Pools with an address of their own have no hooks. */
const NO_HOOKS = { hooks: null, hookRights: 0, tickSpacing: null }

/** A fee and a tick spacing have 24 bits. */
const MAX_KEY = 1n << 24n

/** The call to the factory that returns the pool's own address if the claim is true. */
const confirmation = ({ factory, traits, token0, token1, key }: Claim): ContractCall => ({
  to: factory.address,
  constant: true,
  data: callData(selectorOf(traits.find), token0, token1, ...(key === null ? [] : [Number(key)])),
})

async function readStates(
  ethCall: EthCall,
  claims: readonly Claim[],
  block: number,
): Promise<[Address, PoolMetadata][]> {
  const answers = await ethCall(claims.flatMap(stateCalls), block)
  return claims.map(({ pool, factory, traits, token0, token1, key }, i) => {
    const { address, launchpad } = factory
    const fee = traits.keyIsFee ? Number(key) : traits.fee
    const stable = traits.keyIsStable && key !== 0n
    const state = readState(traits, answers.slice(3 * i, 3 * i + 3))
    return [
      pool,
      { kind: traits.pool, factory: address, launchpad, token0, token1, fee, stable, ...NO_HOOKS, ...state },
    ]
  })
}

const stateCalls = ({ pool, traits, token0, token1 }: Claim): ContractCall[] =>
  traits.price === null
    ? [
        { to: pool, data: callData(SELECTORS.getReserves) },
        { to: pool, data: callData(SELECTORS.totalSupply) },
        { to: pool, data: callData(SELECTORS.token0) },
      ]
    : [
        { to: token0, data: callData(SELECTORS.balanceOf, pool) },
        { to: token1, data: callData(SELECTORS.balanceOf, pool) },
        { to: pool, data: callData(selectorOf(traits.price)) },
      ]

type State = Pick<PoolMetadata, 'reserve0' | 'reserve1' | 'sqrtPriceX96' | 'shares'>

/** A missing answer (pruned state, a failing token) counts as 0, or null for the price. */
function readState({ price }: PoolTraits, [first, second, third]: readonly unknown[]): State {
  if (price !== null)
    return {
      reserve0: readUint(first) ?? 0n,
      reserve1: readUint(second) ?? 0n,
      sqrtPriceX96: readUint(third),
      shares: 0n,
    }
  const [reserve0, reserve1] = [readUint(first, 0) ?? 0n, readUint(first, 1) ?? 0n]
  return { reserve0, reserve1, sqrtPriceX96: null, shares: readUint(second) ?? 0n }
}
