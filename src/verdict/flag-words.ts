// What a flag says of a token, in the words of the verdict's headline.
import type { RiskFlag } from '../base/vocabulary.ts'

export const FLAG_WORDS: Readonly<Record<RiskFlag, string>> = {
  liquidity_pulled: 'its liquidity was pulled',
  wash_trading: 'its volume is staged by wallets that trade with themselves',
  concentrated_ownership: 'a few owners can crash the price',
  sybil_cluster: 'wallets that belong together can crash the price',
  smart_money_exiting: 'traders with a good record are getting out',
}
