// All exchanges that Assay reads, by the name of their kind. A new exchange needs one file beside these, and its line here.

import type { Address } from '../../base/address.ts'
import { keysOf } from '../../base/keys-of.ts'
import { ALGEBRA } from './algebra.ts'
import { BALANCER_V2, BALANCER_V3 } from './balancer.ts'
import { BALANCER_V1 } from './balancer-v1.ts'
import { CURVE, PANCAKE_STABLE } from './curve.ts'
import { DODO } from './dodo.ts'
import { EKUBO } from './ekubo.ts'
import { EULER_SWAP } from './euler-swap.ts'
import type { Exchange, VenueTraits } from './exchange.ts'
import { FLAP } from './flap.ts'
import { FLUID } from './fluid.ts'
import { FOUR_MEME } from './four-meme.ts'
import { CLANKER, DOPPLER, FLAUNCH, ZORA } from './launchers.ts'
import { LFJ } from './lfj.ts'
import { MAKER } from './makers.ts'
import { MAVERICK } from './maverick.ts'
import { METRIC } from './metric.ts'
import { MOONISWAP } from './mooniswap.ts'
import { PANCAKE_INFINITY } from './pancake-infinity.ts'
import { PANCAKE_INFINITY_BIN } from './pancake-infinity-bin.ts'
import { SLIPSTREAM } from './slipstream.ts'
import { SOLIDLY, SOLIDLY_V1 } from './solidly.ts'
import { UNISWAP_V1 } from './uniswap-v1.ts'
import { UNISWAP_V2 } from './uniswap-v2.ts'
import { UNISWAP_V3 } from './uniswap-v3.ts'
import { UNISWAP_V4 } from './uniswap-v4.ts'
import { VIRTUALS } from './virtuals.ts'

const DECLARED = {
  v2: UNISWAP_V2,
  v3: UNISWAP_V3,
  solidly: SOLIDLY,
  solidly_v1: SOLIDLY_V1,
  slipstream: SLIPSTREAM,
  algebra: ALGEBRA,
  v4: UNISWAP_V4,
  infinity: PANCAKE_INFINITY,
  infinity_bin: PANCAKE_INFINITY_BIN,
  curve: CURVE,
  balancer_v2: BALANCER_V2,
  balancer_v3: BALANCER_V3,
  lfj: LFJ,
  maverick: MAVERICK,
  fluid: FLUID,
  four_meme: FOUR_MEME,
  flap: FLAP,
  virtuals: VIRTUALS,
  uniswap_v1: UNISWAP_V1,
  balancer_v1: BALANCER_V1,
  mooniswap: MOONISWAP,
  euler_swap: EULER_SWAP,
  metric: METRIC,
  ekubo: EKUBO,
  dodo: DODO,
  pancake_stable: PANCAKE_STABLE,
  maker: MAKER,
  zora: ZORA,
  clanker: CLANKER,
  doppler: DOPPLER,
  flaunch: FLAUNCH,
} as const satisfies Readonly<Record<string, Exchange>>

/** The kinds of exchanges whose factories or managers a preset can name. */
export type Venue = keyof typeof DECLARED
export const VENUES = keysOf(DECLARED)
export const EXCHANGES: Readonly<Record<Venue, Exchange>> = DECLARED

/** The names of the events of all exchanges. */
export type ExchangeEventName = { [Name in Venue]: keyof (typeof DECLARED)[Name]['events'] }[Venue]

/** The traits of a contract's venue; none if it is of no venue. */
export const traitsOf = (contract: { kind: Venue } | undefined): VenueTraits =>
  contract ? EXCHANGES[contract.kind] : NO_TRAITS

const NO_TRAITS: VenueTraits = {}

/** Whose events any contract may log on a chain with factories of this kind. */
export const loggedBy = (kind: Venue): string[] =>
  [kind, EXCHANGES[kind].logsAs ?? []].flat().map((name) => `${name}_pool`)

/** The factories and managers that stand at the same address on several chains, on one of them. */
export const deployedOn = (chainId: number) =>
  VENUES.flatMap((kind) =>
    (EXCHANGES[kind].deployed ?? []).flatMap(({ chains, fromBlock, ...factory }) => {
      const [seen, first] = [chains[chainId], fromBlock?.[chainId]]
      return seen === undefined ? [] : [{ ...factory, kind, ...(first !== undefined && { fromBlock: first }), seen }]
    }),
  )

/** The key of a curve: the token, and the beginning of the venue's address. */
export const curveKey = (token: Address, venue: Address): Address => `${token}${venue.slice(2, 26)}` as Address
