// Metadata of pools at a block. Input: addresses that logged like a pool. Output: the pool if a factory of the preset
// confirms its address, else null. The check is needed because any contract can emit a pool's events.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { encodeCall, readAddressWord, readUint, SELECTORS } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'
import type { PoolMetadata } from './reader.ts'

interface Claim {
  pool: Address
  factory: Factory
  token0: Address
  token1: Address
  fee: number
}

/** Uniswap V2's fee of 0.3 %, which its pairs do not return. */
const V2_FEE = 3000

/** The confirmed pool of each address, or null. */
export async function readPoolMetadata(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories'>,
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata | null>> {
  const pools = new Map<Address, PoolMetadata | null>(addresses.map((address) => [address, null]))
  const claims = await readClaims(ethCall, preset, addresses, block)
  const answers = await ethCall(claims.map(confirmation), block)
  const confirmed = claims.filter((claim, i) => readAddressWord(answers[i]) === claim.pool)
  for (const [pool, state] of await readStates(ethCall, confirmed, block)) pools.set(pool, state)
  return pools
}

/** What the addresses claim: a known factory, two different tokens, and a fee. */
async function readClaims(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories'>,
  addresses: readonly Address[],
  block: number,
): Promise<Claim[]> {
  const { factory, token0, token1, fee } = SELECTORS
  const questions = [factory, token0, token1, fee]
  const answers = await ethCall(
    addresses.flatMap((to) => questions.map((selector) => ({ to, data: encodeCall(selector), constant: true }))),
    block,
  )
  return addresses.flatMap((pool, i): Claim[] => {
    const [said, first, second] = answers.slice(4 * i, 4 * i + 3).map(readAddressWord)
    const known = preset.factories.find(({ address }) => address === said)
    if (!known || !first || !second || first === second || first === ZERO_ADDRESS) return []
    const rate = known.kind === 'v2' ? BigInt(V2_FEE) : readUint(answers[4 * i + 3])
    if (rate === null || rate >= 1n << 24n) return []
    return [{ pool, factory: known, token0: first, token1: second, fee: Number(rate) }]
  })
}

/** The call to the factory that returns the pool's own address if the claim is true. */
const confirmation = ({ factory, token0, token1, fee }: Claim): ContractCall => ({
  to: factory.address,
  constant: true,
  data:
    factory.kind === 'v2'
      ? encodeCall(SELECTORS.getPair, token0, token1)
      : encodeCall(SELECTORS.getPool, token0, token1, fee),
})

async function readStates(
  ethCall: EthCall,
  claims: readonly Claim[],
  block: number,
): Promise<[Address, PoolMetadata][]> {
  const answers = await ethCall(claims.flatMap(stateCalls), block)
  return claims.map(({ pool, factory, token0, token1, fee }, i) => {
    const { kind, address, launchpad } = factory
    const state = readState(kind, answers.slice(3 * i, 3 * i + 3))
    return [pool, { kind, factory: address, launchpad, token0, token1, fee, ...state }]
  })
}

const stateCalls = ({ pool, factory, token0, token1 }: Claim): ContractCall[] =>
  factory.kind === 'v2'
    ? [
        { to: pool, data: encodeCall(SELECTORS.getReserves) },
        { to: pool, data: encodeCall(SELECTORS.totalSupply) },
        { to: pool, data: encodeCall(SELECTORS.token0) },
      ]
    : [
        { to: token0, data: encodeCall(SELECTORS.balanceOf, pool) },
        { to: token1, data: encodeCall(SELECTORS.balanceOf, pool) },
        { to: pool, data: encodeCall(SELECTORS.slot0) },
      ]

type State = Pick<PoolMetadata, 'reserve0' | 'reserve1' | 'sqrtPriceX96' | 'shares'>

/** A missing answer (pruned state, a failing token) counts as 0, or null for the price. */
function readState(kind: 'v2' | 'v3', [first, second, third]: readonly unknown[]): State {
  if (kind === 'v3')
    return {
      reserve0: readUint(first) ?? 0n,
      reserve1: readUint(second) ?? 0n,
      sqrtPriceX96: readUint(third),
      shares: 0n,
    }
  const [reserve0, reserve1] = [readUint(first, 0) ?? 0n, readUint(first, 1) ?? 0n]
  return { reserve0, reserve1, sqrtPriceX96: null, shares: readUint(second) ?? 0n }
}
