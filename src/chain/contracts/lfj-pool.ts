// Pairs of LFJ that no log announced. Input: addresses. Output: the pairs that a factory of the preset confirms by
// their two tokens and bin step. The getters of version 2.0 have other names than those of later versions.
import type { Address } from '../../base/address.ts'
import type { Preset } from '../presets/preset.ts'
import { readAddressAt, readUint } from './abi.ts'
import type { EthCall } from './call.ts'
import { coinPool } from './coin-pool.ts'
import type { PoolMetadata } from './reader.ts'
import { callData } from './words.ts'

/**
 * getTokenX(), getTokenY(), getBinStep(); in 2.0 tokenX(), tokenY(), feeParameters(), whose first word is the bin step.
 */
const GETTERS = ['0x05e8746d', '0xda10610c', '0x17f11ecc', '0x16dc165b', '0xb7d19fc4', '0x98c7adf3']
/** getLBPairInformation(address,address,uint256): a bin step, the pair, and two flags. */
const FIND = '0x704037bd'
/** A bin step has 16 bits. */
const MAX_STEP = 1n << 16n

interface Claim {
  pool: Address
  tokens: [Address, Address]
  step: number
}

/** The addresses that are known pairs. */
export async function readLfjPools(
  ethCall: EthCall,
  { factories, wrappedNative }: Pick<Preset, 'factories' | 'wrappedNative'>,
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, PoolMetadata>> {
  const found = new Map<Address, PoolMetadata>()
  const makers = factories.filter(({ kind }) => kind === 'lfj')
  if (makers.length === 0) return found
  const said = await ethCall(
    addresses.flatMap((to) => GETTERS.map((selector) => ({ to, data: callData(selector), constant: true }))),
    block,
  )
  const claims = addresses.flatMap((pool, at): Claim[] => {
    const [x, y, step, oldX, oldY, oldStep] = said.slice(GETTERS.length * at, GETTERS.length * (at + 1))
    const tokens = [readAddressAt(x, 0) ?? readAddressAt(oldX, 0), readAddressAt(y, 0) ?? readAddressAt(oldY, 0)]
    const [tokenX, tokenY] = tokens
    const bins = readUint(step) ?? readUint(oldStep)
    return tokenX && tokenY && bins !== null && bins < MAX_STEP
      ? [{ pool, tokens: [tokenX, tokenY], step: Number(bins) }]
      : []
  })
  const asked = claims.flatMap((claim) => makers.map((factory) => ({ ...claim, factory })))
  const answers = await ethCall(
    asked.map(({ factory, tokens, step }) => ({
      to: factory.address,
      data: callData(FIND, ...tokens, step),
      constant: true,
    })),
    block,
  )
  const known = { factories: new Map(makers.map((factory) => [factory.address, factory])), wrappedNative }
  for (const [at, { pool, tokens, factory }] of asked.entries()) {
    const made = readAddressAt(answers[at], 1) === pool ? coinPool(known, factory.address, pool, tokens) : null
    if (!made) continue
    const { address: _, ...metadata } = made
    found.set(pool, metadata)
  }
  return found
}
