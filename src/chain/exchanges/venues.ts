// All exchanges that Assay reads: the events and the traits of each. A new exchange needs one file beside these, its
// name in `VENUES`, and its two lines here.
import type { Address } from '../../base/address.ts'
import type { Venue } from '../event.ts'
import { ALGEBRA, ALGEBRA_EVENTS } from './algebra.ts'
import { BALANCER_EVENTS } from './balancer.ts'
import { BALANCER_V1_EVENTS } from './balancer-v1.ts'
import { CURVE_EVENTS } from './curve.ts'
import { DODO_EVENTS } from './dodo.ts'
import { EULER_SWAP_EVENTS } from './euler-swap.ts'
import type { VenueTraits } from './exchange.ts'
import { FLAP_EVENTS } from './flap.ts'
import { FLUID_EVENTS } from './fluid.ts'
import { FOUR_MEME_EVENTS } from './four-meme.ts'
import { infinityRights } from './hooks.ts'
import { DOPPLER, LAUNCHER_EVENTS, ZORA } from './launchers.ts'
import { LFJ_EVENTS } from './lfj.ts'
import { MAKER_EVENTS } from './makers.ts'
import { MAVERICK_EVENTS } from './maverick.ts'
import { METRIC_EVENTS } from './metric.ts'
import { MOONISWAP_EVENTS } from './mooniswap.ts'
import { PANCAKE_INFINITY_EVENTS } from './pancake-infinity.ts'
import { PANCAKE_INFINITY_BIN_EVENTS } from './pancake-infinity-bin.ts'
import { SLIPSTREAM, SLIPSTREAM_EVENTS } from './slipstream.ts'
import { SOLIDLY, SOLIDLY_EVENTS, SOLIDLY_V1 } from './solidly.ts'
import { UNISWAP_V1_EVENTS } from './uniswap-v1.ts'
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
  ...BALANCER_V1_EVENTS,
  ...DODO_EVENTS,
  ...EULER_SWAP_EVENTS,
  ...METRIC_EVENTS,
  ...MOONISWAP_EVENTS,
  ...UNISWAP_V1_EVENTS,
  ...FLUID_EVENTS,
  ...LFJ_EVENTS,
  ...MAVERICK_EVENTS,
  ...MAKER_EVENTS,
  ...FOUR_MEME_EVENTS,
  ...FLAP_EVENTS,
  ...VIRTUALS_EVENTS,
  ...LAUNCHER_EVENTS,
} as const

/** The traits of each venue; `exchange.ts` explains them. */
export const VENUE_TRAITS: Readonly<Record<Venue, VenueTraits>> = {
  uniswap_v1: { reserves: 'unknown' },
  v2: { pools: UNISWAP_V2 },
  v3: { pools: UNISWAP_V3 },
  solidly: { pools: SOLIDLY },
  solidly_v1: { pools: SOLIDLY_V1 },
  slipstream: { pools: SLIPSTREAM },
  algebra: { pools: ALGEBRA },
  v4: { manager: { hasRanges: true, rightsOf: (bits) => bits } },
  infinity: { manager: { hasRanges: true, rightsOf: infinityRights } },
  infinity_bin: { manager: { hasRanges: false, rightsOf: infinityRights }, reserves: 'counted' },
  curve: { reserves: 'balances' },
  pancake_stable: { reserves: 'balances' },
  dodo: { reserves: 'balances' },
  euler_swap: { reserves: 'unknown' },
  metric: { reserves: 'unknown' },
  mooniswap: { reserves: 'balances' },
  balancer_v1: { reserves: 'balances' },
  balancer_v2: { reserves: 'counted' },
  balancer_v3: { reserves: 'counted' },
  fluid: { reserves: 'unknown' },
  lfj: { reserves: 'balances' },
  maverick: { reserves: 'balances' },
  maker: { reserves: 'unknown', tradesAnyPair: true },
  four_meme: { isCurve: true },
  flap: { isCurve: true },
  virtuals: {},
  zora: { launch: ZORA },
  clanker: {},
  doppler: { launch: DOPPLER },
  flaunch: {},
}

/** The traits of a contract's venue; none if it is of no venue. */
export const traitsOf = (contract: { kind: Venue } | undefined): VenueTraits =>
  contract ? VENUE_TRAITS[contract.kind] : NO_TRAITS

const NO_TRAITS: VenueTraits = {}

/** The key of a curve: the token, and the beginning of the venue's address. */
export const curveKey = (token: Address, venue: Address): Address => `${token}${venue.slice(2, 26)}` as Address
