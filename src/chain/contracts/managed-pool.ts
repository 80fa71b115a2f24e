// Metadata of a manager's pools that are older than the start block. Input: the 32 bytes of pools. Output: the pool if
// its key hashes to those bytes, which proves it, else null. PancakeSwap Infinity's managers know all keys. Uniswap
// V4's position manager knows the keys of pools that were used through it; other keys come from the logs of the
// openings.
import { type Address, parseAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { fixedFee, infinityRights } from '../exchanges/hooks.ts'
import { keccakOfHex } from '../keccak.ts'
import type { Factory, Preset } from '../presets/preset.ts'
import { readUint } from './abi.ts'
import type { ContractCall, EthCall } from './call.ts'
import type { OpeningLogs } from './opening-logs.ts'
import type { PoolMetadata } from './reader.ts'

/** poolKeys(bytes25): the first 25 of the 32 bytes are the argument. */
const POOL_KEYS = '0x86b6be7d'
/** poolIdToPoolKey(bytes32) of Infinity's managers. (infinity-core, IPoolManager.sol.) */
const KEY_OF_ID = '0x0e2d484a'
/** extsload(bytes32) of Uniswap V4's manager reads a slot of its storage. */
const EXTSLOAD = '0x1e2eaeaf'
/** getSlot0(bytes32) of PancakeSwap Infinity's. */
const GET_SLOT0 = '0xc815641c'
/** The storage slot of the pools in Uniswap V4's manager. (v4-core, StateLibrary.sol.) */
const POOLS_SLOT = 6n

type Key = Pick<PoolMetadata, 'token0' | 'token1' | 'fee' | 'hooks' | 'hookRights' | 'tickSpacing'>

interface Parts {
  ethCall: EthCall
  openings: OpeningLogs
}

/** The proven pool of each identifier, or null. */
export async function readManagedPools(
  parts: Parts,
  preset: Pick<Preset, 'factories' | 'wrappedNative'>,
  ids: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata | null>> {
  const pools = new Map<Address, PoolMetadata | null>(ids.map((id) => [id, null]))
  const managers = preset.factories.filter((factory) => factory.kind === 'v4' || isInfinity(factory))
  const asked = managers.flatMap((manager) => ids.map((id) => ({ manager, id })))
  const { ethCall } = parts
  const known = await askForKeys(ethCall, asked, block)
  const told = asked.flatMap((each, at) => prove(each, known[at], preset))
  const isTold = new Set(told.map(({ id }) => id))
  const others = asked.filter(({ manager, id }) => manager.kind === 'v4' && !isTold.has(id))
  const found = await findOpenings(parts, others, block)
  const proven = [...told, ...others.flatMap((each) => prove(each, found.get(each.id), preset))]
  const sound = proven.filter(({ key }) => key.token0 !== key.token1)
  const prices = await ethCall(
    sound.map(({ manager, id }) => priceCall(manager, id)),
    block,
  )
  for (const [at, { manager, id, key }] of sound.entries()) pools.set(id, toPool(manager, key, prices[at]))
  return pools
}

interface Asked {
  manager: Factory
  id: Address
}
type Proven = Asked & { key: Key }

function prove(asked: Asked, words: unknown, { wrappedNative }: Pick<Preset, 'wrappedNative'>): Proven[] {
  const key = readKey(asked.manager, asked.id, words, wrappedNative)
  return key ? [{ ...asked, key }] : []
}

/** The words of each key from a contract; null if no contract can be asked or none knows the key. */
async function askForKeys(ethCall: EthCall, asked: readonly Asked[], block: number): Promise<(string | null)[]> {
  const calls = asked.map(({ manager, id }) => keyCall(manager, id))
  const answers = await ethCall(
    calls.filter((call) => call !== null),
    block,
  )
  let next = 0
  return calls.map((call) => (call ? (answers[next++] ?? null) : null))
}

/** The words of the keys that the managers logged. Only pools that the manager has today are searched. */
async function findOpenings({ ethCall, openings }: Parts, asked: readonly Asked[], block: number) {
  const found = new Map<Address, `0x${string}`>()
  const states = await ethCall(
    asked.map(({ manager, id }) => ({ ...priceCall(manager, id), newest: true })),
    block,
  )
  const open = asked.filter((_, at) => (readUint(states[at]) ?? 0n) > 0n)
  for (const manager of new Set(open.map((each) => each.manager))) {
    const ids = open.filter((each) => each.manager === manager).map(({ id }) => id)
    const range = { from: manager.fromBlock ?? 0, to: block }
    const stateOf = (id: Address) => priceCall(manager, id)
    for (const [id, words] of await openings.find({ manager: manager.address, ids, ...range, stateOf }))
      found.set(id, words)
  }
  return found
}

const isInfinity = ({ kind }: Factory): boolean => kind === 'infinity' || kind === 'infinity_bin'

function keyCall(manager: Factory, id: Address): ContractCall | null {
  if (isInfinity(manager)) return { to: manager.address, data: `${KEY_OF_ID}${id.slice(2)}`, constant: true }
  if (!manager.positions) return null
  return { to: manager.positions, data: `${POOL_KEYS}${id.slice(2, 52).padEnd(64, '0')}`, constant: true }
}

const priceCall = ({ address, kind }: Factory, id: Address): ContractCall => ({
  to: address,
  data:
    kind === 'v4'
      ? `${EXTSLOAD}${keccakOfHex(`${id.slice(2)}${word(POOLS_SLOT)}`).slice(2)}`
      : `${GET_SLOT0}${id.slice(2)}`,
})

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Uniswap V4's key has five words, Infinity's six. Null unless the words hash to the identifier. */
function readKey({ kind }: Factory, id: Address, answer: unknown, wrappedNative: Address): Key | null {
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

/** No contract has the pool's reserves; swaps prove some of them later. The price of bins is that of the last trade. */
function toPool({ address, launchpad, kind }: Factory, key: Key, slot: unknown): PoolMetadata {
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
