// What a flag says of a token, in the words of the verdict's headline, and what a power can do.
import type { PowerKind, RiskFlag } from '../base/vocabulary.ts'

export const FLAG_WORDS: Readonly<Record<RiskFlag, string>> = {
  liquidity_pulled: 'its liquidity was pulled',
  wash_trading: 'its volume is staged by wallets that trade with themselves',
  concentrated_ownership: 'a few owners can crash the price',
  sybil_cluster: 'wallets that belong together can crash the price',
  smart_money_exiting: 'traders with a good record are getting out',
}

/** The powers over the holders of a token, after "can". */
export const POWER_WORDS: Readonly<Record<PowerKind, string>> = {
  stop_sales: 'stop sales',
  pause: 'pause transfers',
  blacklist: 'block single holders',
  fee: 'raise the tax',
  limits: 'limit what holders may sell',
  mint: 'mint new tokens',
  take: 'take the tokens of holders',
  upgrade: 'replace the contract',
  destroy: 'destroy the contract',
}
