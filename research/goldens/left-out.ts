// Events of the recordings that Assay does not read, each with its reason, and logs of other contracts that share a topic with
// an exchange. Every other event must be read.
import type { Venue } from '../../src/chain/exchanges/venues.ts'

/** By the beginning of the event's name. */
const REASONS: readonly [name: string, reason: string][] = [
  ['v4.Donate', 'goes to the providers as a fee, which is no reserve'],
  ['v4.ProtocolFeeUpdated', 'each swap tells its fee'],
  ['pcsinf.cl.Donate', 'goes to the providers as a fee, which is no reserve'],
  ['pcsinf.cl.DynamicLPFeeUpdated', 'each swap tells its fee'],
  ['pcsinf.bin.Donate', 'a gift to the providers of one bin'],
  ['erc6909.Transfer', 'a claim on a manager changes hands; no token moves'],
  ['posm.Subscription', 'who is told about a position'],
  ['hooks.', 'any contract may log it, and the manager confirms none'],
  ['solidly.Fees', 'fees leave the pair, and Sync tells what is left'],
  ['solidly.Claim', 'fees that had left the pair; their Transfers are read'],
  ['slip.CollectFees', "the gauges' part of the fees; its Transfers are read"],
  ['v3.Collect', 'what a Burn made withdrawable; its Transfers are read'],
  ['gauge.Withdraw(CL)', "the position token's Transfer is read"],
  ['voter.', 'names a gauge'],
  ['algebra.Fee', 'no price follows from a fee'],
  ['integral.Skim', 'its Transfers are read'],
  ['curve.PlainPoolDeployed', 'does not name the pool; its registry is asked'],
  ['curve.ng.PlainPoolDeployed', 'does not name the pool; its registry is asked'],
  ['bal2.PoolRegistered', 'TokensRegistered names the pool with its tokens'],
  ['fluid.LogDexDeployed', 'DexT1Deployed names the pool with its tokens'],
  ['fourmeme1.', 'sources differ on what its words mean'],
  ['fourmeme2.TradeStop', 'LiquidityAdded follows it'],
  ['flap.TokenQuoteSet', 'the portal is asked'],
  ['flap.TokenCurveSet', "each trade tells the curve's price"],
  ['flap.FlapTokenCirculatingSupplyChanged', 'the trades tell what was sold'],
  ['flap.TokenDexSupplyThreshSet', 'the portal is asked'],
  ['flaunch.PoolCreated', 'no recorded log and no source has this signature: the fee of the launch is missing'],
  ['clanker3.', 'of a factory before v3.1, which no preset names'],
]

/** Why an event is not read; null: it must be. */
export const reasonOf = (name: string): string | null =>
  REASONS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? null

/** The exchanges whose contracts alone count, by the beginning of the names of their events. */
export const MANAGERS: readonly [name: string, venue: Venue][] = [
  ['v4.', 'v4'],
  ['pcsinf.cl.', 'infinity'],
  ['pcsinf.bin.', 'infinity_bin'],
  ['bal2.', 'balancer_v2'],
  ['bal3.', 'balancer_v3'],
]
