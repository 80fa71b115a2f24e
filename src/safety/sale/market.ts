// The market of a token in the form of the trader's code. Input: a pool. Output: the market and the account that holds
// the pool's tokens.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { abiWord } from '../../chain/contracts/words.ts'
import { keccakOfHex } from '../../chain/keccak.ts'
import type { SafetyPool, SafetyTarget } from '../target.ts'

export interface Market {
  /** The kind of swap: see Trader.sol. */
  kind: 1 | 2 | 3 | 4
  pool: Address
  token: Address
  quote: Address
  fee: number
  spacing: number
  hooks: Address
  /** The pool holds the native coin itself. */
  native: boolean
  /** The quote is the wrapped coin, which anybody can buy for the native one. */
  wraps: boolean
}

/**
 * More than the fee of any fork of Uniswap V2, for pools with an unknown fee. Tokens that a trial leaves in the pool
 * cost nobody anything.
 */
const V2_FEE = 10_000
/** A fee that hooks set for each swap. (v4-core, LPFeeLibrary.sol.) */
const DYNAMIC_FEE = 0x80_0000
const ADDRESS_LENGTH = 42

/** The account that receives the sold tokens; null if the pool does not have it. */
export function keeperOf({ address, kind, factory }: SafetyPool): Address | null {
  if (kind === 'v2' || kind === 'v3') return address
  if (kind === 'coins' && address.length === ADDRESS_LENGTH) return address
  return factory
}

/** Null: our code supports no swap in such a pool. */
export function toMarket(pool: SafetyPool, { token, wrappedNative }: SafetyTarget): Market | null {
  const { kind, venue, address, token0, token1, fee, tickSpacing, hooks } = pool
  const quote = token0 === token ? token1 : token0
  const market = {
    pool: address,
    token,
    quote,
    hooks: hooks ?? ZERO_ADDRESS,
    native: false,
    wraps: quote === wrappedNative,
  }
  const spacing = tickSpacing ?? 0
  if (kind === 'v2' && (venue === 'solidly' || venue === 'solidly_v1'))
    return { ...market, kind: 2, fee: 0, spacing: 0 }
  if (kind === 'v2') return { ...market, kind: 1, fee: fee ?? V2_FEE, spacing: 0 }
  if (kind === 'v3') return { ...market, kind: 3, fee: fee ?? 0, spacing }
  if (kind !== 'v4' || venue === 'infinity') return null
  const managed = { ...market, kind: 4 as const, pool: pool.factory, fee: fee ?? DYNAMIC_FEE, spacing }
  const forms = [{ ...managed, native: true }, managed].filter(({ native, wraps }) => wraps || !native)
  return forms.find((form) => idOf(form) === address) ?? null
}

/** The manager's key of a pool: the hash of its parameters. */
function idOf({ token, quote, native, fee, spacing, hooks }: Market): string {
  const other = native ? ZERO_ADDRESS : quote
  const [first, second] = token < other ? [token, other] : [other, token]
  return keccakOfHex([first, second, fee, spacing, hooks].map(abiWord).join(''))
}
