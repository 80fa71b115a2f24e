// The facts about a chain before its first log: the preset's addresses as look-up tables, and the rules for first buys.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import { NATIVE_ASIDE } from '../../chain/exchanges/native.ts'
import type { Venue } from '../../chain/exchanges/venues.ts'
import type { Preset } from '../../chain/presets/preset.ts'

/** The decimals of every native coin. */
const NATIVE_DECIMALS = 18

/** The rules for an early first buy of a token, measured from its first liquidity. */
export interface FirstBuyRules {
  /** Among the first `buyers`, and within `seconds`. */
  early: { buyers: number; seconds: number }
  /** Within `seconds` seconds: a block lasts from a fifth of a second to a minute, by the chain. */
  snipe: { seconds: number }
}

/** The preset's addresses as look-up tables, and the rules for first buys. */
export interface Known {
  firstBuys: FirstBuyRules
  wrappedNative: Address
  /** The ERC-20 of the native coin itself, and how many of the coin's units are one of its own; null: there is none. */
  nativeToken: { address: Address; unit: bigint } | null
  /** Contracts that take fees: a Transfer or payment to or from them is no payment between accounts. */
  feeCollectors: ReadonlySet<string>
  minPoolDepthUsd: number
  /** The chain's money: its stablecoins and its wrapped native coin. */
  cash: ReadonlySet<string>
  /** Quote tokens with their rank: stablecoins first, then the wrapped native, then the preset's hubs. */
  quoteRank: ReadonlyMap<string, number>
  stablecoins: ReadonlySet<string>
  /** Burn addresses, without the zero address. */
  burn: ReadonlySet<string>
  /** `hasPositions`: the preset names the manager that holds positions of its pools. */
  factories: ReadonlyMap<string, { kind: Venue; launchpad: string; quote: Address | null; hasPositions: boolean }>
  kinds: ReadonlyMap<string, WalletKind>
  /** Contracts that hold managers' positions for their owners. */
  positionManagers: ReadonlySet<string>
  /** Lockers that never give back a position. */
  permanentLockers: ReadonlySet<string>
  /** Hooks that take a fee although they could settle swaps by their own curve. */
  feeHooks: ReadonlySet<string>
  /** Contracts that forward the requests of those whom they name (ERC-2771). */
  forwarders: ReadonlySet<string>
}

const toNativeToken = ({ nativeToken }: Preset): Known['nativeToken'] =>
  nativeToken ? { address: nativeToken.address, unit: 10n ** BigInt(NATIVE_DECIMALS - nativeToken.decimals) } : null

/** Builds the look-up tables of a preset. */
export function toKnown(preset: Preset, firstBuys: FirstBuyRules): Known {
  const kinds = new Map<string, WalletKind>()
  for (const address of preset.feeCollectors ?? []) kinds.set(address, 'contract')
  for (const { address } of preset.exchanges) kinds.set(address, 'exchange')
  for (const { address } of preset.lockers) kinds.set(address, 'locker')
  for (const address of [...preset.burnAddresses, ZERO_ADDRESS]) kinds.set(address, 'burned')
  return {
    firstBuys,
    wrappedNative: preset.wrappedNative,
    nativeToken: toNativeToken(preset),
    feeCollectors: new Set([...(preset.feeCollectors ?? []), ...NATIVE_ASIDE]),
    minPoolDepthUsd: preset.minPoolDepthUsd,
    cash: new Set([...preset.stablecoins, preset.wrappedNative]),
    quoteRank: new Map(
      [...preset.stablecoins, preset.wrappedNative, ...(preset.hubs ?? [])].map((address, rank) => [address, rank]),
    ),
    stablecoins: new Set(preset.stablecoins),
    burn: new Set(preset.burnAddresses.filter((address) => address !== ZERO_ADDRESS)),
    factories: new Map(
      preset.factories.map(({ address, kind, launchpad, quote = null, positions }) => [
        address,
        { kind, launchpad, quote, hasPositions: positions !== undefined },
      ]),
    ),
    kinds,
    positionManagers: new Set(preset.factories.flatMap(({ positions }) => positions ?? [])),
    permanentLockers: new Set(preset.lockers.filter(({ permanent }) => permanent).map(({ address }) => address)),
    feeHooks: new Set(preset.feeHooks?.map(({ address }) => address)),
    forwarders: new Set(preset.forwarders),
  }
}
