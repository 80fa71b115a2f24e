// The facts about a chain before its first log: the preset's addresses as look-up tables, and the rules for first buys.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import type { Venue } from '../../chain/event.ts'
import type { Preset } from '../../chain/presets/preset.ts'

/** The rules for an early first buy of a token, measured from its first liquidity. */
export interface FirstBuyRules {
  /** Among the first `buyers`, and within `seconds`. */
  early: { buyers: number; seconds: number }
  /** Within `blocks` blocks or `seconds` seconds. */
  snipe: { blocks: number; seconds: number }
}

/** The preset's addresses as look-up tables, and the rules for first buys. */
export interface Known {
  firstBuys: FirstBuyRules
  wrappedNative: Address
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
}

/** Builds the look-up tables of a preset. */
export function toKnown(preset: Preset, firstBuys: FirstBuyRules): Known {
  const kinds = new Map<string, WalletKind>()
  for (const { address } of preset.exchanges) kinds.set(address, 'exchange')
  for (const { address } of preset.lockers) kinds.set(address, 'locker')
  for (const address of [...preset.burnAddresses, ZERO_ADDRESS]) kinds.set(address, 'burned')
  return {
    firstBuys,
    wrappedNative: preset.wrappedNative,
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
  }
}
