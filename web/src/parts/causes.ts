// The causes of an alert on a token or a wallet, the likeliest first: it is filled in.
import { RISK_CUTS, toRiskLevel } from '../../../src/base/risk-level.ts'
import type { Filter } from '../filter.ts'
import { dollars } from '../format.ts'

export interface Cause {
  text: string
  conditions: Filter
}

export interface WatchedToken {
  address: string
  riskScore: number
  /** Its newest contract check. */
  sellCheck: { sellable: boolean | null; reason: string | null } | null
}

/** Why a check may have refused all sales without a verdict on them: its holders had just bought. */
const JUST_BOUGHT = 'just_bought'

/** What may still happen to the token. A refused sale has happened, so the news is that it works again. */
export function causesOfToken({ address, riskScore, sellCheck }: WatchedToken): Cause[] {
  const tokens = [address]
  const isRefused = sellCheck?.sellable === false || sellCheck?.reason === JUST_BOUGHT
  const rises = ([RISK_CUTS.medium, RISK_CUTS.high] as const).filter((cut) => riskScore < cut)
  return [
    ...(isRefused ? [{ text: 'selling works again', conditions: { tokens, sellable: true } }] : []),
    ...rises.map((cut) => ({
      text: `its risk becomes ${toRiskLevel(cut)}`,
      conditions: { tokens, minRiskScore: cut },
    })),
    { text: 'its liquidity is pulled', conditions: { tokens, includeFlags: ['liquidity_pulled'] } },
    ...(isRefused ? [] : [{ text: 'holders cannot sell it', conditions: { tokens, sellable: false } }]),
    { text: 'its owner changes', conditions: { tokens, ownerChanged: true } },
  ]
}

const UP_TO_MEDIUM = RISK_CUTS.medium - 0.01

/** What the wallet buys and sells. */
export const causesOfWallet = (address: string): Cause[] => [
  { text: 'it buys or sells a token', conditions: { tradedBy: [address] } },
  { text: 'it buys a token', conditions: { boughtBy: [address] } },
  { text: 'it buys a token of low or medium risk', conditions: { boughtBy: [address], maxRiskScore: UP_TO_MEDIUM } },
  { text: 'it buys a token, and what it sells of that', conditions: { boughtBy: [address], mirrorSales: true } },
  { text: 'it sells a token', conditions: { soldBy: [address] } },
]

/** The same cause, of trades of at least this size. */
export const forAtLeast = ({ text, conditions }: Cause, usd: number): Cause => ({
  text: `${text} for at least ${dollars(usd)}`,
  conditions: { ...conditions, minAmountUsd: usd },
})
