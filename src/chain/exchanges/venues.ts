// All exchanges that Assay reads. A new exchange needs one file beside these, its name in `VENUES`, and its line here.
// The file has its events and, if its pools have an address, its traits.
import type { Address } from '../../base/address.ts'
import type { Venue } from '../event.ts'
import { ALGEBRA, ALGEBRA_EVENTS } from './algebra.ts'
import { BALANCER_EVENTS } from './balancer.ts'
import { CURVE_EVENTS } from './curve.ts'
import type { LaunchTraits, ManagerTraits, VenueTraits } from './exchange.ts'
import { FLAP_EVENTS } from './flap.ts'
import { FLUID_EVENTS } from './fluid.ts'
import { FOUR_MEME_EVENTS } from './four-meme.ts'
import { infinityRights } from './hooks.ts'
import { DOPPLER, LAUNCHER_EVENTS, ZORA } from './launchers.ts'
import { LFJ_EVENTS } from './lfj.ts'
import { MAVERICK_EVENTS } from './maverick.ts'
import { PANCAKE_INFINITY_EVENTS } from './pancake-infinity.ts'
import { PANCAKE_INFINITY_BIN_EVENTS } from './pancake-infinity-bin.ts'
import { SLIPSTREAM, SLIPSTREAM_EVENTS } from './slipstream.ts'
import { SOLIDLY, SOLIDLY_EVENTS, SOLIDLY_V1 } from './solidly.ts'
import { UNISWAP_V2, UNISWAP_V2_EVENTS } from './uniswap-v2.ts'
import { UNISWAP_V3, UNISWAP_V3_EVENTS } from './uniswap-v3.ts'
import { UNISWAP_V4_EVENTS } from './uniswap-v4.ts'
import { VIRTUALS_EVENTS } from './virtuals.ts'

export const EXCHANGE_EVENTS = {
  ...UNISWAP_V2_EVENTS,
  ...UNISWAP_V3_EVENTS,
  ...SOLIDLY_EVENTS,
  ...SLIPSTREAM_EVENTS,
  ...ALGEBRA_EVENTS,
  ...UNISWAP_V4_EVENTS,
  ...PANCAKE_INFINITY_EVENTS,
  ...PANCAKE_INFINITY_BIN_EVENTS,
  ...CURVE_EVENTS,
  ...BALANCER_EVENTS,
  ...FLUID_EVENTS,
  ...LFJ_EVENTS,
  ...MAVERICK_EVENTS,
  ...FOUR_MEME_EVENTS,
  ...FLAP_EVENTS,
  ...VIRTUALS_EVENTS,
  ...LAUNCHER_EVENTS,
} as const

/** Null: the venue's pools have no address and no factory. */
export const VENUE_TRAITS: Readonly<Record<Venue, VenueTraits | null>> = {
  v2: UNISWAP_V2,
  v3: UNISWAP_V3,
  solidly: SOLIDLY,
  solidly_v1: SOLIDLY_V1,
  slipstream: SLIPSTREAM,
  algebra: ALGEBRA,
  v4: null,
  infinity: null,
  infinity_bin: null,
  curve: null,
  balancer_v2: null,
  balancer_v3: null,
  fluid: null,
  lfj: null,
  maverick: null,
  four_meme: null,
  flap: null,
  virtuals: null,
  zora: null,
  clanker: null,
  doppler: null,
  flaunch: null,
}

/**
 * How the reserves of a pool of coins are known: the pool holds them (`balances`), its manager logs every change
 * (`counted`), or no log has them (`unknown`).
 */
export type CoinReserves = 'balances' | 'counted' | 'unknown'

export const COIN_RESERVES: Readonly<Partial<Record<Venue, CoinReserves>>> = {
  curve: 'balances',
  lfj: 'balances',
  maverick: 'balances',
  balancer_v2: 'counted',
  balancer_v3: 'counted',
  infinity_bin: 'counted',
  fluid: 'unknown',
}

/** Venues whose manager opens and holds their pools. */
export const MANAGER_TRAITS: Readonly<Partial<Record<Venue, ManagerTraits>>> = {
  v4: { hasRanges: true, rightsOf: (bits) => bits },
  infinity: { hasRanges: true, rightsOf: infinityRights },
  infinity_bin: { hasRanges: false, rightsOf: infinityRights },
}

/**
 * Launch venues that open a token's pool at an exchange. A venue without promises proves nothing about its liquidity.
 */
export const LAUNCH_TRAITS: Readonly<Partial<Record<Venue, LaunchTraits>>> = { zora: ZORA, doppler: DOPPLER }

/** Launch venues with one contract for all their tokens. */
const CURVES: ReadonlySet<Venue> = new Set<Venue>(['four_meme', 'flap'])

export const isCurveVenue = (venue: Venue | undefined): boolean => venue !== undefined && CURVES.has(venue)

/** The key of a curve: the token, and the beginning of the venue's address. */
export const curveKey = (token: Address, venue: Address): Address => `${token}${venue.slice(2, 26)}` as Address
