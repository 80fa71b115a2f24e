// Metadata of pools that a manager holds and that are older than the start block. Input: the 32 bytes that pools are known by.
// Output: the pool if its key hashes to those bytes, which proves it, else null. PancakeSwap Infinity's managers know the keys of all
// their pools; of Uniswap V4's, the position manager knows those of the pools that were used through it.
import { type Address, parseAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { infinityRights } from '../exchanges/hooks.ts'
import { fixedFee } from '../exchanges/uniswap-v4.ts'
import { keccakOfHex } from '../keccak.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { readUint } from './abi.ts'
import type { EthCall } from './call.ts'
import type { PoolMetadata } from './reader.ts'

/** poolKeys(bytes25): the first 25 of the 32 bytes are the argument. */
const POOL_KEYS = '0x86b6be7d'
/** poolIdToPoolKey(bytes32) of Infinity's managers. (infinity-core, IPoolManager.sol.) */
const KEY_OF_ID = '0x0e2d484a'
/** extsload(bytes32) of Uniswap V4's manager reads a slot of its storage. */
const EXTSLOAD = '0x1e2eaeaf'
/** getSlot0(bytes32) of PancakeSwap Infinity's. */
const GET_SLOT0 = '0xc815641c'
/** Where Uniswap V4's manager keeps its pools. (v4-core, StateLibrary.sol.) */
const POOLS_SLOT = 6n

interface Manager extends Factory {
  /** Who is asked for the keys. */
  keys: Address
}
type Key = Pick<PoolMetadata, 'token0' | 'token1' | 'fee' | 'hooks' | 'hookRights' | 'tickSpacing'>

/** The proven pool of each identifier, or null. */
export async function readManagedPools(
  ethCall: EthCall,
  preset: Pick<Preset, 'factories' | 'wrappedNative'>,
  ids: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata | null>> {
  const pools = new Map<Address, PoolMetadata | null>(ids.map((id) => [id, null]))
  const managers = preset.factories.flatMap((factory): Manager[] => {
    const keys = isInfinity(factory) ? factory.address : factory.kind === 'v4' ? factory.positions : undefined
    return keys ? [{ ...factory, keys }] : []
  })
  const asked = managers.flatMap((manager) => ids.map((id) => ({ manager, id })))
  const keys = await ethCall(
    asked.map(({ manager, id }) => ({ to: manager.keys, data: keyCall(manager, id), constant: true })),
    block,
  )
  const proven = asked.flatMap(({ manager, id }, at) => {
    const key = readKey(manager, id, keys[at], preset.wrappedNative)
    return key && key.token0 !== key.token1 ? [{ manager, id, key }] : []
  })
  const prices = await ethCall(
    proven.map(({ manager, id }) => ({ to: manager.address, data: priceCall(manager, id) })),
    block,
  )
  for (const [at, { manager, id, key }] of proven.entries()) pools.set(id, toPool(manager, key, prices[at]))
  return pools
}

const isInfinity = ({ kind }: Factory): boolean => kind === 'infinity' || kind === 'infinity_bin'

const keyCall = (manager: Manager, id: Address): `0x${string}` =>
  isInfinity(manager) ? `${KEY_OF_ID}${id.slice(2)}` : `${POOL_KEYS}${id.slice(2, 52).padEnd(64, '0')}`

const priceCall = ({ kind }: Manager, id: Address): `0x${string}` =>
  kind === 'v4'
    ? `${EXTSLOAD}${keccakOfHex(`${id.slice(2)}${word(POOLS_SLOT)}`).slice(2)}`
    : `${GET_SLOT0}${id.slice(2)}`

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Uniswap V4's key has five words, Infinity's six. Null unless the words hash to the identifier. */
function readKey({ kind }: Manager, id: Address, answer: unknown, wrappedNative: Address): Key | null {
  const words = kind === 'v4' ? 5 : 6
  if (!isHex(answer) || answer.length < 2 + 64 * words) return null
  if (keccakOfHex(answer.slice(2, 2 + 64 * words)) !== id) return null
  const at = (place: number) => readUint(answer, place) ?? 0n
  const token = (place: number) => {
    const address = toAddress(at(place))
    return address === ZERO_ADDRESS ? wrappedNative : address
  }
  const [feeAt, hooksAt] = kind === 'v4' ? [2, 4] : [4, 2]
  const hooks = toAddress(at(hooksAt))
  return {
    token0: token(0),
    token1: token(1),
    fee: fixedFee(Number(at(feeAt))),
    hooks: hooks === ZERO_ADDRESS ? null : hooks,
    tickSpacing: Number(BigInt.asIntN(24, kind === 'v4' ? at(3) : at(5) >> 16n)),
    hookRights: kind === 'v4' ? Number(at(hooksAt) & 0x3fffn) : infinityRights(Number(at(5) & 0x3fffn)),
  }
}

const toAddress = (value: bigint): Address =>
  parseAddress(`0x${value.toString(16).padStart(40, '0').slice(-40)}`) ?? ZERO_ADDRESS

/** Its reserves are in no contract; swaps prove some of them later. The price of bins is that of the last trade. */
function toPool({ address, launchpad, kind }: Manager, key: Key, slot: unknown): PoolMetadata {
  const root = kind === 'infinity_bin' ? 0n : (readUint(slot) ?? 0n) & ((1n << 160n) - 1n)
  const state = { reserve0: 0n, reserve1: 0n, sqrtPriceX96: root === 0n ? null : root, shares: 0n }
  return {
    kind: kind === 'infinity_bin' ? 'coins' : 'v4',
    factory: address,
    launchpad,
    stable: false,
    ...key,
    ...state,
  }
}
