// All exchanges that Assay reads. A further one is one file beside these, with its events and, where its pools have an
// address, its traits; its name in `VENUES`; and its line here.
import type { Venue } from '../event.ts'
import { ALGEBRA, ALGEBRA_EVENTS } from './algebra.ts'
import { BALANCER_EVENTS } from './balancer.ts'
import { CURVE_EVENTS } from './curve.ts'
import type { VenueTraits } from './exchange.ts'
import { FLUID_EVENTS } from './fluid.ts'
import { LFJ_EVENTS } from './lfj.ts'
import { MAVERICK_EVENTS } from './maverick.ts'
import { PANCAKE_INFINITY_EVENTS } from './pancake-infinity.ts'
import { PANCAKE_INFINITY_BIN_EVENTS } from './pancake-infinity-bin.ts'
import { SLIPSTREAM, SLIPSTREAM_EVENTS } from './slipstream.ts'
import { SOLIDLY, SOLIDLY_EVENTS, SOLIDLY_V1 } from './solidly.ts'
import { UNISWAP_V2, UNISWAP_V2_EVENTS } from './uniswap-v2.ts'
import { UNISWAP_V3, UNISWAP_V3_EVENTS } from './uniswap-v3.ts'
import { UNISWAP_V4_EVENTS } from './uniswap-v4.ts'

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
} as const

/** Null: the venue's pools have no address, and no factory to ask. */
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
}
